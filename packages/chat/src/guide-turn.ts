import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";

/** What a tool said to the model. */
export interface ToolAnswer {
  readonly tool: string;
  readonly text: string;
  readonly isError: boolean;
}

/** The last question of a conversation, and what was found out since. */
export interface GuideTurn {
  /** Where in the conversation the question stands. */
  readonly position: number;
  readonly question: string;
  readonly answers: readonly ToolAnswer[];
}

export function readTurn(prompt: LanguageModelV4Prompt): GuideTurn {
  const position = prompt.findLastIndex((message) => message.role === "user");
  const asked = prompt[position];
  const texts = asked?.role === "user" ? asked.content.map((part) => (part.type === "text" ? part.text : "")) : [];
  const answers = prompt.slice(position + 1).flatMap((message) => {
    if (message.role !== "tool") return [];
    return message.content.flatMap((part) => (part.type === "tool-result" ? toAnswer(part) : []));
  });
  return { position, question: texts.join("\n").trim(), answers };
}

function toAnswer({ toolName: tool, output }: LanguageModelV4ToolResultPart): ToolAnswer {
  switch (output.type) {
    case "text":
      return { tool, text: output.value, isError: false };
    case "error-text":
      return { tool, text: output.value, isError: true };
    case "execution-denied":
      return { tool, text: output.reason ?? "It was not allowed.", isError: true };
    default:
      return { tool, text: JSON.stringify(output.value), isError: output.type === "error-json" };
  }
}
