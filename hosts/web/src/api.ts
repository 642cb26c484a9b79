import type { Chat, ListedSkill, Listing, ModelFacts, UnlistedSkill } from "@skillholm/engine";
import { DefaultChatTransport, type UIMessage } from "ai";
import { strings } from "./strings.ts";

export interface Info {
  readonly version: string;
  readonly model: ModelFacts;
  readonly project: string;
  /** Scripts run without a sandbox. */
  readonly unsandboxed: boolean;
}

export interface SkillList extends Pick<Listing, "truncated" | "elsewhere"> {
  readonly skills: readonly ListedSkill[];
  readonly hidden: readonly UnlistedSkill[];
}

export type ChatSummary = Omit<Chat, "messages">;

export const fetchInfo = () => get<Info>("/api/info");
export const fetchSkills = () => get<SkillList>("/api/skills");
export const fetchChats = async () => (await get<{ chats: readonly ChatSummary[] }>("/api/chats")).chats;
export const fetchChat = (id: string) => get<Chat>(`/api/chats/${encodeURIComponent(id)}`);

/** Sends only what the person said last: the server has the rest. */
export const chatTransport = new DefaultChatTransport({
  fetch: reach,
  prepareSendMessagesRequest: ({ id, messages }) => {
    const last = messages.findLast((message) => message.role === "user");
    return {
      api: `/api/chats/${encodeURIComponent(id)}/messages`,
      body: { id: last?.id, text: last === undefined ? "" : textOf(last) },
    };
  },
});

export function textOf(message: UIMessage): string {
  return message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** `fetch` with a reason that a person understands. */
async function reach(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init);
  } catch {
    throw new Error(strings.unreachable);
  }
}

async function get<T>(path: string): Promise<T> {
  const response = await reach(path);
  if (!response.ok) throw new Error(messageOf(await response.text()));
  return response.json();
}

/** What an error says; the server's own are JSON. */
export function messageOf(text: string): string {
  try {
    return JSON.parse(text).error.message;
  } catch {
    return text;
  }
}
