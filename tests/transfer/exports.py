"""Files as other systems write them, small and made up."""

import json

SESSION = "7d0b64a2-3c4e-4c43-9a55-0c7b3a2f9a11"


def lines(*entries):
    """JSON on each line, as a transcript is written."""
    return "\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries) + "\n"


def claude_line(kind, content, key, **more):
    """A line of a transcript of Claude Code."""
    return {
        "parentUuid": None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/ana/boat",
        "sessionId": SESSION,
        "version": "2.1.37",
        "type": kind,
        "message": {"role": kind, "content": content},
        "uuid": key,
        "timestamp": "2026-01-20T11:57:17.716Z",
        **more,
    }


CLAUDE_CODE = lines(
    {"type": "summary", "summary": "Boat", "leafUuid": "x"},
    {"type": "queue-operation", "operation": "dequeue", "sessionId": SESSION, "timestamp": "2026-01-20T11:57:17Z"},
    claude_line("user", "Caveat: the messages below were generated", "u0", isMeta=True),
    claude_line("user", "<command-name>/model</command-name>", "u1"),
    claude_line("user", "My boat is called Brisa.<system-reminder>Be kind.</system-reminder>", "u2"),
    claude_line(
        "assistant",
        [
            {"type": "thinking", "thinking": "A boat."},
            {"type": "text", "text": "A fine name."},
            {"type": "tool_use", "id": "t1", "name": "Read", "input": {}},
        ],
        "a1",
    ),
    claude_line("user", [{"type": "tool_result", "tool_use_id": "t1", "content": "a file"}], "u3"),
    claude_line("user", "Search the docks", "u4", isSidechain=True),
    claude_line("user", [{"type": "text", "text": "Me gusta el té verde."}], "u5"),
    claude_line("user", "This session is being continued", "u6", isCompactSummary=True),
)


def codex_item(kind, payload):
    """A line of a transcript of Codex."""
    return {"timestamp": "2025-10-29T00:59:38.317Z", "type": kind, "payload": payload}


def codex_words(role, text):
    """A message among the items of a transcript of Codex."""
    kind = "input_text" if role == "user" else "output_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


_SETTING = "<environment_context>\n  <cwd>/tmp</cwd>\n</environment_context>"
CODEX = lines(
    codex_item("session_meta", {"id": SESSION, "cwd": "/tmp", "originator": "codex_cli_rs", "cli_version": "0.46.0"}),
    codex_item("response_item", codex_words("user", _SETTING)),
    codex_item("response_item", codex_words("user", "My boat is called Brisa.")),
    codex_item("event_msg", {"type": "user_message", "message": "My boat is called Brisa.", "kind": "plain"}),
    codex_item("turn_context", {"cwd": "/tmp", "model": "gpt-5-codex"}),
    codex_item("event_msg", {"type": "agent_reasoning", "text": "**A boat**"}),
    codex_item("response_item", {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c"}),
    codex_item("response_item", codex_words("assistant", "A fine name.")),
    codex_item("event_msg", {"type": "agent_message", "message": "A fine name."}),
    codex_item("event_msg", {"type": "user_message", "message": "Me gusta el té verde.", "kind": "plain"}),
)
# As it was before September 2025: items without a wrapper, and nothing that tells what was typed.
OLD_CODEX = lines(
    {"id": SESSION, "timestamp": "2025-06-02T10:00:00Z", "instructions": None, "git": {}},
    {"record_type": "state"},
    codex_words("user", _SETTING),
    codex_words("user", "My boat is called Brisa."),
    {"type": "reasoning", "summary": []},
    codex_words("assistant", "A fine name."),
    codex_words("user", "Me gusta el té verde."),
)


def chatgpt_node(key, parent, role, parts, **more):
    """A node of a conversation of ChatGPT."""
    said = {
        "id": key,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": 1_699_564_800.5,
        "content": {"content_type": "text", "parts": parts},
        "metadata": {},
        "recipient": "all",
        **more,
    }
    return {"id": key, "message": said, "parent": parent, "children": []}


def chatgpt_conversation(key, nodes, current):
    """A conversation of ChatGPT."""
    return {
        "title": "Boat",
        "create_time": 1_699_564_800.0,
        "update_time": 1_699_564_900.0,
        "mapping": {
            "root": {"id": "root", "message": None, "parent": None, "children": []},
            **{node["id"]: node for node in nodes},
        },
        "moderation_results": [],
        "current_node": current,
        "conversation_id": key,
        "id": key,
    }


CHATGPT = json.dumps(
    [
        chatgpt_conversation(
            SESSION,
            [
                chatgpt_node("s", "root", "system", [""], metadata={"is_visually_hidden_from_conversation": True}),
                chatgpt_node("u1", "s", "user", ["My boat is called Brisa."]),
                chatgpt_node("a0", "u1", "assistant", ["An answer that was asked for again."]),
                chatgpt_node("c", "u1", "assistant", ["search()"], recipient="browser"),
                chatgpt_node("t", "c", "tool", ["a page"]),
                chatgpt_node("a1", "t", "assistant", ["A fine name."]),
                chatgpt_node(
                    "u2",
                    "a1",
                    "user",
                    [
                        {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"},
                        "Me gusta el té verde.",
                    ],
                    content={
                        "content_type": "multimodal_text",
                        "parts": [{"content_type": "image_asset_pointer"}, "Me gusta el té verde."],
                    },
                ),
            ],
            "u2",
        )
    ]
)


def claude_message(key, sender, text, content):
    """A message of an export of Claude."""
    return {
        "uuid": key,
        "text": text,
        "content": content,
        "sender": sender,
        "created_at": "2024-12-01T10:00:00.123456Z",
        "updated_at": "2024-12-01T10:00:00.123456Z",
        "attachments": [],
        "files": [],
    }


CLAUDE = json.dumps(
    [
        {
            "uuid": SESSION,
            "name": "Boat",
            "created_at": "2024-12-01T10:00:00Z",
            "updated_at": "2024-12-01T10:00:00Z",
            "account": {"uuid": "me"},
            "chat_messages": [
                claude_message("1", "human", "My boat is called Brisa.", []),
                claude_message(
                    "2",
                    "assistant",
                    "A fine name.\n```\nThis block is not supported on your current device yet.\n```",
                    [{"type": "thinking", "thinking": "A boat."}, {"type": "text", "text": "A fine name."}],
                ),
                claude_message("3", "human", "", []),
                claude_message(
                    "4", "human", "Me gusta el té verde.", [{"type": "text", "text": "Me gusta el té verde."}]
                ),
            ],
        }
    ]
)


def letta_message(key, role, text, **more):
    """A message of an agent file of Letta."""
    content = [{"type": "text", "text": text}] if text else []
    return {"id": key, "role": role, "content": content, "created_at": "2025-08-01T10:00:00+00:00", **more}


def _call(name, **arguments):
    return [{"id": "c", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}]


_TALK = [
    letta_message("m0", "system", "You are a memory agent."),
    letta_message("m1", "user", json.dumps({"type": "heartbeat", "reason": "login"})),
    letta_message("m2", "user", json.dumps({"type": "user_message", "message": "My boat is called Brisa."})),
    letta_message("m3", "assistant", "I should greet them", tool_calls=_call("send_message", message="A fine name.")),
    letta_message("m4", "tool", json.dumps({"status": "OK"})),
    letta_message("m5", "assistant", "Let me look", tool_calls=_call("archival_memory_search", query="boat")),
    letta_message("m6", "user", "Me gusta el té verde."),
]
_BLOCKS = [
    {"id": "block-0", "label": "human", "value": "The human sails at weekends.", "limit": 5000, "metadata": {}},
    {"id": "block-1", "label": "notes", "value": ""},
]
LETTA = json.dumps(
    {
        "agents": [{"id": SESSION, "name": "Helper", "messages": _TALK, "block_ids": ["block-0", "block-1"]}],
        "groups": [],
        "blocks": _BLOCKS,
        "files": [],
        "sources": [],
        "tools": [],
        "mcp_servers": [],
        "metadata": {"revision_id": "abc"},
    }
)
OLD_LETTA = json.dumps(
    {"agent_type": "memgpt_agent", "name": SESSION, "core_memory": _BLOCKS, "messages": _TALK, "version": "0.6.45"}
)


def chatgpt_export(conversations, turns):
    """An export of ChatGPT with so many conversations of so many turns; every turn says something of its own."""
    made = []
    for number in range(conversations):
        nodes, parent = [], "root"
        for place in range(turns):
            role, key = ("assistant" if place % 2 else "user"), f"m{number}-{place}"
            nodes.append(chatgpt_node(key, parent, role, [f"Berth {number} holds crate {place} of the harbour."]))
            parent = key
        made.append(chatgpt_conversation(f"c{number}", nodes, parent))
    return json.dumps(made)
