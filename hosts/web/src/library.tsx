import "./library.css";
import { useState } from "react";
import type { SkillList } from "./api.ts";
import { strings } from "./strings.ts";

interface Row {
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly scope: string;
  readonly state: string;
}

/** Every skill on this machine: what it is for, where it comes from, how it stands. */
export function Library({ list }: { readonly list: SkillList | undefined }) {
  const [filter, setFilter] = useState("");
  if (list === undefined) return <main className="quiet">{strings.loading}</main>;
  const rows = rowsOf(list).filter(({ name, description }) => holds(`${name} ${description}`, filter));
  return (
    <main className="library">
      <div className="head">
        <h1>{strings.skills(list.skills.length)}</h1>
        {list.hidden.length > 0 && <span className="quiet">{strings.hidden(list.hidden.length)}</span>}
        <input
          type="search"
          aria-label={strings.filter}
          placeholder={strings.filter}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      </div>
      {list.elsewhere.map(({ path, count, agent }) => (
        <p key={path} className="quiet">
          {strings.elsewhere(count, path, agent)}
        </p>
      ))}
      <table>
        <thead>
          <tr>
            {[strings.name, strings.description, strings.scope, strings.state].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <SkillRow key={row.path} row={row} />
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="quiet">{filter === "" ? strings.emptyNothing : strings.noMatch}</p>}
    </main>
  );
}

function SkillRow({ row }: { readonly row: Row }) {
  const { path, name, description, scope, state } = row;
  return (
    <tr className={state === strings.listed ? undefined : "unlisted"}>
      <th scope="row" title={path}>
        <code>{name}</code>
      </th>
      <td className="description" dir="auto" title={description}>
        <span>{description}</span>
      </td>
      <td className="scope">{scope}</td>
      <td className="stand">
        <span className={`badge ${state}`}>{state}</span>
      </td>
    </tr>
  );
}

// For what is not listed, the reason says more than the description would.
function rowsOf({ skills, hidden }: SkillList): readonly Row[] {
  return [
    ...skills.map(({ path, name, description, scope }) => ({ path, name, description, scope, state: strings.listed })),
    ...hidden.map(({ path, name, reason, scope, state }) => ({ path, name, description: reason, scope, state })),
  ];
}

function holds(text: string, filter: string): boolean {
  return text.toLowerCase().includes(filter.trim().toLowerCase());
}
