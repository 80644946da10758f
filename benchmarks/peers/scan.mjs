// Reads a memory as pi-memory-md does at every context: a walk, every file at once,
// gray-matter, and null for whatever fails. Prints the milliseconds and what was read.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import matter from "gray-matter";

async function walk(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return walk(path);
      return entry.name.endsWith(".md") ? [path] : [];
    }),
  );
  return found.flat();
}

async function read(path) {
  try {
    // Without options gray-matter keeps every file that it has seen.
    return matter(await readFile(path, "utf8"), {});
  } catch {
    return null;
  }
}

const begun = performance.now();
let read_ = 0;
try {
  const memories = await Promise.all((await walk(process.argv[2])).map(read));
  read_ = memories.filter((memory) => memory !== null).length;
} catch {
  // The walk itself ran out of files.
}
console.log(JSON.stringify({ milliseconds: performance.now() - begun, read: read_ }));
