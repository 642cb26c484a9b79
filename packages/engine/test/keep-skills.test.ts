import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { layEntries, layTree, skillText } from "../../../test/support/tree.ts";
import { createEngine } from "../src/index.ts";

function openAt(reload: string) {
  const folder = layTree({ "home/.agents/skills/a/SKILL.md": skillText("a") });
  const env = {
    HOME: join(folder, "home"),
    XDG_STATE_HOME: join(folder, "state"),
    XDG_CONFIG_HOME: join(folder, "config"),
    SKILLHOLM_SKILLS_RELOAD: reload,
  };
  const engine = createEngine({ cwd: folder, env });
  const add = (name: string) => layEntries(folder, { [`home/.agents/skills/${name}/SKILL.md`]: skillText(name) });
  const names = async () => {
    const { catalog } = await engine.freshSkills();
    return catalog.skills.flatMap(({ name, scope }) => (scope === "user" ? [name] : []));
  };
  const remove = (name: string) => rmSync(join(folder, "home/.agents/skills", name), { recursive: true });
  return { engine, add, remove, names };
}

it.each(["restart", "manual"])("does not see changes by itself where they wait for a %s", async (reload) => {
  const { engine, add, names } = openAt(reload);
  expect(await names()).toEqual(["a"]);
  add("b");
  expect(await names()).toEqual(["a"]);
  expect((await engine.skills()).catalog.skills.some(({ name }) => name === "b")).toBe(false);
  await engine.reloadSkills();
  expect(await names()).toEqual(reload === "manual" ? ["a", "b"] : ["a"]);
});

it.each(["call", "watch"])("sees changes at the next question where they are seen by %s", async (reload) => {
  const { add, remove, names } = openAt(reload);
  expect(await names()).toEqual(["a"]);
  add("b");
  expect(await names()).toEqual(["a", "b"]);
  remove("a");
  expect(await names()).toEqual(["b"]);
});

it("sees changes as they happen while somebody watches", async () => {
  const { engine, add, names } = openAt("watch");
  onTestFinished(engine.watch());
  expect(await names()).toEqual(["a"]);
  const skills = await engine.skills();
  // A watch that has begun sees everything from then on; before that, a look does.
  await skills.watch().ready;
  add("b");
  const sees = () => skills.catalog.skills.some(({ name }) => name === "b");
  for (let tries = 0; !sees() && tries < 100; tries++) await setTimeout(50);
  expect(await names()).toEqual(["a", "b"]);
});
