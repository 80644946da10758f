// Tell gitmem what happens, and hear what it has to say: never throws, never waits long.

import { askDaemon } from "./daemon.ts";
import { installation, run } from "./program.ts";

export interface Reply {
  text: string;
  notice: string;
  standing: string;
  // Whether there is a tape here: empty where there is none.
  tape: string;
  // Silence is an answer where it is known to be one, and not a failure.
  isAnswer: boolean;
}

const OTHERWISE_MS = 1000;
const LIMITS_MS: Record<string, number> = { session_start: 3000, session_shutdown: 10000 };
// For a Python to start and to give up by itself.
const GRACE_MS = 500;

export async function tell(event: string, cwd: string, payload: object): Promise<Reply> {
  const silence = { text: "", notice: "", standing: "", tape: "", isAnswer: false };
  try {
    const limit = LIMITS_MS[event] ?? OTHERWISE_MS;
    const asked = JSON.stringify({ ...payload, cwd, pid: process.pid });
    // One that left takes its socket along: that is no silence.
    const heard = await askDaemon(event, cwd, asked, limit).catch(() => undefined);
    // A daemon that is late is at work on it, and would only be asked twice.
    if (heard === null) return silence;
    const answer = heard ?? (await runHook(event, cwd, asked, limit));
    const isAnswer = heard !== undefined || answer !== "";
    return { ...silence, ...JSON.parse(answer || "{}"), isAnswer };
  } catch {
    return silence;
  }
}

async function runHook(event: string, cwd: string, asked: string, limit: number): Promise<string> {
  const ended = await run([...installation.hook, event], cwd, limit + GRACE_MS, asked);
  return ended.status === 0 ? ended.stdout.trim() : "";
}
