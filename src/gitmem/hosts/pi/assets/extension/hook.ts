// Tell gitmem what happens, and hear what it has to say: never throws, never waits long.

import { askDaemon } from "./daemon.ts";
import { installation, run } from "./program.ts";

export interface Reply {
  text: string;
  notice: string;
  standing: string;
}

const OTHERWISE_MS = 1000;
const LIMITS_MS: Record<string, number> = { session_start: 3000, session_shutdown: 10000 };
// For a Python to start and to give up by itself.
const GRACE_MS = 500;

export async function tell(event: string, cwd: string, payload: object): Promise<Reply> {
  const said = { text: "", notice: "", standing: "" };
  try {
    const limit = LIMITS_MS[event] ?? OTHERWISE_MS;
    const asked = JSON.stringify({ ...payload, cwd, pid: process.pid });
    const answer = (await askDaemon(event, cwd, asked, limit)) ?? (await runHook(event, cwd, asked, limit));
    return answer.trim() ? { ...said, ...JSON.parse(answer) } : said;
  } catch {
    return said;
  }
}

async function runHook(event: string, cwd: string, asked: string, limit: number): Promise<string> {
  const ended = await run([...installation.hook, event], cwd, limit + GRACE_MS, asked);
  return ended.status === 0 ? ended.stdout : "";
}
