import "./chat.css";
import { useChat } from "@ai-sdk/react";
import type { ListedSkill } from "@skillholm/engine";
import type { UIMessage } from "ai";
import { useEffect, useRef } from "react";
import { chatTransport, messageOf } from "./api.ts";
import { Composer } from "./composer.tsx";
import { EmptyChat } from "./empty-chat.tsx";
import { Message } from "./message.tsx";
import { Problem } from "./problem.tsx";
import { strings } from "./strings.ts";

export interface ChatViewProps {
  readonly id: string;
  /** What was said before. */
  readonly messages: UIMessage[];
  readonly skills: readonly ListedSkill[] | undefined;
  onSent(): void;
  onAnswered(): void;
}

/** A conversation: what was said, and the place to say more. */
export function ChatView({ id, messages: before, skills, onSent, onAnswered }: ChatViewProps) {
  const { messages, sendMessage, regenerate, status, error } = useChat({
    id,
    messages: before,
    transport: chatTransport,
    onFinish: onAnswered,
  });
  const end = useRef<HTMLDivElement>(null);
  const busy = status === "submitted" || status === "streaming";
  const said = messages.length;
  useEffect(() => {
    if (said > 0 || busy) end.current?.scrollIntoView({ block: "end" });
  }, [said, busy]);

  const send = (text: string) => {
    sendMessage({ text });
    onSent();
  };
  return (
    <main className="chat">
      <div className="messages" role="log" aria-live="polite">
        {messages.length === 0 && <EmptyChat skills={skills} onPick={send} />}
        {messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
        {status === "submitted" && <p className="quiet">{strings.thinking}</p>}
        {error !== undefined && <Problem text={messageOf(error.message)} onRetry={() => regenerate()} />}
        <div ref={end} />
      </div>
      <Composer busy={busy} onSend={send} />
    </main>
  );
}
