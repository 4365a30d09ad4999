"""Hook payloads of the clients, read as one kind of event, and replies in the words each client expects."""

import json
from binascii import crc32

from nacre.clients.events import KINDS, PROMPT, TURN

# Where the clients put the last thing that their model said.
REPLIES = ("last_assistant_message", "prompt_response", "text", "reply")


class HookEvent:
    """Something that happened in a client: what, in which of its sessions, and in which folder."""

    __slots__ = ("client", "folder", "kind", "name", "prompt", "reply", "session")

    def __init__(
        self,
        kind: str,
        client: str,
        name: str,
        session: str,
        *,
        folder: str | None = None,
        prompt: str | None = None,
        reply: str | None = None,
    ) -> None:
        self.kind, self.client, self.name, self.session = kind, client, name, session
        self.folder, self.prompt, self.reply = folder, prompt, reply

    def request(self, *, per_project: bool) -> dict[str, str]:
        """The event as a memory is told of it."""
        told = {"kind": self.kind, "session": f"{self.client}/{self.session}"}
        told |= {"prompt": self.prompt} if self.prompt else {}
        told |= {"reply": self.reply} if self.reply else {}
        return told | ({"project": project(self.folder)} if per_project and self.folder else {})


def read(client: str, written: bytes) -> HookEvent | None:
    """The event that a payload tells of; nothing where it is none of ours, or one of a subagent."""
    payload = json.loads(written)
    if client not in KINDS or not isinstance(payload, dict) or payload.get("agent_id"):
        return None
    name = str(payload.get("hook_event_name") or payload.get("event") or "")
    kind = KINDS[client].get(name)
    session = payload.get("session_id") or payload.get("conversation_id") or payload.get("session")
    if kind is None or not session:
        return None
    return HookEvent(
        kind,
        client,
        name,
        str(session)[:100],
        folder=_folder(payload),
        prompt=_text(payload, "prompt") if kind == PROMPT else None,
        reply=next((text for each in REPLIES if (text := _text(payload, each))), None) if kind == TURN else None,
    )


def project(folder: str) -> str:
    """A name for a project that two folders of the same name do not share."""
    return f"{folder.replace(chr(92), '/').rstrip('/').rpartition('/')[2] or 'root'}-{crc32(folder.encode()):08x}"


def reply(event: HookEvent, text: str) -> str:
    """What is printed to have a client read a text; silent where there is none."""
    if not text:
        return ""
    match event.client:
        case "claude-code" | "codex" | "gemini":
            shown: dict[str, object] = {"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": text}}
        case "cursor":
            shown = {"additional_context": text} | ({"continue": True} if event.kind == PROMPT else {})
        case _:
            shown = {"context": text}
    return json.dumps(shown)


def _folder(payload: dict[str, object]) -> str | None:
    roots = payload.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else None
    folder = payload.get("cwd") or first
    return folder if isinstance(folder, str) else None


def _text(payload: dict[str, object], name: str) -> str | None:
    value = payload.get(name)
    return value if isinstance(value, str) and value.strip() else None
