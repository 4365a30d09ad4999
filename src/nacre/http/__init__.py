"""The HTTP door: parse, call one service, render."""
