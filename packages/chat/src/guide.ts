import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { countTokens } from "@skillholm/core";
import { activateToolName, searchToolName } from "@skillholm/tools";
import {
  answerActivated,
  answerNoSkills,
  answerNothingFound,
  answerNotSure,
  answerRefused,
  isDoubtful,
  readNames,
} from "./guide-answer.ts";
import { readTurn, type ToolAnswer } from "./guide-turn.ts";

/**
 * The built-in model, which is no language model: it searches for a skill, activates the best one and shows what it
 * says. The same prompt always gives the same answer.
 */
export function createGuide(): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "skillholm",
    modelId: "guide",
    supportedUrls: {},
    doGenerate: async (options) => generate(options),
    doStream: async (options) => ({ stream: streamOf(generate(options)) }),
  };
}

type Step =
  | { readonly say: string }
  | { readonly call: string; readonly input: Readonly<Record<string, string>>; readonly id: string };

function generate(options: LanguageModelV4CallOptions): LanguageModelV4GenerateResult {
  const step = nextStep(options);
  const asks = "call" in step;
  const content: LanguageModelV4Content = asks
    ? { type: "tool-call", toolCallId: step.id, toolName: step.call, input: JSON.stringify(step.input) }
    : { type: "text", text: step.say };
  const heard = countTokens(JSON.stringify(options.prompt));
  const said = countTokens(asks ? JSON.stringify(step.input) : step.say);
  return {
    content: [content],
    finishReason: { unified: asks ? "tool-calls" : "stop", raw: undefined },
    usage: {
      inputTokens: { total: heard, noCache: heard, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: said, text: said, reasoning: undefined },
    },
    warnings: [],
  };
}

/** Search, then activate, then answer: which of them is next follows from what the conversation holds already. */
function nextStep({ prompt, tools = [] }: LanguageModelV4CallOptions): Step {
  const { position, question, answers } = readTurn(prompt);
  const can = (name: string) => tools.some((tool) => tool.name === name);
  const answerOf = (name: string): ToolAnswer | undefined => answers.find((answer) => answer.tool === name);
  if (!can(searchToolName) || !can(activateToolName)) return { say: answerNoSkills() };

  const searched = answerOf(searchToolName);
  const id = (name: string) => `guide-${position}-${name}`;
  if (searched === undefined) {
    return { call: searchToolName, input: { query: asQuery(question) }, id: id(searchToolName) };
  }
  const activated = answerOf(activateToolName);
  if (activated !== undefined)
    return { say: activated.isError ? answerRefused(activated) : answerActivated(activated) };
  if (searched.isError) return { say: answerRefused(searched) };
  const [name, ...others] = readNames(searched.text);
  if (name === undefined) return { say: answerNothingFound(question) };
  if (isDoubtful(searched.text)) return { say: answerNotSure([name, ...others]) };
  return { call: activateToolName, input: { name }, id: id(activateToolName) };
}

// What the search takes at most; a question's beginning says what it is about.
const queryLength = 4000;

function asQuery(question: string): string {
  return question.slice(0, queryLength).toWellFormed() || " ";
}

function streamOf({
  content,
  finishReason,
  usage,
}: LanguageModelV4GenerateResult): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: "stream-start", warnings: [] });
      for (const part of content) for (const piece of piecesOf(part)) controller.enqueue(piece);
      controller.enqueue({ type: "finish", finishReason, usage });
      controller.close();
    },
  });
}

function piecesOf(part: LanguageModelV4Content): readonly LanguageModelV4StreamPart[] {
  if (part.type === "tool-call") return [part];
  if (part.type !== "text") return [];
  const lines = part.text.split(/(?<=\n)/);
  const deltas = lines.map((delta) => ({ type: "text-delta", id: "answer", delta }) as const);
  return [{ type: "text-start", id: "answer" }, ...deltas, { type: "text-end", id: "answer" }];
}
