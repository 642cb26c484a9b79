import "./empty-chat.css";
import type { SkillList } from "./api.ts";
import { strings } from "./strings.ts";

interface EmptyChatProps {
  readonly list: SkillList | undefined;
  onPick(text: string): void;
}

/** What is possible here, made from the skills that are installed. */
export function EmptyChat({ list, onPick }: EmptyChatProps) {
  if (list === undefined) return null;
  const skills = list.skills.filter(({ forModels }) => forModels);
  const waiting = list.hidden.filter(({ state }) => state === "untrusted");
  return (
    <section className="empty">
      <h1>{strings.emptyTitle}</h1>
      <p className="quiet">{skills.length === 0 ? strings.emptyNothing : strings.emptyHint(skills.length)}</p>
      <ul>
        {skills.slice(0, 3).map(({ path, name, description }) => (
          <li key={path}>
            <button type="button" dir="auto" onClick={() => onPick(inWords(name))}>
              <strong>{inWords(name)}</strong>
              <span>{firstSentence(description)}</span>
            </button>
          </li>
        ))}
      </ul>
      {waiting[0] !== undefined && <p className="quiet">{strings.waiting(waiting.length, waiting[0].reason)}</p>}
    </section>
  );
}

function inWords(name: string): string {
  const words = name.replaceAll(/[-_]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function firstSentence(text: string): string {
  return /^.*?[.!?。](?=\s|$)/s.exec(text)?.[0] ?? text;
}
