import "./empty-chat.css";
import type { ListedSkill } from "@skillholm/engine";
import { strings } from "./strings.ts";

interface EmptyChatProps {
  readonly skills: readonly ListedSkill[] | undefined;
  onPick(text: string): void;
}

/** What is possible here, made from the skills that are installed. */
export function EmptyChat({ skills, onPick }: EmptyChatProps) {
  if (skills === undefined) return null;
  if (skills.length === 0) return <p className="quiet">{strings.emptyNothing}</p>;
  return (
    <section className="empty">
      <h1>{strings.emptyTitle}</h1>
      <p className="quiet">{strings.emptyHint(skills.length)}</p>
      <ul>
        {skills.slice(0, 3).map(({ path, name, description }) => (
          <li key={path}>
            <button type="button" onClick={() => onPick(inWords(name))}>
              <strong>{inWords(name)}</strong>
              <span>{firstSentence(description)}</span>
            </button>
          </li>
        ))}
      </ul>
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
