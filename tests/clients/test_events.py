"""Hook payloads as the clients' documentation and sources have them."""

import json

import pytest

from nacre.clients import events, payloads

# Claude Code 2.1 and Codex 0.166 were watched sending these; the others are from their documentation.
CLAUDE = {"session_id": "s", "transcript_path": "/t.jsonl", "cwd": "/home/ana/pelikan", "permission_mode": "default"}
CODEX = {**CLAUDE, "model": "gpt-5", "turn_id": "t"}
GEMINI = {
    "session_id": "s",
    "transcript_path": "/t.json",
    "cwd": "/home/ana/pelikan",
    "timestamp": "2026-11-16T10:00:00Z",
}
CURSOR = {
    "conversation_id": "s",
    "generation_id": "g",
    "model": "m",
    "cursor_version": "3.7.21",
    "workspace_roots": ["/home/ana/pelikan"],
    "user_email": None,
}
PAYLOADS = [
    ("claude-code", {**CLAUDE, "hook_event_name": "SessionStart", "source": "startup"}, "start", None),
    ("claude-code", {**CLAUDE, "hook_event_name": "UserPromptSubmit", "prompt": "Hi Ana"}, "prompt", "Hi Ana"),
    (
        "claude-code",
        {**CLAUDE, "hook_event_name": "Stop", "stop_hook_active": False, "last_assistant_message": "Done."},
        "turn",
        "Done.",
    ),
    ("claude-code", {**CLAUDE, "hook_event_name": "PreCompact", "trigger": "auto"}, "flush", None),
    ("claude-code", {**CLAUDE, "hook_event_name": "SessionEnd", "reason": "other"}, "flush", None),
    ("codex", {**CODEX, "hook_event_name": "SessionStart", "source": "resume"}, "start", None),
    ("codex", {**CODEX, "hook_event_name": "UserPromptSubmit", "prompt": "Hi Ana"}, "prompt", "Hi Ana"),
    ("codex", {**CODEX, "hook_event_name": "Stop", "last_assistant_message": "Done."}, "turn", "Done."),
    ("codex", {**CODEX, "hook_event_name": "Stop", "last_assistant_message": None}, "turn", None),
    ("gemini", {**GEMINI, "hook_event_name": "BeforeAgent", "prompt": "Hi Ana"}, "prompt", "Hi Ana"),
    (
        "gemini",
        {**GEMINI, "hook_event_name": "AfterAgent", "prompt": "Hi Ana", "prompt_response": "Done."},
        "turn",
        "Done.",
    ),
    ("gemini", {**GEMINI, "hook_event_name": "PreCompress", "trigger": "manual"}, "flush", None),
    (
        "cursor",
        {**CURSOR, "hook_event_name": "sessionStart", "session_id": "s", "is_background_agent": False},
        "start",
        None,
    ),
    (
        "cursor",
        {**CURSOR, "hook_event_name": "beforeSubmitPrompt", "prompt": "Hi Ana", "attachments": []},
        "prompt",
        "Hi Ana",
    ),
    ("cursor", {**CURSOR, "hook_event_name": "afterAgentResponse", "text": "Done."}, "turn", "Done."),
    (
        "opencode",
        {"event": "prompt", "session": "s", "cwd": "/home/ana/pelikan", "prompt": "Hi Ana"},
        "prompt",
        "Hi Ana",
    ),
    ("openclaw", {"event": "turn", "session": "s", "reply": "Done."}, "turn", "Done."),
    ("hermes", {"event": "flush", "session": "s"}, "flush", None),
]


@pytest.mark.parametrize(("client", "payload", "kind", "text"), PAYLOADS)
def test_a_payload_is_read_as_what_it_tells(client, payload, kind, text):
    written = json.dumps(payload).encode()
    event = payloads.read(client, written)

    assert event is not None
    assert events.likely_kind(client, written) == kind
    assert (event.kind, event.session, event.prompt or event.reply) == (kind, "s", text)
    assert event.request(per_project=False)["session"] == f"{client}/s"
    if event.folder:
        assert str(event.request(per_project=True)["project"]).startswith("pelikan-")


@pytest.mark.parametrize(
    "payload",
    [
        None,
        [],
        {},
        {**CLAUDE},
        {**CLAUDE, "hook_event_name": "PreToolUse", "tool_name": "Bash"},
        {"hook_event_name": "Stop"},
        # A subagent asks its own questions.
        {**CODEX, "hook_event_name": "UserPromptSubmit", "prompt": "Look at a.py", "agent_id": "a"},
    ],
)
def test_what_is_none_of_ours_is_nothing(payload):
    assert payloads.read("codex", json.dumps(payload).encode()) is None
    assert payloads.read("another", json.dumps(payload).encode()) is None


def test_each_client_is_told_in_its_own_words():
    told = {}
    for client, payload, kind, _ in PAYLOADS:
        event = payloads.read(client, json.dumps(payload).encode())
        assert event is not None
        assert payloads.reply(event, "") == ""
        if kind == "prompt":
            told[client] = json.loads(payloads.reply(event, "Ana likes tea."))

    assert told == {
        "claude-code": {
            "hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "Ana likes tea."}
        },
        "codex": {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "Ana likes tea."}},
        "gemini": {"hookSpecificOutput": {"hookEventName": "BeforeAgent", "additionalContext": "Ana likes tea."}},
        "cursor": {"additional_context": "Ana likes tea.", "continue": True},
        "opencode": {"context": "Ana likes tea."},
    }
