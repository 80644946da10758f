// gitmem's tools: those of `gitmem mcp`, which is started at the first call of one. Those of
// the tape are offered where there is one.

import { readFileSync } from "node:fs";
import { Server } from "./server.ts";

interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: object;
}

const TOOLS: Tool[] = JSON.parse(readFileSync(new URL("../tools.json", import.meta.url), "utf8"));

const TAPE = "tape_";

interface Offer {
  close(): void;
  offerTape(): void;
}

// `changed` is called when a tool of the tape was.
export function addTools(pi: any, session: () => string, changed: (ctx: any) => void): Offer {
  let server: Server | undefined;
  let hasTape = false;
  const close = () => {
    server?.close();
    server = undefined;
  };
  const add = (tool: Tool) => {
    pi.registerTool({
      name: tool.name,
      label: tool.title,
      description: tool.description,
      promptSnippet: tool.title,
      parameters: tool.inputSchema,
      async execute(_id: string, given: object, signal: AbortSignal | undefined, _update: unknown, ctx: any) {
        if (!server?.isAlive) server = new Server(ctx.cwd, session(), ctx.hasUI ? asker(ctx) : undefined);
        const result = await server.call(tool.name, given, signal);
        const text = result.content.map((each: any) => each.text ?? "").join("\n");
        // pi takes a failure as one that was thrown.
        if (result.isError) throw new Error(text);
        if (tool.name.startsWith(TAPE)) changed(ctx);
        return { content: [{ type: "text", text }], details: result.structuredContent ?? {} };
      },
    });
  };
  const offerTape = () => {
    if (!hasTape) TOOLS.filter((tool) => tool.name.startsWith(TAPE)).forEach(add);
    hasTape = true;
  };
  TOOLS.filter((tool) => !tool.name.startsWith(TAPE)).forEach(add);
  return { close, offerTape };
}

function asker(ctx: any) {
  return (question: string): Promise<boolean> => ctx.ui.confirm("gitmem", question);
}
