import { createSession, type Skills } from "@skillholm/core";
import type { Profile } from "@skillholm/profiles";
import { toAiSdkTools } from "@skillholm/tools/ai-sdk";
import { convertToModelMessages, isStepCount, type LanguageModel, streamText, toUIMessageStream } from "ai";
import { packMessage, unpackMessages } from "./history.ts";
import type { ChatChunk, ChatMessage } from "./message.ts";

export interface TurnOptions {
  readonly skills: Skills;
  readonly profile: Profile;
  readonly model: LanguageModel;
  /** What was said so far, as it is stored; the last one is the person's. */
  readonly history: readonly ChatMessage[];
  /** What the catalog may cost, in tokens. */
  readonly budget: number;
  readonly signal?: AbortSignal;
  /** Called with the whole answer, as it is to be stored, before the stream ends. Not called for a turn that failed. */
  readonly onAnswer?: (message: ChatMessage) => void | Promise<void>;
}

// A model that goes on calling tools is stopped; nobody needs this many for one answer.
const mostSteps = 16;

const role = "You are a helpful assistant. Answer in the language of the person.";

/** One turn of a conversation: the model answers, calling tools as it likes, as a stream for a page or a terminal. */
export async function runTurn(options: TurnOptions): Promise<ReadableStream<ChatChunk>> {
  const { model, profile, signal, onAnswer } = options;
  const session = createSession(options.skills);
  const skillTools = profile.createTools(session);
  // No skills, no tools; a conversation from before can still be read.
  const tools = toAiSdkTools(session.visible().length === 0 ? [] : skillTools);
  const history = await unpackMessages(options.history, skillTools);
  let failed = false;
  const result = streamText({
    model,
    instructions: [role, profile.renderCatalog(session, options.budget)].filter(Boolean).join("\n\n"),
    messages: await convertToModelMessages(history, {
      tools: toAiSdkTools(skillTools),
      ignoreIncompleteToolCalls: true,
    }),
    tools,
    stopWhen: isStepCount(mostSteps),
    ...(signal && { abortSignal: signal }),
    onError: () => {
      failed = true;
    },
  });
  return toUIMessageStream({
    stream: result.stream,
    tools,
    originalMessages: history,
    generateMessageId: () => crypto.randomUUID(),
    onError: messageOf,
    onEnd: async ({ responseMessage, isAborted }) => {
      if (!failed && !isAborted) await onAnswer?.(packMessage(responseMessage, skillTools));
    },
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
