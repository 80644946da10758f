// What a person types: each runs the command of gitmem that does it, and shows its words.

import { setTimeout as sleep } from "node:timers/promises";
import { installation, run } from "./program.ts";

const LIMIT_MS = 60_000;
const TURN_MS = 600_000;
const FORGETS = new Set(["memory-refresh", "pause-memory"]);

interface Command {
  description: string;
  words(given: string[], session: string): string[];
}

const COMMANDS: Record<string, Command> = {
  memory: {
    description: "Search the memory: /memory how do we deploy",
    words: (given) => ["search", "--", ...given],
  },
  "memory-check": {
    description: "Look for what is wrong with the memory: /memory-check [FOLDER]",
    words: (given) => ["check", "--", ...given],
  },
  "memory-refresh": {
    description: "Give the model the memory as it is now, at the next turn",
    words: (_, session) => ["refresh", "--host", "pi", "--session", session],
  },
  "memory-review": {
    description: "Look over the tape: /memory-review [WORDS]",
    words: (given) => ["review", "--plain", ...(given.length ? ["--filter", given.join(" ")] : [])],
  },
  "pause-memory": {
    description: "Keep the memory out of this session: /pause-memory [off]",
    words: (given, session) => [
      "session",
      given[0] === "off" ? "resume" : "pause",
      ...["--host", "pi", "--id", session],
    ],
  },
};

// What the agent does: gitmem reads these words in the prompt, and allows it once.
const ASKED = {
  "memory-anchor": "Let the agent set an anchor here: /memory-anchor what it is about",
  "memory-thread": "Speak of threads: /memory-thread go on with the deploy",
};
const ARCHIVE = `Look back over this session, and call the tool packet_archive once.
If the words above begin with "checkpoint", its kind is checkpoint (task, changes, risk, pending), else it is \
handoff (topic, goal, decisions, commands, blockers, questions). Both have a summary, tags, files and next. Follow \
the rest of these words. Say only what happened here, and no secrets; write no file yourself. Then say in one \
sentence where the packet is.`;
let hasTape = false;
let done = () => {};

export function addTapeCommands(pi: any): void {
  if (hasTape) return;
  hasTape = true;
  for (const [name, description] of Object.entries(ASKED)) {
    pi.registerCommand(name, {
      description,
      handler: (given: string, ctx: any) => ask(pi, ctx, `/${name} ${given}`.trim()),
    });
  }
}

function addPacketCommands(pi: any): void {
  pi.registerCommand("archive-session", {
    description: "Hand this session over to a later one: /archive-session [checkpoint] [what matters]",
    handler: (given: string, ctx: any) => ask(pi, ctx, `/archive-session ${given}`.trim() + `\n\n${ARCHIVE}`),
  });
  pi.registerCommand("recall", {
    description: "Go on from earlier sessions: /recall QUERY [--tags A,B] [--since DATE] [--kind handoff|checkpoint]",
    handler: async (given: string, ctx: any) => {
      const words = given.split(/\s+/).filter(Boolean);
      const ended = await run([...installation.command, "recall", ...words], ctx.cwd, LIMIT_MS);
      const found = ended.stdout.trim();
      if (ended.status !== 0) show(ctx, ended.stderr.trim(), false);
      else await ask(pi, ctx, `/recall ${given}`.trim() + `\n\n${found}`);
    },
  });
}

// Have a turn with the agent, as if the person had typed it.
async function ask(pi: any, ctx: any, text: string): Promise<void> {
  const turn = new Promise<void>((resolve) => (done = resolve));
  pi.sendUserMessage(text);
  // Without a person in front of it, pi would leave before the turn.
  if (!ctx.hasUI) await Promise.race([turn, sleep(TURN_MS, undefined, { ref: false })]);
}

// `forget` drops what the next turn was to be given.
export function addCommands(pi: any, forget: () => void): void {
  pi.on("agent_end", () => done());
  addPacketCommands(pi);
  for (const [name, { description, words }] of Object.entries(COMMANDS)) {
    pi.registerCommand(name, {
      description,
      handler: async (given: string, ctx: any) => {
        const session = ctx.sessionManager.getSessionId();
        const asked = words(given.split(/\s+/).filter(Boolean), session);
        const ended = await run([...installation.command, ...asked], ctx.cwd, LIMIT_MS);
        if (FORGETS.has(name)) forget();
        show(ctx, [ended.stdout, ended.stderr].join("").trim(), ended.status === 0);
      },
    });
  }
}

function show(ctx: any, text: string, isFine: boolean): void {
  const shown = text || (isFine ? "Done." : "gitmem did not answer; see: gitmem doctor");
  if (ctx.hasUI) ctx.ui.notify(shown, isFine ? "info" : "error");
  // Without one there is nobody to notify, and stdout may be a program's.
  else process.stderr.write(`${shown}\n`);
}
