import { setTimeout } from "node:timers/promises";
import {
  activatedPaths,
  type ChatChunk,
  type ChatMessage,
  createGuide,
  personMessage,
  runTurn,
  unpackMessages,
} from "@skillholm/chat";
import { type Session, SkillError } from "@skillholm/core";
import type { RenderedCatalog } from "@skillholm/core/dialect";
import { type CatalogLimits, standard } from "@skillholm/profiles";
import type { UsageStore } from "@skillholm/store";
import { type ChatStore, type ChatSummary, openChats as openStore } from "@skillholm/store/chats";
import { viewSkills } from "./prompt.ts";

/** A conversation with the skills' texts filled in. */
export interface Chat extends ChatSummary {
  readonly messages: readonly ChatMessage[];
}

/** What a person says, with an id that the person's side made. */
interface PersonMessage {
  readonly id: string;
  readonly text: string;
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
  send(id: string, message: PersonMessage): Promise<ReadableStream<ChatChunk>>;
  /** Ends when every answer is kept; one that takes longer than a few seconds is broken off. */
  close(): Promise<void>;
}

interface ChatsOptions {
  /** The skills as they are on disk now, and what may be done with them. */
  session(): Promise<Session>;
  readonly folder: string;
  /** What the catalog may take. */
  readonly limits: CatalogLimits;
  /** How often each skill was activated, by path, and one more time. */
  readonly usage: Pick<UsageStore, "counts" | "add">;
}

/** A turn that is under way. */
interface Running {
  readonly done: Promise<void>;
  readonly stop: AbortController;
}

// More than anybody scrolls through.
const listed = 500;
const graceMs = 3000;
const remembered = 100;

export async function openChats({ session: openSession, folder, limits, usage }: ChatsOptions): Promise<Chats> {
  const store = await openStore(folder);
  const model = createGuide();
  const running = new Map<string, Running>();
  const catalogs = new Map<string, RenderedCatalog>();
  /** What a chat was told when it began; as long as this process lives, and for the latest ones. */
  const recall = async (id: string, session: Session): Promise<RenderedCatalog> => {
    const told = catalogs.get(id) ?? standard.renderCatalog(await viewSkills(session, usage), limits);
    catalogs.delete(id);
    catalogs.set(id, told);
    const [oldest] = catalogs.keys();
    if (catalogs.size > remembered && oldest !== undefined) catalogs.delete(oldest);
    return told;
  };

  const send: Chats["send"] = async (id, message) => {
    checkMessage(id, message);
    if (running.has(id)) throw new SkillError("unavailable", "This chat is still answering. Wait for it.");
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const stop = new AbortController();
    running.set(id, { done, stop });
    const end = () => {
      running.delete(id);
      resolve();
    };
    try {
      const { history, title } = await keepMessage(store, id, message);
      const session = await openSession();
      const turn = { session, profile: standard, model, history, catalog: await recall(id, session) };
      const keep = async (answer: ChatMessage) => {
        await store.append({ id, title }, answer);
        // A count that is lost changes little; an answer that is kept is kept.
        await usage.add(activatedPaths(answer)).catch(() => undefined);
      };
      const stream = await runTurn({ ...turn, keep, signal: stop.signal });
      const [answer, unheard] = stream.tee();
      drain(unheard).finally(end);
      return answer;
    } catch (error) {
      end();
      throw error;
    }
  };

  return {
    list: () => store.list(listed),
    get: async (id) => {
      const chat = await store.get(id);
      if (chat === undefined) throw new SkillError("resource-not-found", `There is no chat "${id}".`);
      const tools = standard.createTools(await openSession());
      return { ...chat, messages: await unpackMessages(chat.messages as ChatMessage[], tools) };
    },
    send,
    close: async () => {
      const turns = [...running.values()];
      const all = Promise.all(turns.map(({ done }) => done));
      await Promise.race([all, setTimeout(graceMs, undefined, { ref: false })]);
      for (const { stop } of turns) stop.abort();
      await all;
      await store.close();
    },
  };
}

/** The conversation up to and with this message, which is stored unless it was already. */
async function keepMessage(store: ChatStore, id: string, { id: messageId, text }: PersonMessage) {
  const chat = await store.get(id);
  const before = (chat?.messages ?? []) as ChatMessage[];
  const title = chat?.title ?? titleOf(text);
  const message = personMessage(messageId, text);
  const same = before.find((each) => each.id === messageId);
  if (same !== undefined) {
    const isLast = same === before.at(-1) && JSON.stringify(same.parts) === JSON.stringify(message.parts);
    if (!isLast)
      throw new SkillError("invalid-input", `The id "${messageId}" belongs to another message of this chat.`);
    return { history: before, title };
  }
  await store.append({ id, title }, message);
  return { history: [...before, message], title };
}

const idShape = /^[\w-]{1,64}$/;

function checkMessage(chatId: string, { id, text }: PersonMessage): void {
  for (const [what, value] of Object.entries({ chat: chatId, message: id })) {
    if (!idShape.test(value)) {
      throw new SkillError("invalid-input", `The ${what}'s id should be 1 to 64 letters, digits, "-" or "_".`);
    }
  }
  if (text.trim() === "") throw new SkillError("invalid-input", "The message is empty. Say what you need.");
}

const titleLength = 80;

function titleOf(text: string): string {
  const line = Array.from(text.trim().split("\n")[0]?.replace(/\s+/g, " ") ?? "");
  return line.length > titleLength
    ? `${line
        .slice(0, titleLength - 1)
        .join("")
        .trimEnd()}…`
    : line.join("");
}

async function drain(stream: ReadableStream<ChatChunk>): Promise<void> {
  try {
    for await (const _ of stream);
  } catch {
    // Who listens to the other half hears of it.
  }
}
