// What pi's session is to gitmem, read from pi's own records.

const MESSAGE = "gitmem";
const START = "<memory_context mode=";

export interface Known {
  session: string;
  transcript: string;
}

export function known(ctx: any): Known {
  const manager = ctx.sessionManager;
  return { session: manager.getSessionId(), transcript: manager.getSessionFile() ?? "" };
}

// pi says "startup" of sessions that `-c` and `--fork` go on with.
export function beginning(reason: string, ctx: any): { reason: string; parent: string } {
  const parent = idOf(ctx.sessionManager.getHeader()?.parentSession ?? "");
  if (reason === "new") return { reason: "clear", parent: "" };
  if (reason !== "startup") return { reason, parent };
  const entries = ctx.sessionManager.getEntries();
  const isOld = entries.some((each: any) => each.type === "message" || each.type === "custom_message");
  if (!isOld) return { reason, parent: "" };
  return { reason: parent ? "fork" : "resume", parent };
}

// A session is named by its file, as TIME_ID.jsonl, or by its id.
function idOf(name: string): string {
  const file = name.split("/").pop() ?? "";
  if (!file.endsWith(".jsonl")) return file;
  return file.slice(file.indexOf("_") + 1, -".jsonl".length);
}

// The model is shown it; the person is not, who can read it with `gitmem context`.
export function message(content: string) {
  return { customType: MESSAGE, content, display: false };
}

export function isStart(text: unknown): boolean {
  return typeof text === "string" && text.includes(START);
}

// Say whether the model still sees the start text that this session was given.
export function holdsStart(ctx: any): boolean {
  for (const each of [...ctx.sessionManager.getBranch()].reverse()) {
    if (each.type === "compaction") return false;
    if (each.type === "custom_message" && each.customType === MESSAGE && isStart(each.content)) return true;
  }
  return false;
}

// Find in a text for the model what the person should know, too.
export function concerns(text: string): string {
  const found = text.matchAll(/^<memory_(status|news)>\n(.*?)\n<\/memory_\1>$/gms);
  return [...found].map(([, , said]) => said).join("\n");
}
