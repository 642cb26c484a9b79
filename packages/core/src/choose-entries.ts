import { cutAt, findCuts } from "./shorten.ts";
import type { Skill } from "./skill.ts";

/** How much of a skill a catalog shows. */
export type ShownAs = "full" | "short" | "name" | "none";

/** What is to be shown, in a stable order, and which matter the most. */
export interface CatalogView {
  readonly skills: readonly Skill[];
  /** The skills for the task at hand, best first: they get the space. */
  readonly relevant?: readonly Skill[];
  /** Skills that the conversation has activated, by name. */
  readonly activated?: readonly string[];
  /** How often a skill was used; of two, the one that was used less gives way. */
  readonly uses?: (skill: Skill) => number;
}

export interface CatalogBudget {
  readonly limit: number;
  measure(text: string): number;
  /** How many skills at most. */
  readonly entries?: number;
}

/** How a dialect writes a catalog. */
export interface CatalogForm {
  /** One skill, by a name that means it alone where there is one; without a description, only that. */
  renderEntry(name: string, description?: string): string;
  /** The text around the entries; says how many are missing. */
  renderFrame(entries: readonly string[], counts: CatalogCounts): string;
  /** What changed since: entries that are new or say something else, and names that are gone. */
  renderChanges(entries: readonly string[], gone: readonly string[], counts: CatalogCounts): string;
}

interface CatalogCounts {
  readonly shown: number;
  readonly total: number;
}

/** One way to show a skill. */
interface Way {
  readonly shown: ShownAs;
  readonly text: string;
  readonly cost: number;
}

/** A skill, and how it is shown for now. */
export interface Choice {
  readonly skill: Skill;
  /** The task at hand is for it. */
  readonly isRelevant: boolean;
  way: Way;
}

// As long as the specification lets a description be; longer ones load, but one must not crowd out the others.
const longest = 1024;
// The first few who matter more; what they take, the others lack.
const mostFavoured = 20;
const nothing: Way = { shown: "none", text: "", cost: 0 };

/** Decides what a catalog shows of each skill. */
export class EntryChooser {
  readonly #view: CatalogView;
  readonly #budget: CatalogBudget;
  readonly #form: CatalogForm;
  readonly #ways = new Map<Skill, Map<number, Way>>();
  /** How many skills have a name, for where several may keep it. */
  readonly #names = new Map<string, number>();

  constructor(view: CatalogView, budget: CatalogBudget, form: CatalogForm) {
    this.#view = view;
    this.#budget = budget;
    this.#form = form;
    for (const { name } of view.skills) this.#names.set(name, (this.#names.get(name) ?? 0) + 1);
  }

  #nameOf({ name, scope }: Skill): string {
    return this.#names.get(name) === 1 ? name : `${name}@${scope}`;
  }

  /** Everything in full if it fits; else evenly less, and least of what matters least. */
  choose(room: number): readonly Choice[] {
    const { skills, relevant, uses = () => 0 } = this.#view;
    const isRelevant = new Set(relevant);
    const choices = skills.map((skill): Choice => {
      return { skill, isRelevant: isRelevant.has(skill), way: this.#fullest(skill) };
    });
    const most = this.#budget.entries ?? choices.length;
    if (choices.length <= most && costOf(choices) <= room) return choices;
    const ranked = this.#rank(choices);
    const forTask = ranked.filter((choice) => choice.isRelevant).slice(0, mostFavoured);
    const rest = ranked.slice(forTask.length);
    const used = rest.filter(({ skill }) => uses(skill) > 0).slice(0, mostFavoured);
    const isUsed = new Set(used);
    const others = rest.filter((choice) => !isUsed.has(choice));
    let left = this.#favour(forTask, room, most);
    // What is used must not crowd out what could be.
    const half = left / 2;
    left = half + this.#favour(used, half, most - forTask.length);
    left = this.#giveNames(others, left, most - forTask.length - used.length);
    const named = [...used, ...others].filter(({ way }) => way.shown !== "none");
    left = this.#fillEvenly(
      named.filter(({ way }) => way.shown === "name"),
      left,
    );
    this.#spendRest(named, left);
    return choices;
  }

  /** The task's first, then what was used most, then in the order of the catalog. */
  #rank(choices: readonly Choice[]): readonly Choice[] {
    const { relevant = [], uses = () => 0 } = this.#view;
    const place = new Map(relevant.map((skill, index) => [skill, index]));
    const rankOf = ({ skill }: Choice) => place.get(skill) ?? relevant.length;
    return choices.toSorted((a, b) => rankOf(a) - rankOf(b) || uses(b.skill) - uses(a.skill));
  }

  /** These first: their names, then all of their descriptions. */
  #favour(choices: readonly Choice[], room: number, most: number): number {
    let left = this.#giveNames(choices, room, most);
    for (const choice of choices) left = this.#widen(choice, left);
    return left;
  }

  /** As many names as there is room for, the most important first. */
  #giveNames(ranked: readonly Choice[], room: number, most: number): number {
    let left = room;
    let count = 0;
    for (const choice of ranked) {
      const way = this.#name(choice.skill);
      const fits = count < most && way.cost <= left;
      choice.way = fits ? way : nothing;
      if (!fits) continue;
      left -= way.cost;
      count++;
    }
    return left;
  }

  /** The longest descriptions that all can have. */
  #fillEvenly(choices: readonly Choice[], room: number): number {
    const before = costOf(choices);
    const pick = (cap: number) => choices.map(({ skill }) => this.#widest(skill, cap));
    const extra = (ways: readonly Way[]) => ways.reduce((sum, { cost }) => sum + cost, 0) - before;
    let [low, high] = [0, Math.max(0, ...choices.map(({ skill }) => this.#fullest(skill).cost))];
    // To a token is as good as it gets.
    while (high - low > 1) {
      const middle = (low + high) / 2;
      if (extra(pick(middle)) <= room) low = middle;
      else high = middle;
    }
    const ways = [pick(high), pick(low)].find((ways) => extra(ways) <= room) ?? [];
    for (const [index, way] of ways.entries()) (choices[index] as Choice).way = way;
    return ways.length === 0 ? room : room - extra(ways);
  }

  /** A step for each in turn, so that nobody gets a second sentence before others have one. */
  #spendRest(choices: readonly Choice[], room: number): void {
    let left = room;
    let [changed, lacking] = [true, false];
    while (changed && !lacking) {
      changed = false;
      for (const choice of choices) {
        const next = this.#step(choice);
        if (next === undefined) continue;
        const fits = next.cost - choice.way.cost <= left;
        lacking ||= !fits;
        if (!fits) continue;
        left -= next.cost - choice.way.cost;
        choice.way = next;
        changed = true;
      }
    }
  }

  /** The next longer way to show a skill. */
  #step({ skill, way }: Choice): Way | undefined {
    const full = this.#fullest(skill);
    if (way.shown === "full" || way.cost >= full.cost) return undefined;
    const cuts = findCuts(skill.description, longest - 1).map((cut) => this.#cut(skill, cut));
    return [...cuts, full].find((each) => each.cost > way.cost);
  }

  /** Shows as much of one skill as there is room for. */
  #widen(choice: Choice, room: number): number {
    const before = choice.way;
    if (before.shown === "none" || before.shown === "full") return room;
    const way = this.#widest(choice.skill, before.cost + room);
    if (way.cost <= before.cost) return room;
    choice.way = way;
    return room - (way.cost - before.cost);
  }

  /** The longest way to show a skill that costs at most so much; its name, whatever that costs. */
  #widest(skill: Skill, cap: number): Way {
    const full = this.#fullest(skill);
    if (full.cost <= cap) return full;
    const cuts = findCuts(skill.description, longest - 1);
    for (const cut of cuts.toReversed()) {
      const way = this.#cut(skill, cut);
      if (way.cost <= cap) return way;
    }
    return this.#name(skill);
  }

  #fullest(skill: Skill): Way {
    const { description } = skill;
    if (!isLong(description)) return this.#way(skill, "full", description.length, () => description);
    const last = findCuts(description, longest - 1).at(-1);
    return last === undefined ? this.#name(skill) : this.#cut(skill, last);
  }

  #cut(skill: Skill, end: number): Way {
    return this.#way(skill, "short", end, () => cutAt(skill.description, end));
  }

  #name(skill: Skill): Way {
    return this.#way(skill, "name", 0, () => undefined);
  }

  #way(skill: Skill, shown: ShownAs, length: number, describe: () => string | undefined): Way {
    const ways = this.#ways.get(skill) ?? new Map<number, Way>();
    this.#ways.set(skill, ways);
    let way = ways.get(length);
    if (way === undefined) {
      const text = this.#form.renderEntry(this.#nameOf(skill), describe());
      way = { shown, text, cost: this.#budget.measure(`${text}\n`) };
      ways.set(length, way);
    }
    return way;
  }
}

/** Why a skill is shown so. */
export function reasonOf({ skill, way, isRelevant }: Choice): string {
  const tooLong = isLong(skill.description);
  const reasons: Readonly<Record<ShownAs, string>> = {
    full: isRelevant ? "it fits the task" : "it fits",
    short: tooLong ? `its description has more than ${longest} characters` : "shortened to fit the budget",
    name: tooLong ? "its description cannot be shortened" : "there is room for its name only",
    none: "there is no room for it",
  };
  return reasons[way.shown];
}

// In characters, as the specification counts.
function isLong(description: string): boolean {
  return description.length > longest && Array.from(description).length > longest;
}

function costOf(choices: readonly Choice[]): number {
  return choices.reduce((sum, { way }) => sum + way.cost, 0);
}
