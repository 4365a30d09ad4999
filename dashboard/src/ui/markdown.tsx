/** Markdown as people read it: what notes are made of, and nothing that could run. Anything else stays as it was written. */

import { Fragment, type ReactNode } from "react";
import "./markdown.css";

/** Where a `[[link]]` leads: an address, or null where there is no such document. */
export type Wiki = (target: string) => string | null;

export function Markdown({ text, wiki }: { text: string; wiki: Wiki }) {
  const blocks = blocksOf(text);
  // The page has the first level for itself; the text goes on with the second, whatever it begins with.
  const top = Math.min(...blocks.flatMap((block) => (block.is === "heading" ? block.level : [])));
  return (
    <div className="markdown">
      {blocks.map((block, at) => (
        <BlockOf key={at} block={block} top={top} wiki={wiki} />
      ))}
    </div>
  );
}

type Block =
  | { is: "heading"; level: number; text: string }
  | { is: "code"; text: string }
  | { is: "quote" | "paragraph"; text: string }
  | { is: "list"; ordered: boolean; items: string[] }
  | { is: "rule" };

const FRONT = /^---\n[\s\S]*?\n---\n?/;
const HEADING = /^(#{1,6})\s+(.*)$/;
const ITEM = /^\s*(?:([-*+])|\d+[.)])\s+(.*)$/;
const FENCE = /^\s*(```|~~~)/;
const RULE = /^\s*([-*_])(?:\s*\1){2,}\s*$/;

function blocksOf(text: string): Block[] {
  const lines = text.replaceAll("\r\n", "\n").replace(FRONT, "").split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const [block, next] = blockAt(lines, at);
    if (block) blocks.push(block);
    at = next;
  }
  return blocks;
}

/** The block that begins in a line, and the line after it. */
function blockAt(lines: readonly string[], at: number): [Block | null, number] {
  const line = lines[at] ?? "";
  if (!line.trim()) return [null, at + 1];
  const heading = HEADING.exec(line);
  if (heading) return [{ is: "heading", level: heading[1]?.length ?? 1, text: heading[2] ?? "" }, at + 1];
  const fence = FENCE.exec(line)?.[1];
  if (fence) {
    const end = lines.findIndex((each, place) => place > at && each.trim().startsWith(fence));
    const last = end < 0 ? lines.length : end;
    return [{ is: "code", text: lines.slice(at + 1, last).join("\n") }, last + 1];
  }
  if (RULE.test(line)) return [{ is: "rule" }, at + 1];
  if (ITEM.test(line)) return listAt(lines, at);
  const quote = line.startsWith(">");
  const goesOn = (each: string) => each.trim() !== "" && each.startsWith(">") === quote && !HEADING.test(each) && !FENCE.test(each) && !ITEM.test(each);
  let end = at + 1;
  while (end < lines.length && goesOn(lines[end] ?? "")) end += 1;
  const words = lines.slice(at, end).map((each) => each.replace(/^>\s?/, ""));
  return [{ is: quote ? "quote" : "paragraph", text: words.join("\n") }, end];
}

function listAt(lines: readonly string[], at: number): [Block, number] {
  const items: string[] = [];
  let end = at;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    const item = ITEM.exec(line);
    if (item) items.push(item[2] ?? "");
    else if (line.trim() && /^\s/.test(line) && items.length) items[items.length - 1] += ` ${line.trim()}`;
    else break;
  }
  return [{ is: "list", ordered: !ITEM.exec(lines[at] ?? "")?.[1], items }, end];
}

function BlockOf({ block, top, wiki }: { block: Block; top: number; wiki: Wiki }) {
  switch (block.is) {
    case "heading": {
      const Level = `h${Math.min(6, block.level - top + 2)}` as "h2" | "h3" | "h4" | "h5" | "h6";
      return <Level>{inline(block.text, wiki)}</Level>;
    }
    case "code":
      return (
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case "quote":
      return <blockquote>{inline(block.text, wiki)}</blockquote>;
    case "rule":
      return <hr />;
    case "list": {
      const List = block.ordered ? "ol" : "ul";
      return (
        <List>
          {block.items.map((item, at) => (
            <li key={at}>{inline(item, wiki)}</li>
          ))}
        </List>
      );
    }
    case "paragraph":
      return <p>{inline(block.text, wiki)}</p>;
  }
}

const INLINE = /`([^`]+)`|!?\[\[([^\]|#]*)(#[^\]|]*)?(?:\|([^\]]*))?\]\]|\[([^\]]+)\]\((\S+?)\)|\*\*([^*]+)\*\*|(?<!\w)[*_]([^*_]+)[*_](?!\w)/g;

function inline(text: string, wiki: Wiki): ReactNode[] {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    parts.push(text.slice(from, found.index));
    parts.push(<Fragment key={found.index}>{marked(found, wiki)}</Fragment>);
    from = found.index + found[0].length;
  }
  return [...parts, text.slice(from)];
}

function marked([whole, code, target, heading, label, words, address, strong, soft]: RegExpExecArray, wiki: Wiki): ReactNode {
  if (code !== undefined) return <code>{code}</code>;
  if (strong !== undefined) return <strong>{strong}</strong>;
  if (soft !== undefined) return <em>{soft}</em>;
  if (words !== undefined) return /^https?:\/\//.test(address ?? "") ? <a href={address} target="_blank" rel="noreferrer">{words}</a> : whole;
  const shown = label || `${target}${heading ?? ""}`;
  const leads = wiki(target ?? "");
  return leads ? <a href={leads}>{shown}</a> : <span className="markdown-broken" title="No document goes by this name">{shown}</span>;
}
