// Programs of this installation, run with a deadline.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

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

// Never throws: what could not be run has the status null.
export function run(command: string[], cwd: string, limit: number, input = ""): Promise<Ended> {
  return new Promise((resolve) => {
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
}
