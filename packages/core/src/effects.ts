import { canonicalKey, readText } from "./fields.ts";
import type { Frontmatter } from "./value.ts";

/** One key of a frontmatter, and whether it changes anything here. */
export interface FieldEffect {
  readonly key: string;
  /** As one text. */
  readonly value: string;
  readonly effect: boolean;
  readonly note: string;
}

// Truth of this version: move a key up when the feature that reads it lands.
const effects: ReadonlyMap<string, readonly [effect: boolean, note: string]> = new Map([
  ["name", [true, "names the skill"]],
  ["description", [true, "tells the model what it does and when to use it"]],
  ["license", [false, "shown to people"]],
  ["compatibility", [false, "shown to people"]],
  ["metadata", [false, "shown to people"]],
  ["version", [false, "shown to people"]],
  ["tags", [true, "found by search"]],
  ["when-to-use", [true, "found by search"]],
  ["triggers", [true, "found by search; with skills.triggers, a message that matches suggests or injects it"]],
  ["allowed-tools", [true, "what its scripts ask for: logged, or needed where skills.allowed_tools is enforce"]],
  ["toolsets", [true, "tools that it brings itself, once it is activated, where scripts may run"]],
  ["argument-hint", [false, "kept for the picker"]],
  ["arguments", [true, "names the slots that what is given fills: $name in the instructions"]],
  ["user-invocable", [true, "false: nobody calls it by name in a message"]],
  [
    "disable-model-invocation",
    [true, "keeps it from models: not in their catalog or search, and they cannot activate it"],
  ],
  ["paths", [false, "another client's field"]],
  ["model", [false, "another client's field; the host chooses the model"]],
  ["context", [false, "another client's field"]],
  ["agent", [false, "another client's field"]],
  ["effort", [false, "another client's field"]],
  ["hooks", [false, "another client's field; hooks never run here"]],
] as const);

/** What each key of a frontmatter does here, in the order in which they were written. */
export function describeFields(frontmatter: Frontmatter): readonly FieldEffect[] {
  return Object.entries(frontmatter).map(([key, value]) => {
    const [effect, note] = effects.get(canonicalKey(key)) ?? [false, "unknown key"];
    return { key, value: readText(value), effect, note };
  });
}
