// gitmem in pi: the memory at a session's start, what is new at its turns, and its tools.
//
// Imports what comes with Node only, so that it loads in every pi. Nothing here throws
// into pi, and every call of gitmem has its time limit.

import { addCommands, addTapeCommands } from "./commands.ts";
import { tell, type Reply } from "./hook.ts";
import { offerOnPath } from "./program.ts";
import { beginning, concerns, holdsStart, isStart, known, message } from "./session.ts";
import { hideAnchors, showAnchors } from "./tape.ts";
import { addTools } from "./tools.ts";

const WRITERS = new Set(["write", "edit"]);
// What stands in the system prompt comes with each of these.
const STANDING = new Set(["session_start", "before_agent_start"]);

export default function (pi: any) {
  let current = "";
  let waiting = "";
  let standing = "";
  let mayBeLost = false;
  // The session whose anchors are shown in /tree.
  let shown = "";

  const openTape = (ctx: any) => {
    shown = current;
    server.offerTape();
    addTapeCommands(pi);
    void showAnchors(ctx);
  };

  const say = async (event: string, ctx: any, more: object = {}): Promise<Reply> => {
    const reply = await tell(event, ctx.cwd, { ...known(ctx), ...more });
    const notice = reply.notice || (event === "tool_result" ? "" : concerns(reply.text));
    if (notice && ctx.hasUI) ctx.ui.notify(notice, "warning");
    if (reply.isAnswer && STANDING.has(event)) standing = reply.standing;
    if (reply.tape && shown !== current) openTape(ctx);
    return reply;
  };

  // Each of these is answered with the start text, if there is something to tell.
  const restore = async (event: string, ctx: any, more: object = {}) => {
    const reply = await say(event, ctx, more);
    waiting = reply.text;
    // Asked a second time, gitmem has nothing to tell, unless it did not hear.
    mayBeLost = event === "context_lost" ? !reply.isAnswer : !waiting;
  };

  offerOnPath();
  const server = addTools(
    pi,
    () => current,
    (ctx) => void showAnchors(ctx),
  );
  addCommands(pi, () => {
    waiting = standing = "";
  });

  pi.on("session_start", async (event: any, ctx: any) => {
    const { session } = known(ctx);
    // pi 0.73 says it twice when it is driven by another program.
    if (session === current) return;
    current = session;
    standing = "";
    shown = "";
    await restore("session_start", ctx, beginning(event.reason, ctx));
  });

  pi.on("session_before_fork", (_event: any, ctx: any) => hideAnchors(ctx));

  pi.on("before_agent_start", async (event: any, ctx: any) => {
    // A turn that an extension began has no prompt.
    const prompt = typeof event.prompt === "string" ? event.prompt : "";
    mayBeLost &&= !standing && !isStart(waiting) && !holdsStart(ctx);
    // Before the turn: what that tells is forgotten with what was lost.
    if (mayBeLost) await restore("context_lost", ctx);
    const { text } = await say("before_agent_start", ctx, { prompt });
    const content = [waiting, text].filter(Boolean).join("\n\n");
    waiting = "";
    return {
      ...(content && { message: message(content) }),
      ...(standing && { systemPrompt: `${event.systemPrompt}\n\n${standing}` }),
    };
  });

  pi.on("session_tree", () => {
    mayBeLost = true;
  });

  pi.on("tool_result", async (event: any, ctx: any) => {
    const path = event.input?.path;
    if (event.isError || !WRITERS.has(event.toolName) || !/\.md$/i.test(path ?? "")) return;
    // Whatever else lies in the memory, a daemon sees by itself.
    const { text } = await say("tool_result", ctx, { paths: [path] });
    return text ? { content: [...event.content, { type: "text", text }] } : undefined;
  });

  pi.on("session_before_compact", (_event: any, ctx: any) => {
    void say("session_before_compact", ctx);
  });

  pi.on("session_compact", async (_event: any, ctx: any) => {
    await restore("session_compact", ctx);
  });

  pi.on("session_shutdown", async (event: any, ctx: any) => {
    server.close();
    // A reload goes on with the same session.
    if (event.reason !== "reload") await say("session_shutdown", ctx, { reason: event.reason });
  });
}
