import { type ChatChunk, type ChatMessage, createGuide, personMessage, runTurn, unpackMessages } from "@skillholm/chat";
import { createSession, SkillError, type Skills } from "@skillholm/core";
import { standard } from "@skillholm/profiles";
import { type ChatStore, type ChatSummary, openChats as openStore } from "@skillholm/store/chats";
import { catalogBudget } from "./ask.ts";

/** A conversation with the skills' texts filled in. */
export interface Chat extends ChatSummary {
  readonly messages: readonly ChatMessage[];
}

/** Conversations with a model that has the skills. */
export interface Chats {
  /** The latest first. */
  list(): Promise<readonly ChatSummary[]>;
  get(id: string): Promise<Chat>;
  /**
   * Keeps what a person says and streams the answer, which is kept when it is whole, also when nobody listens any more.
   * Saying the last message again, with the same id, asks for its answer again.
   */
  send(id: string, message: { readonly id: string; readonly text: string }): Promise<ReadableStream<ChatChunk>>;
  /** Ends when every answer is kept. */
  close(): Promise<void>;
}

interface ChatsOptions {
  /** The skills as they are on disk now. */
  skills(): Promise<Skills>;
  readonly folder: string;
}

// More than anybody scrolls through.
const listed = 500;

export async function openChats({ skills, folder }: ChatsOptions): Promise<Chats> {
  const store = await openStore(folder);
  const model = createGuide();
  const running = new Map<string, Promise<void>>();

  const send: Chats["send"] = async (id, { id: messageId, text }) => {
    checkMessage(id, messageId, text);
    if (running.has(id)) throw new SkillError("unavailable", "This chat is still answering. Wait for it.");
    const { promise, resolve } = Promise.withResolvers<void>();
    running.set(id, promise);
    const done = () => {
      running.delete(id);
      resolve();
    };
    try {
      const history = await keepMessage(store, id, personMessage(messageId, text));
      const title = titleOf(text);
      const turn = { skills: await skills(), profile: standard, model, history, budget: catalogBudget };
      const stream = await runTurn({ ...turn, onAnswer: (answer) => store.append({ id, title }, answer) });
      const [answer, kept] = stream.tee();
      drain(kept).finally(done);
      return answer;
    } catch (error) {
      done();
      throw error;
    }
  };

  return {
    list: () => store.list(listed),
    get: async (id) => {
      const chat = await store.get(id);
      if (chat === undefined) throw new SkillError("resource-not-found", `There is no chat "${id}".`);
      const tools = standard.createTools(createSession(await skills()));
      return { ...chat, messages: await unpackMessages(chat.messages as ChatMessage[], tools) };
    },
    send,
    close: async () => {
      await Promise.all(running.values());
      await store.close();
    },
  };
}

/** The conversation up to and with this message, which is stored unless it was already. */
async function keepMessage(store: ChatStore, id: string, message: ChatMessage): Promise<readonly ChatMessage[]> {
  const before = ((await store.get(id))?.messages ?? []) as ChatMessage[];
  const at = before.findIndex((each) => each.id === message.id);
  if (at >= 0 && at === before.length - 1) return before;
  if (at >= 0) throw new SkillError("invalid-input", `The message "${message.id}" is answered already.`);
  const [text] = message.parts;
  await store.append({ id, title: titleOf(text?.type === "text" ? text.text : "") }, message);
  return [...before, message];
}

const idShape = /^[\w-]{1,64}$/;

function checkMessage(chatId: string, id: string, text: string): void {
  for (const [what, value] of [
    ["chat", chatId],
    ["message", id],
  ]) {
    if (!idShape.test(value ?? "")) {
      throw new SkillError("invalid-input", `The ${what}'s id should be 1 to 64 letters, digits, "-" or "_".`);
    }
  }
  if (text.trim() === "") throw new SkillError("invalid-input", "The message is empty. Say what you need.");
}

const titleLength = 80;

function titleOf(text: string): string {
  const line = text.trim().split("\n")[0]?.replace(/\s+/g, " ") ?? "";
  return line.length > titleLength
    ? `${line
        .slice(0, titleLength - 1)
        .toWellFormed()
        .trimEnd()}…`
    : line;
}

async function drain(stream: ReadableStream<ChatChunk>): Promise<void> {
  try {
    for await (const _ of stream);
  } catch {
    // Who listens to the other half hears of it.
  }
}
