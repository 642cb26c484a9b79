import { runSelftest, type SelftestStep } from "@skillholm/engine";
import type { Context } from "../context.ts";
import { withProgress } from "../terminal.ts";

/** Walks the conformance skill in the chosen profile, and reports each step; 1 when one failed. */
export async function runSelftestCommand({ engine, terminal, json }: Context): Promise<number> {
  const report = await withProgress("Walking the conformance skill…", runSelftest(engine.config().profile.name));
  if (json) {
    await terminal.printJson(report);
  } else {
    for (const { step, name, status, detail } of report.steps) {
      terminal.print(`${terminal.style(colors[status], signs[status])} ${step}. ${name}: ${detail}`);
    }
    terminal.print(`${report.profile}: ${report.passed ? "no step failed" : "a step failed"}`);
  }
  return report.passed ? 0 : 1;
}

const signs: Readonly<Record<SelftestStep["status"], string>> = { passed: "✓", failed: "✗", "not-applicable": "–" };
const colors = { passed: "green", failed: "red", "not-applicable": "dim" } as const;
