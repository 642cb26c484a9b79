import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { requirements } from "./requirements.ts";
import { statuses } from "./status.ts";

/** The requirements that a test's name begins with: `S0-19, S0-29 is off …`. */
function numbersIn(text: string): readonly string[] {
  const names = text.matchAll(/^\s*it\(\s*["'`]((?:S\d-\d+)(?:, S\d-\d+)*) /gm);
  return [...names].flatMap(([, numbers = ""]) => numbers.split(", "));
}

const folder = new URL(".", import.meta.url);
// What only the package can show is shown where it is built.
const files = [...readdirSync(folder).filter((name) => name.endsWith(".test.ts")), "../package.test.ts"];
const tested = new Set(files.flatMap((name) => numbersIn(readFileSync(new URL(name, folder), "utf8"))));

describe("the requirements of the five systems", () => {
  it("are all here", () => {
    expect(Object.keys(requirements)).toHaveLength(466);
  });

  it("each have a test, or the reason why not", () => {
    const missing = Object.keys(requirements).filter((id) => !tested.has(id) && statuses[id] === undefined);
    expect(missing).toEqual([]);
  });

  it("are not excused where a test shows them", () => {
    expect(Object.keys(statuses).filter((id) => tested.has(id) || requirements[id] === undefined)).toEqual([]);
    expect([...tested].filter((id) => requirements[id] === undefined)).toEqual([]);
  });
});
