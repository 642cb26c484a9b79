import "./chat.css";
import { useChat } from "@ai-sdk/react";
import type { UIMessage } from "ai";
import { useEffect, useRef, useState } from "react";
import { chatTransport, fetchChat, messageOf, type SkillList, textOf } from "./api.ts";
import { Composer } from "./composer.tsx";
import { EmptyChat } from "./empty-chat.tsx";
import { Message } from "./message.tsx";
import { Problem } from "./problem.tsx";
import { strings } from "./strings.ts";

export interface ChatViewProps {
  readonly id: string;
  /** What was said before. */
  readonly messages: UIMessage[];
  readonly list: SkillList | undefined;
  /** The server has taken the first message. */
  onSent(): void;
  onAnswered(): void;
}

/** A conversation: what was said, and the place to say more. */
export function ChatView({ id, messages: before, list, onSent, onAnswered }: ChatViewProps) {
  const [draft, setDraft] = useState("");
  const { messages, setMessages, sendMessage, regenerate, clearError, status, error } = useChat({
    id,
    messages: before,
    transport: chatTransport,
    onFinish: onAnswered,
    onError: () => settle(),
  });
  const end = useRef<HTMLDivElement>(null);
  const busy = status === "submitted" || status === "streaming";
  const last = messages.at(-1);
  const unanswered = !busy && error === undefined && last?.role === "user";
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows what is said, and what went wrong
  useEffect(() => {
    if (messages.length > 0 || error !== undefined) end.current?.scrollIntoView({ block: "end" });
  }, [messages.length, busy, error]);
  // A short answer can be whole before anything is drawn.
  const begun = status === "streaming" || (messages.length > before.length && last?.role === "assistant");
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the answer begins
  useEffect(() => {
    if (begun) onSent();
  }, [begun]);

  /** After a failure: what the server has is the truth, and what it has not goes back to where it was written. */
  const settle = async () => {
    const kept = await fetchChat(id).then(
      (chat) => chat.messages,
      () => undefined,
    );
    setMessages((now) => {
      const said = now.findLast((message) => message.role === "user");
      if (said === undefined) return now;
      if (kept?.some((message) => message.id === said.id)) {
        if (kept.at(-1)?.role === "assistant") clearError();
        return [...kept];
      }
      setDraft((text) => text || textOf(said));
      return now.slice(0, now.indexOf(said));
    });
  };
  const send = (text: string) => {
    setDraft("");
    sendMessage({ text });
  };
  const retry = () => {
    clearError();
    regenerate();
  };
  return (
    <main className="chat">
      <div className="messages" role="log" aria-live="polite">
        {messages.length === 0 && <EmptyChat list={list} onPick={send} />}
        {messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
        {status === "submitted" && <p className="quiet">{strings.thinking}</p>}
        {error !== undefined && (
          <Problem text={messageOf(error.message)} {...(last?.role === "user" && { onRetry: retry })} />
        )}
        {unanswered && <Problem text={strings.unanswered} onRetry={retry} />}
        <div ref={end} />
      </div>
      <Composer busy={busy} text={draft} onChange={setDraft} onSend={send} />
    </main>
  );
}
