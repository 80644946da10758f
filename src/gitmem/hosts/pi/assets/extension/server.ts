// One `gitmem mcp`, spoken to in lines of JSON-RPC.

import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { installation } from "./program.ts";

const PROTOCOL = "2025-11-25";
const NOT_STARTED = "gitmem could not be started; see: gitmem doctor";

type Ask = (question: string) => Promise<boolean>;

interface Waiting {
  resolve(result: any): void;
  reject(error: Error): void;
}

export class Server {
  isAlive = true;
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, Waiting>();
  private readonly ready: Promise<unknown>;
  private last = 0;

  // `ask` puts a question to the person; without one, gitmem confirms in two steps.
  constructor(cwd: string, session: string, private readonly ask?: Ask) {
    const [program, ...first] = installation.command;
    const asked = [...first, "mcp", ...(session ? ["--session", session] : [])];
    this.child = begin(program, asked, cwd);
    this.child.on("error", () => this.end(NOT_STARTED));
    this.child.on("close", () => this.end("gitmem ended; try again"));
    this.child.stdin!.on("error", () => {});
    createInterface({ input: this.child.stdout! }).on("line", (line) => this.hear(line));
    this.ready = this.greet();
    // Whoever calls a tool hears of it; nobody may.
    this.ready.catch(() => {});
  }

  async call(name: string, given: object, signal?: AbortSignal): Promise<any> {
    await this.ready;
    return this.request("tools/call", { name, arguments: given }, signal);
  }

  // It commits what it wrote, and leaves.
  close(): void {
    this.isAlive = false;
    this.child.stdin!.end();
    this.child.unref();
  }

  private async greet(): Promise<void> {
    const capabilities = this.ask ? { elicitation: { form: {} } } : {};
    const clientInfo = { name: "pi", version: installation.version };
    await this.request("initialize", { protocolVersion: PROTOCOL, capabilities, clientInfo });
    this.write({ method: "notifications/initialized" });
  }

  private request(method: string, params: object, signal?: AbortSignal): Promise<any> {
    const id = ++this.last;
    const cancel = () => {
      this.write({ method: "notifications/cancelled", params: { requestId: id } });
      this.settle(id)?.reject(new Error("It was cancelled."));
    };
    signal?.addEventListener("abort", cancel, { once: true });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.write({ id, method, params });
    }).finally(() => signal?.removeEventListener("abort", cancel));
  }

  private write(message: object): void {
    if (this.isAlive) this.child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  private hear(line: string): void {
    let message: any;
    try {
      message = JSON.parse(line);
    } catch {
      return;
    }
    if (!message || typeof message !== "object") return;
    if (message.method) {
      this.serve(message).catch(() => {});
    } else if (message.error) {
      this.settle(message.id)?.reject(new Error(message.error.message));
    } else {
      this.settle(message.id)?.resolve(message.result);
    }
  }

  // What the server asks of its client.
  private async serve({ id, method, params }: any): Promise<void> {
    if (id === undefined) return;
    if (method === "ping") {
      this.write({ id, result: {} });
    } else if (method === "elicitation/create" && this.ask) {
      const isAllowed = await this.ask(params.message).catch(() => false);
      const content = { write: true };
      this.write({ id, result: isAllowed ? { action: "accept", content } : { action: "decline" } });
    } else {
      this.write({ id, error: { code: -32601, message: `There is no ${method} here.` } });
    }
  }

  private settle(id: number): Waiting | undefined {
    const found = this.waiting.get(id);
    this.waiting.delete(id);
    return found;
  }

  private end(why: string): void {
    this.isAlive = false;
    for (const id of [...this.waiting.keys()]) this.settle(id)?.reject(new Error(why));
  }
}

// Node tells of some failures by an event, and throws the others.
function begin(program: string, asked: string[], cwd: string): ChildProcess {
  try {
    return spawn(program, asked, { cwd, stdio: ["pipe", "pipe", "ignore"] });
  } catch {
    throw new Error(NOT_STARTED);
  }
}
