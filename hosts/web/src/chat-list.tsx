import "./chat-list.css";
import type { ChatSummary } from "./api.ts";
import { strings } from "./strings.ts";

interface ChatListProps {
  readonly chats: readonly ChatSummary[] | undefined;
  readonly current: string;
  onOpen(id: string): void;
  onNew(): void;
}

/** The conversations, the latest first. */
export function ChatList({ chats, current, onOpen, onNew }: ChatListProps) {
  return (
    <aside className="chats" aria-label={strings.chats}>
      <button type="button" className="new" onClick={onNew}>
        {strings.newChat}
      </button>
      {chats?.length === 0 && <p className="quiet">{strings.noChats}</p>}
      <ul>
        {chats?.map(({ id, title }) => (
          <li key={id}>
            <button
              type="button"
              dir="auto"
              aria-current={id === current ? "true" : undefined}
              onClick={() => onOpen(id)}
            >
              {title}
            </button>
          </li>
        ))}
      </ul>
    </aside>
  );
}
