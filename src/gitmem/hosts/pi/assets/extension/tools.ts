// The memory's tools: those of `gitmem mcp`, which is started at the first call of one.

import { readFileSync } from "node:fs";
import { Server } from "./server.ts";

interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: object;
}

const TOOLS: Tool[] = JSON.parse(readFileSync(new URL("../tools.json", import.meta.url), "utf8"));

export function addTools(pi: any, session: () => string): { close(): void } {
  let server: Server | undefined;
  const close = () => {
    server?.close();
    server = undefined;
  };
  for (const tool of TOOLS) {
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
        return { content: [{ type: "text", text }], details: result.structuredContent ?? {} };
      },
    });
  }
  return { close };
}

function asker(ctx: any) {
  return (question: string): Promise<boolean> => ctx.ui.confirm("gitmem", question);
}
