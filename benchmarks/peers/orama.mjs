// Indexes a memory with Orama, and times queries. Reads {root, queries} on stdin.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { create, insertMultiple, search } from "@orama/orama";
import matter from "gray-matter";

const { root, queries } = JSON.parse(readFileSync(0, "utf8"));
const begun = performance.now();
const index = create({
  schema: { path: "string", description: "string", tags: "string[]", body: "string" },
});
const memories = readdirSync(root, { recursive: true })
  .filter((name) => name.endsWith(".md"))
  .map((path) => {
    const { data, content } = matter(readFileSync(join(root, path), "utf8"), {});
    const tags = (data.tags ?? []).map(String);
    return { path, description: String(data.description ?? ""), tags, body: content };
  });
await insertMultiple(index, memories, 1000);
const built = performance.now() - begun;

async function ask(term) {
  const start = performance.now();
  const found = await search(index, { term, limit: 10 });
  return { milliseconds: performance.now() - start, hits: found.count };
}

const answers = [];
for (const term of queries) answers.push(await ask(term));
console.log(JSON.stringify({ built, answers }));
