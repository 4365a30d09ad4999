"""Pure text: words, stems, languages, sentences, names and token budgets."""
