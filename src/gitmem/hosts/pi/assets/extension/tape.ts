// The anchors of a session as labels in /tree.
//
// They are kept beside pi's own labels in memory, and never written: a session's file is
// the host's.

import { installation, run } from "./program.ts";

const LIMIT_MS = 10_000;

interface Label {
  entry: string;
  text: string;
}

let prefix = "";

// Ask which anchors point into this session, and show them.
export async function showAnchors(ctx: any): Promise<void> {
  try {
    const ended = await run([...installation.command, "tape", "info", "--json"], ctx.cwd, LIMIT_MS);
    if (ended.status !== 0) return;
    const { labels, label_prefix } = JSON.parse(ended.stdout);
    hideAnchors(ctx);
    prefix = label_prefix;
    if (prefix.trim()) for (const each of labels) show(ctx.sessionManager, each);
  } catch {
    // A label that is not shown is missed by nobody's work.
  }
}

// Take them away again, before pi writes its labels into another session's file.
export function hideAnchors(ctx: any): void {
  const known = ctx.sessionManager.labelsById;
  if (!prefix.trim() || !(known instanceof Map)) return;
  for (const [entry, label] of [...known]) {
    const at = label.indexOf(prefix);
    if (at < 0) continue;
    const own = label.slice(0, at).trim();
    if (own) known.set(entry, own);
    else known.delete(entry);
  }
}

function show(manager: any, { entry, text }: Label): void {
  const known = manager.labelsById;
  const target = visible(manager, entry);
  if (!target || !(known instanceof Map)) return;
  const there = known.get(target);
  known.set(target, there ? `${there} ${text}` : text);
  manager.labelTimestampsById?.set(target, new Date().toISOString());
}

// /tree does not show an entry that only calls tools: what it answers to is.
function visible(manager: any, entry: string): string | undefined {
  let found = manager.getEntry(entry);
  while (found && !isShown(found)) found = found.parentId ? manager.getEntry(found.parentId) : undefined;
  return found?.id;
}

function isShown(entry: any): boolean {
  if (entry.type !== "message") return ["compaction", "branch_summary", "custom_message"].includes(entry.type);
  if (entry.message.role !== "assistant") return true;
  const content = entry.message.content;
  if (!Array.isArray(content)) return Boolean(content);
  return content.some((part: any) => part.type === "text" && part.text?.trim());
}
