// What the first page of skills/list costs with 10,000 skills, as a ratio to a list of 100, in one run through the official
// client; and how much memory a walk over all pages keeps.
//   node --expose-gc bench/mcp.ts [SKILLS]     default: 10000
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { createEngine } from "@skillholm/engine";
import { generateSkills } from "./generate.ts";

const many = Number(process.argv[2] ?? 10_000);
const few = 100;
const rounds = 15;
const folder = mkdtempSync(join(tmpdir(), "skillholm-bench-"));

interface Opened {
  list(cursor?: string): Promise<{ readonly count: number; readonly nextCursor?: string | undefined }>;
  close(): Promise<void>;
}

try {
  // The first of all compiles the code, for both.
  const warm = await open("warm", few);
  await warm.list();
  await warm.close();
  const [small, large] = [await open("few", few), await open("many", many)];
  // The watch of ten thousand folders begins meanwhile, and is not what is measured.
  await setTimeout(3000);
  const first = { small: await time(() => small.list()), large: await time(() => large.list()) };
  const times = { small: [] as number[], large: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.small.push(await time(() => small.list()));
    times.large.push(await time(() => large.list()));
  }
  const { count } = await large.list();
  console.log(`a page of ${count} of ${many} skills, to the list of ${few}:`);
  console.log(`  the very first ${ratio(first.large, first.small)} (${first.large.toFixed(0)} ms)`);
  const [page, list] = [median(times.large), median(times.small)];
  console.log(`  medians of ${rounds} ${ratio(page, list)} (${page.toFixed(0)} ms to ${list.toFixed(0)} ms)`);
  const before = heapAfterGc();
  let [cursor, pages, listed, most] = ["" as string | undefined, 0, 0, 0];
  while (cursor !== undefined) {
    const page = await large.list(cursor === "" ? undefined : cursor);
    most = Math.max(most, heapAfterGc() - before);
    cursor = page.nextCursor;
    listed += page.count;
    pages++;
  }
  console.log(
    `all ${pages} pages, ${listed} skills: at most ${(most / 2 ** 20).toFixed(1)} MiB kept between two of them`,
  );
  await small.close();
  await large.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A server over generated skills, and the official client; messages do not leave the process. */
async function open(name: string, count: number): Promise<Opened> {
  const home = join(folder, name);
  generateSkills(join(home, ".agents/skills"), count);
  const engine = createEngine({ cwd: home, env: { HOME: home, XDG_STATE_HOME: join(home, "state") } });
  const service = await engine.mcp({ version: "0", report: () => undefined });
  const client = new Client({ name: "bench", version: "0" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  const fetch = (url: string | URL, init?: RequestInit) => service.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch }));
  const skills = new SkillsClient(client);
  const request = async (cursor?: string) => {
    // Without a cursor the client walks all pages; the server takes an empty one for none.
    const page = await skills.list({ cursor: cursor ?? "" });
    return { count: page.skills.length, nextCursor: page.nextCursor };
  };
  return {
    list: request,
    close: async () => {
      await client.close();
      await service.close();
    },
  };
}

async function time(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function heapAfterGc(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function ratio(ours: number, other: number): string {
  return `${(ours / other).toFixed(2)}×`;
}
