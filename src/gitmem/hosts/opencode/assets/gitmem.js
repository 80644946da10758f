// Made by `gitmem host install`, which makes it anew each time.
// Hands what happens in a session to gitmem, and its answers to the model.
import { spawn } from "node:child_process"

const HOOK = "@HOOK@"
const LIMIT_MS = 5000
// A longer prompt says by itself what it is about.
const SHORT_CHARACTERS = 200
const EARLIER_MESSAGES = 8
const EARLIER_CHARACTERS = 1000
const WRITING = new Set(["write", "edit", "multiedit", "patch", "apply_patch"])

// What a person types; one of their own with such a name stays.
const COMMANDS = {
  "archive-session": {
    description: "Hand this session over to a later one, as a packet",
    template: `/archive-session $ARGUMENTS

Look back over this session, and call gitmem's tool packet_archive once. If the words above begin with "checkpoint", its kind is checkpoint (task, changes, risk, pending), else it is handoff (topic, goal, decisions, commands, blockers, questions). Both have a summary, tags, files and next. Follow the rest of these words. Say only what happened here, and no secrets; write no file yourself. Then say in one sentence where the packet is.`,
  },
  recall: {
    description: "Go on from what earlier sessions handed over",
    template: `/recall $ARGUMENTS

Call gitmem's tool memory_recall once, with kinds ["packet"]. The words above are its query; --tags a,b is tags, --since is since, --kind is packet. Read the one to three of the paths that bear on the task with memory_read, and no more. Then say in a few lines where the work stands, and go on from there. If it refuses a date or a kind, say so and stop.`,
  },
}

/** Ask gitmem; whatever fails, the turn goes on with nothing. */
const ask = (event, payload) =>
  new Promise((resolve) => {
    const chunks = []
    const give = () => {
      try {
        resolve(JSON.parse(Buffer.concat(chunks).toString("utf8")))
      } catch {
        resolve({})
      }
    }
    try {
      const child = spawn(HOOK[0], [...HOOK.slice(1), event], {
        stdio: ["pipe", "pipe", "ignore"],
        timeout: LIMIT_MS,
      })
      child.on("error", () => resolve({}))
      child.stdin.on("error", () => {})
      child.stdout.on("data", (chunk) => chunks.push(chunk))
      child.on("close", give)
      child.stdin.end(JSON.stringify(payload))
    } catch {
      resolve({})
    }
  })

/** Join what was written, without what hosts and plugins put beside it. */
const written = (parts) =>
  (parts ?? [])
    .filter((part) => part.type === "text" && !part.synthetic)
    .map((part) => part.text)
    .join("\n")

/** Keep a text in the conversation, behind what the person wrote. */
const append = (output, text) => {
  const last = output.parts.at(-1)
  output.parts.push({
    id: `${last?.id ?? "prt_"}gitmem`,
    sessionID: output.message.sessionID,
    messageID: output.message.id,
    type: "text",
    synthetic: true,
    text,
  })
}

export const Gitmem = async ({ client, directory }) => {
  const begun = new Set()
  const children = new Set()
  const standing = new Map()
  const waiting = new Map()

  const tell = async (event, id, more = {}) => {
    const reply = await ask(event, { session_id: id, cwd: directory, ...more })
    if (reply.standing !== undefined) standing.set(id, reply.standing)
    if (reply.notice) {
      const body = { message: reply.notice, variant: "info" }
      await Promise.resolve(client?.tui?.showToast?.({ body })).catch(() => {})
    }
    return reply.text ?? ""
  }

  const isNew = async (id) => {
    try {
      const found = await client.session.messages({ path: { id } })
      return (found.data ?? []).length <= 1
    } catch {
      return true
    }
  }

  /** Give what was said last, for a prompt that says little by itself. */
  const before = async (id, current) => {
    try {
      const query = { limit: EARLIER_MESSAGES }
      const found = await client.session.messages({ path: { id }, query })
      return (found.data ?? [])
        .filter((each) => each.info?.id !== current)
        .map((each) => written(each.parts).slice(-EARLIER_CHARACTERS))
        .filter(Boolean)
    } catch {
      return []
    }
  }

  const begin = async (id) => {
    if (begun.has(id)) return ""
    begun.add(id)
    return tell("session.start", id, { source: (await isNew(id)) ? "startup" : "resume" })
  }

  return {
    config: async (config) => {
      config.command = { ...COMMANDS, ...config.command }
    },
    "chat.message": async (input, output) => {
      const id = output.message?.sessionID ?? input.sessionID
      if (!id || children.has(id)) return
      const prompt = written(output.parts)
      const texts = [await begin(id), waiting.get(id) ?? ""]
      waiting.delete(id)
      const isShort = prompt.length <= SHORT_CHARACTERS
      const earlier = isShort ? await before(id, output.message?.id) : []
      texts.push(await tell("chat.message", id, { prompt, earlier }))
      const text = texts.filter(Boolean).join("\n\n")
      if (text) append(output, text)
    },
    "experimental.chat.system.transform": async (input, output) => {
      const text = standing.get(input?.sessionID)
      if (text) output.system.push(text)
    },
    "tool.execute.after": async (input, output) => {
      if (!WRITING.has(input.tool) || children.has(input.sessionID)) return
      const path = input.args?.filePath ?? output.metadata?.filepath
      const paths = path ? [path] : []
      await tell("tool.execute.after", input.sessionID, { paths })
    },
    event: async ({ event }) => {
      const about = event.properties ?? {}
      const id = about.sessionID ?? about.info?.id
      if (event.type === "session.created" && about.info?.parentID) children.add(id)
      if (!begun.has(id)) return
      if (event.type === "session.idle") await tell("session.idle", id)
      if (event.type === "session.compacted") {
        waiting.set(id, await tell("session.compacted", id))
      }
      if (event.type === "session.deleted") await tell("session.deleted", id)
    },
  }
}
