"""The database itself: connections, transactions, scopes, journals and the log."""
