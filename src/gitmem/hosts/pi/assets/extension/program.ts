// Programs of this installation, run with a deadline.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";

export interface Installation {
  version: string;
  hook: string[];
  command: string[];
}

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

export const installation: Installation = JSON.parse(
  readFileSync(new URL("../installation.json", import.meta.url), "utf8"),
);

// Let the agent's shell find the `gitmem` that the skills speak of, behind the person's own.
export function offerOnPath(): void {
  const folder = fileURLToPath(new URL("../bin", import.meta.url));
  const known = (process.env.PATH ?? "").split(delimiter);
  if (!known.includes(folder)) process.env.PATH = [...known, folder].join(delimiter);
}

// Never throws: what could not be run has the status null.
export function run(command: string[], cwd: string, limit: number, input = ""): Promise<Ended> {
  const ended = new Promise<Ended>((resolve) => {
    // Node tells of some failures by an event, and throws the others.
    const child = spawn(command[0], command.slice(1), { cwd });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const end = (status: number | null) => {
      clearTimeout(timer);
      const [stdout, stderr] = [out, err].map((each) => Buffer.concat(each).toString("utf8"));
      resolve({ status, stdout, stderr });
    };
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      // Something it started may hold its output open.
      end(null);
    }, limit);
    child.on("error", () => end(null));
    child.on("close", (status) => end(status));
    child.stdout.on("data", (data) => out.push(data));
    child.stderr.on("data", (data) => err.push(data));
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
  return ended.catch(() => ({ status: null, stdout: "", stderr: "" }));
}
