import type { PromptArgument } from "@modelcontextprotocol/server";
import { dropHidden } from "@skillholm/core/dialect";
import type { Skill } from "@skillholm/core/portable";

const whole = "arguments";

/** What a prompt can be given: the arguments that its skill declares, else one text. */
export function promptArguments({ fields }: Skill): PromptArgument[] {
  const names = fields.arguments ?? [];
  if (names.length === 0) {
    return [
      { name: whole, description: hidden(fields.argumentHint) ?? "What the skill should work on", required: false },
    ];
  }
  return names.map((name, index) => {
    const description = hidden(hintsOf(fields.argumentHint, names.length)[index]);
    return { name, ...(description !== undefined && { description }), required: false };
  });
}

/** One text, as a person would type it after the skill's name; each but the last is one word of it. */
export function writeGiven({ fields }: Skill, given: Readonly<Record<string, string>> = {}): string {
  const names = fields.arguments ?? [];
  if (names.length === 0) return given[whole] ?? "";
  const values = names.map((name) => given[name] ?? "");
  const last = values.findLastIndex((value) => value !== "");
  return values
    .slice(0, last + 1)
    .map((value, index) => (index === names.length - 1 ? value : quote(value)))
    .join(" ");
}

/** What an argument may be, where the hint says so: `[json|csv]`. */
export function completeArgument({ fields }: Skill, name: string, value: string): readonly string[] {
  const names = fields.arguments ?? [];
  const hints = hintsOf(fields.argumentHint, Math.max(1, names.length));
  const hint = names.length === 0 ? hints[0] : hints[names.indexOf(name)];
  const choices = hint?.includes("|") ? hint.replace(/^[[<(]|[\])>]$/g, "").split("|") : [];
  const fits = choices.map((each) => each.trim()).filter((each) => each !== "" && each.startsWith(value));
  return [...new Set(fits)];
}

/** The hint cut into its parts, where it has one for each argument. */
function hintsOf(hint: string | undefined, count: number): readonly string[] {
  const parts = hint?.match(/\[[^\]]*\]|<[^>]*>|\([^)]*\)|[^\s[<(]+/g) ?? [];
  return parts.length === count ? parts : [];
}

function quote(value: string): string {
  return /^[^\s"'\\]+$/.test(value) ? value : `"${value.replace(/["\\]/g, "\\$&")}"`;
}

function hidden(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : dropHidden(text);
}
