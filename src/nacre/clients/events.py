"""Hook payloads of the clients, read as one kind of event, and replies in the words each client expects.

A hook waits for this module to load: it imports nothing of ours.
"""

import json
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import PurePath
from typing import Any

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
# Where the clients put the last thing that their model said.
REPLIES = ("last_assistant_message", "prompt_response", "text", "reply")


@dataclass(frozen=True)
class HookEvent:
    """Something that happened in a client: what, in which of its sessions, and in which folder."""

    kind: str
    client: str
    name: str
    session: str
    folder: str | None = None
    prompt: str | None = None
    reply: str | None = None

    def request(self, *, per_project: bool) -> dict[str, Any]:
        """The event as the background server is told of it."""
        told = {"kind": self.kind, "session": f"{self.client}/{self.session}"}
        told |= {"prompt": self.prompt} if self.prompt else {}
        told |= {"reply": self.reply} if self.reply else {}
        return told | ({"project": project(self.folder)} if per_project and self.folder else {})


def read(client: str, payload: Any) -> HookEvent | None:
    """The event that a payload tells of; nothing where it is none of ours, or one of a subagent."""
    if client not in KINDS or not isinstance(payload, dict) or payload.get("agent_id"):
        return None
    name = str(payload.get("hook_event_name") or payload.get("event") or "")
    kind = KINDS[client].get(name)
    session = payload.get("session_id") or payload.get("conversation_id") or payload.get("session")
    if kind is None or not session:
        return None
    return HookEvent(
        kind=kind,
        client=client,
        name=name,
        session=str(session)[:100],
        folder=_folder(payload),
        prompt=_text(payload, "prompt") if kind == PROMPT else None,
        reply=next((text for each in REPLIES if (text := _text(payload, each))), None) if kind == TURN else None,
    )


def project(folder: str) -> str:
    """A name for a project that two folders of the same name do not share."""
    return f"{PurePath(folder).name or 'root'}-{blake2b(folder.encode(), digest_size=3).hexdigest()}"


def reply(event: HookEvent, text: str) -> str:
    """What is printed to have a client read a text; silent where there is none."""
    if not text:
        return ""
    match event.client:
        case "claude-code" | "codex" | "gemini":
            shown: dict[str, Any] = {"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": text}}
        case "cursor":
            shown = {"additional_context": text} | ({"continue": True} if event.kind == PROMPT else {})
        case _:
            shown = {"context": text}
    return json.dumps(shown)


def _folder(payload: dict[str, Any]) -> str | None:
    roots = payload.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else None
    folder = payload.get("cwd") or first
    return folder if isinstance(folder, str) else None


def _text(payload: dict[str, Any], name: str) -> str | None:
    value = payload.get(name)
    return value if isinstance(value, str) and value.strip() else None
