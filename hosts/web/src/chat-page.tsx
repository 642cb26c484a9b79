import type { UIMessage } from "ai";
import { useEffect, useState } from "react";
import { fetchChat } from "./api.ts";
import { ChatView, type ChatViewProps } from "./chat-view.tsx";
import { Problem } from "./problem.tsx";
import { strings } from "./strings.ts";

interface ChatPageProps extends Omit<ChatViewProps, "messages"> {
  /** It was opened by its address, so that the server has it. */
  readonly stored: boolean;
}

/** Fetches a conversation that there is already; a new one begins empty. */
export function ChatPage({ stored, ...props }: ChatPageProps) {
  const [messages, setMessages] = useState<UIMessage[] | undefined>(stored ? undefined : []);
  const [error, setError] = useState<string>();
  const { id } = props;
  const missing = messages === undefined;
  useEffect(() => {
    if (!missing) return;
    fetchChat(id).then(
      (chat) => setMessages([...chat.messages]),
      (reason: Error) => setError(reason.message),
    );
  }, [id, missing]);
  if (error !== undefined) return <Problem text={error} />;
  if (messages === undefined) return <main className="quiet">{strings.loading}</main>;
  return <ChatView messages={messages} {...props} />;
}
