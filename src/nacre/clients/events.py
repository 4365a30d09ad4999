"""Events of the clients by the names each gives them. A hook waits for this module to load: it imports nothing."""

START, PROMPT, TURN, FLUSH = "start", "prompt", "turn", "flush"

# By client: what its own event names mean. Payloads of plugins that come with Nacre name the event as it is here.
KINDS: dict[str, dict[str, str]] = {
    "claude-code": {
        "SessionStart": START,
        "UserPromptSubmit": PROMPT,
        "Stop": TURN,
        "PreCompact": FLUSH,
        "SessionEnd": FLUSH,
    },
    "codex": {
        "SessionStart": START,
        "UserPromptSubmit": PROMPT,
        "Stop": TURN,
        "PreCompact": FLUSH,
        "SessionEnd": FLUSH,
    },
    "gemini": {
        "SessionStart": START,
        "BeforeAgent": PROMPT,
        "AfterAgent": TURN,
        "PreCompress": FLUSH,
        "SessionEnd": FLUSH,
    },
    "cursor": {
        "sessionStart": START,
        "beforeSubmitPrompt": PROMPT,
        "afterAgentResponse": TURN,
        "preCompact": FLUSH,
        "sessionEnd": FLUSH,
    },
    "opencode": {each: each for each in (START, PROMPT, TURN, FLUSH)},
    "openclaw": {each: each for each in (START, PROMPT, TURN, FLUSH)},
    "hermes": {each: each for each in (START, PROMPT, TURN, FLUSH)},
}


class TooLate(BaseException):
    """The time of a hook is over; no handler of errors may catch it."""


def likely_kind(client: str, payload: bytes) -> str | None:
    """The kind of event that a payload names, without parsing it: only how long a hook may take hangs on it."""
    return next((kind for name, kind in KINDS.get(client, {}).items() if f'"{name}"'.encode() in payload), None)
