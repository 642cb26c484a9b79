import type { Session } from "@skillholm/core";
import type { RenderedCatalog } from "@skillholm/core/dialect";
import type { Profile } from "@skillholm/profiles";
import { toAiSdkTools } from "@skillholm/tools/ai-sdk";
import {
  convertToModelMessages,
  type FinishReason,
  isStepCount,
  type LanguageModel,
  streamText,
  toUIMessageStream,
} from "ai";
import { packMessage, unpackMessages } from "./history.ts";
import type { ChatChunk, ChatMessage } from "./message.ts";

export interface TurnOptions {
  readonly session: Session;
  readonly profile: Profile;
  readonly model: LanguageModel;
  /** What was said so far, as it is stored; the last one is the person's. */
  readonly history: readonly ChatMessage[];
  /** What the conversation was told of the skills when it began. */
  readonly catalog: RenderedCatalog;
  readonly signal?: AbortSignal;
  /** Keeps the answer, as it is to be stored; called when it is whole, and only then. The stream ends after it. */
  readonly keep?: (message: ChatMessage) => Promise<void>;
}

// A model that goes on calling tools is stopped; nobody needs this many for one answer.
const mostSteps = 16;

const role = "You are a helpful assistant. Answer in the language of the person.";

/** One turn of a conversation: the model answers, calling tools as it likes, as a stream for a page or a terminal. */
export async function runTurn(options: TurnOptions): Promise<ReadableStream<ChatChunk>> {
  const { session, model, profile, signal, keep } = options;
  const skillTools = profile.createTools(session);
  // No skills, no tools; a conversation from before can still be read.
  const tools = toAiSdkTools(session.visible().length === 0 ? [] : skillTools);
  const history = await unpackMessages(options.history, skillTools);
  const messages = await convertToModelMessages(history, {
    tools: toAiSdkTools(skillTools),
    ignoreIncompleteToolCalls: true,
  });
  const news = options.catalog.changes(await session.view());
  const result = streamText({
    model,
    instructions: [role, options.catalog.text].filter(Boolean).join("\n\n"),
    // Before the last message: what came before stays as a provider has it cached.
    messages: news === "" ? messages : messages.toSpliced(-1, 0, { role: "system", content: news }),
    allowSystemInMessages: true,
    tools,
    stopWhen: isStepCount(mostSteps),
    ...(signal && { abortSignal: signal }),
    // Errors are part of the stream; the SDK would print them too.
    onError: () => undefined,
  });
  const turn: Turn = {};
  const stream = toUIMessageStream({
    stream: result.stream,
    tools,
    originalMessages: history,
    generateMessageId: () => crypto.randomUUID(),
    onError: messageOf,
    onEnd: ({ responseMessage, outcome, finishReason }) => {
      turn.finishReason = finishReason;
      if (outcome.status === "completed") turn.answer = packMessage(responseMessage, skillTools);
    },
  });
  return toStream(endWell(stream, turn, keep));
}

/** What is known when the model has stopped. */
interface Turn {
  answer?: ChatMessage;
  finishReason?: FinishReason | undefined;
}

/** The same chunks, but the end is said only once the answer is kept; whatever goes wrong is said as a chunk. */
async function* endWell(
  stream: ReadableStream<ChatChunk>,
  turn: Turn,
  keep: TurnOptions["keep"],
): AsyncGenerator<ChatChunk> {
  let finish: ChatChunk | undefined;
  let broken = false;
  try {
    for await (const chunk of stream) {
      if (chunk.type === "finish") finish = chunk;
      else yield chunk;
      broken ||= chunk.type === "error" || chunk.type === "abort";
    }
    if (broken) return;
    if (turn.answer === undefined || !isWhole(turn.finishReason)) throw new Error(whyNotWhole(turn.finishReason));
    await keep?.(turn.answer);
    if (finish !== undefined) yield finish;
  } catch (error) {
    yield { type: "error", errorText: messageOf(error) };
  }
}

function isWhole(reason: FinishReason | undefined): boolean {
  return reason === "stop" || reason === "length" || reason === "content-filter";
}

function whyNotWhole(reason: FinishReason | undefined): string {
  return reason === "tool-calls"
    ? `The model called tools ${mostSteps} times and gave no answer.`
    : "The model stopped before its answer was whole.";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function toStream<T>(source: AsyncGenerator<T>): ReadableStream<T> {
  return new ReadableStream<T>({
    pull: async (controller) => {
      const { done, value } = await source.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await source.return(undefined)),
  });
}
