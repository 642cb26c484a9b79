import type { Skill } from "@skillholm/core/portable";
import type { Serving } from "./entry.ts";

// More lines than this nobody reads while a server starts.
const most = 20;

/** Tells, once for each skill and reason, what clients that keep to the extension do not see, or see otherwise. */
export class Reports {
  readonly #told = new Set<string>();
  readonly #tell: (problem: string) => void;

  constructor(tell: (problem: string) => void) {
    this.#tell = tell;
  }

  add({ name, path }: Skill, serving: Serving): void {
    if (serving.served === "whole") return;
    const key = `${path}\0${serving.served}\0${serving.reason}`;
    if (this.#told.has(key) || this.#told.size > most) return;
    this.#told.add(key);
    if (this.#told.size > most) {
      this.#tell("There are more of these: skillholm doctor --for mcp");
      return;
    }
    const what =
      serving.served === "shortened"
        ? "the Skills extension gets it with a frontmatter that it takes"
        : "clients that use only the Skills extension do not see it; tools give it";
    this.#tell(`${name}: ${what} (${serving.reason}). ${path}`);
  }
}
