/** A text in which the words of a question are marked, in whatever language it is. */

import { useMemo, type ReactNode } from "react";

const words = new Intl.Segmenter(undefined, { granularity: "word" });
// Words that stand in most questions and say nothing about what is asked.
const COMMON = new Set(
  "the and for are was were has have had did does who what when where which why how that this with from not you your our his her its their about into can will would should there then than".split(" "),
);
const STEM = 4;

function wordsOf(text: string): string[] {
  const found = [...words.segment(text.toLowerCase())].filter((each) => each.isWordLike).map((each) => each.segment);
  return [...new Set(found)].filter((word) => !COMMON.has(word) && (word.length > 2 || !/^[a-z]+$/.test(word)));
}

/** Whether two words are the same but for an ending. */
function alike(word: string, asked: string): boolean {
  if (word === asked) return true;
  const [short, long] = word.length < asked.length ? [word, asked] : [asked, word];
  return short.length >= STEM && long.startsWith(short);
}

export function Marked({ text, asked }: { text: string; asked: string }) {
  const wanted = useMemo(() => wordsOf(asked), [asked]);
  const parts: ReactNode[] = [];
  let plain = "";
  for (const { segment, index, isWordLike } of words.segment(text)) {
    if (isWordLike && wanted.some((each) => alike(segment.toLowerCase(), each))) {
      parts.push(plain, <mark key={index}>{segment}</mark>);
      plain = "";
    } else plain += segment;
  }
  return (
    <>
      {parts}
      {plain}
    </>
  );
}
