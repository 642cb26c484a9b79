import { describe, expect, it } from "vitest";
import { createMachines } from "../../hosts/cli/test/command.ts";

const layMachine = createMachines();

describe("the conformance skill's procedure", () => {
  it("S0-125 is walked by a command, step by step", async () => {
    const { status, stdout } = await layMachine({}).run(["selftest", "--profile", "remcochat"]);
    const steps = [...stdout.matchAll(/^(.) (\d)\. ([^:]+): (.*)$/gm)].map(([, sign, step, name]) => [
      sign,
      step,
      name,
    ]);
    expect(steps.slice(0, 4)).toEqual([
      ["✓", "1", "metadata only"],
      ["✓", "2", "activate"],
      ["✓", "3", "read resources"],
      ["✓", "4", "refuse bad paths"],
    ]);
    expect(steps.map(([, step]) => step)).toEqual(["1", "2", "3", "4", "5"]);
    expect(status).toBe(0);
  });
});
