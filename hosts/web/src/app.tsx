import { useState } from "react";
import { fetchChats, fetchInfo, fetchSkills } from "./api.ts";
import { Bar } from "./bar.tsx";
import { ChatList } from "./chat-list.tsx";
import { ChatPage } from "./chat-page.tsx";
import { Library } from "./library.tsx";
import { Problem } from "./problem.tsx";
import { useRoute } from "./route.ts";
import { useLoaded } from "./use-loaded.ts";

/** The page: what is loaded, and which place is drawn. */
export function App() {
  const [route, go] = useRoute();
  const [draft, setDraft] = useState(newId);
  const info = useLoaded(fetchInfo);
  const skills = useLoaded(fetchSkills);
  const chats = useLoaded(fetchChats);

  const startChat = () => {
    setDraft(newId());
    go({ place: "new" });
  };
  const reload = () => {
    for (const each of [info, skills, chats]) each.reload();
  };
  const openLibrary = () => {
    skills.reload();
    go({ place: "library" });
  };
  const id = route.place === "chat" ? route.id : draft;
  // What is drawn already stays, whatever a later look says.
  const problem = [info, skills, chats].find(({ value, error }) => value === undefined && error !== undefined)?.error;
  return (
    <div className="page">
      <Bar
        route={route}
        model={info.value?.model}
        unsandboxed={info.value?.unsandboxed === true}
        onChat={startChat}
        onLibrary={openLibrary}
      />
      {problem !== undefined && <Problem text={problem} onRetry={reload} />}
      {route.place === "library" ? (
        <Library list={skills.value} />
      ) : (
        <div className="columns">
          <ChatList
            chats={chats.value}
            current={id}
            onOpen={(chat) => go({ place: "chat", id: chat })}
            onNew={startChat}
          />
          <ChatPage
            key={id}
            id={id}
            stored={route.place === "chat"}
            list={skills.value}
            onSent={() => {
              // Now it has an address of its own, and the next new chat is another one.
              if (route.place === "new") setDraft(newId());
              go({ place: "chat", id });
            }}
            onAnswered={chats.reload}
          />
        </div>
      )}
    </div>
  );
}

// Not `randomUUID`: a page that is not from this machine has none without https.
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
