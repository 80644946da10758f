// gitmem in pi: the memory at a session's start, what is new at its turns, and its tools.
//
// Imports what comes with Node only, so that it loads in every pi. Nothing here throws
// into pi, and every call of gitmem has its time limit.

import { addCommands } from "./commands.ts";
import { tell, type Reply } from "./hook.ts";
import { offerOnPath } from "./program.ts";
import { beginning, holdsStart, isStart, known, message } from "./session.ts";
import { addTools } from "./tools.ts";

const WRITERS = new Set(["write", "edit"]);
// What stands in the system prompt comes with each of these.
const STANDING = new Set(["session_start", "before_agent_start"]);

export default function (pi: any) {
  let current = "";
  let waiting = "";
  let standing = "";
  let mayBeLost = false;

  const say = async (event: string, ctx: any, more: object = {}): Promise<Reply> => {
    const reply = await tell(event, ctx.cwd, { ...known(ctx), ...more });
    if (reply.notice && ctx.hasUI) ctx.ui.notify(reply.notice, "warning");
    if (reply.isAnswer && STANDING.has(event)) standing = reply.standing;
    return reply;
  };

  offerOnPath();
  const server = addTools(pi, () => current);
  addCommands(pi, () => {
    waiting = standing = "";
  });

  pi.on("session_start", async (event: any, ctx: any) => {
    const { session } = known(ctx);
    // pi 0.73 says it twice when it is driven by another program.
    if (session === current) return;
    current = session;
    standing = "";
    waiting = (await say("session_start", ctx, beginning(event.reason, ctx))).text;
    mayBeLost = !waiting;
  });

  pi.on("before_agent_start", async (event: any, ctx: any) => {
    // A turn that an extension began has no prompt.
    const prompt = typeof event.prompt === "string" ? event.prompt : "";
    const { text } = await say("before_agent_start", ctx, { prompt });
    if (mayBeLost && !standing && !isStart(waiting + text) && !holdsStart(ctx)) {
      waiting = (await say("context_lost", ctx)).text;
    }
    const content = [waiting, text].filter(Boolean).join("\n\n");
    waiting = "";
    mayBeLost = false;
    return {
      ...(content && { message: message(content) }),
      ...(standing && { systemPrompt: `${event.systemPrompt}\n\n${standing}` }),
    };
  });

  pi.on("session_tree", () => {
    mayBeLost = true;
  });

  pi.on("tool_result", (event: any, ctx: any) => {
    const path = event.input?.path;
    if (event.isError || !WRITERS.has(event.toolName) || typeof path !== "string") return;
    // The turn does not wait: a daemon sees the file by itself.
    void say("tool_result", ctx, { paths: [path] });
  });

  pi.on("session_before_compact", (_event: any, ctx: any) => {
    void say("session_before_compact", ctx);
  });

  pi.on("session_compact", async (_event: any, ctx: any) => {
    waiting = (await say("session_compact", ctx)).text;
  });

  pi.on("session_shutdown", async (event: any, ctx: any) => {
    server.close();
    // A reload goes on with the same session.
    if (event.reason !== "reload") await say("session_shutdown", ctx, { reason: event.reason });
  });
}
