import type { Skills } from "@skillholm/core";
import { createMcpService, type McpHost, type McpService } from "@skillholm/mcp";
import { openSession } from "./operate.ts";
import type { Setup } from "./setup.ts";

export interface McpOptions {
  readonly version: string;
  /** Hears of what clients will not see, and of what went wrong. */
  report(problem: string): void;
}

interface McpEngine extends McpOptions {
  /** As they are now. */
  skills(): Promise<Skills>;
  setup(): Promise<Setup>;
  /** Keeps the skills up with the disk until it is called. */
  watch(): () => void;
}

/** The engine as a server of MCP. */
export function createMcp({ version, report, skills, setup, watch }: McpEngine): McpService {
  const watching = createWatching(report);
  const host: McpHost = {
    version,
    report,
    open: async (answer) => {
      const found = await skills();
      watching.follow(found);
      const ask = answer === undefined ? undefined : async () => answer === "yes";
      // The tools have their own names here, whatever the profile calls them.
      const chosen = { ...(await setup()), nameOf: (tool: string) => tool };
      return { skills: found, session: openSession(found, chosen, ask) };
    },
    watch: (changed) => {
      const stop = watch();
      const end = watching.start(changed);
      void skills().then(watching.follow, () => undefined);
      return () => {
        end();
        stop();
      };
    },
  };
  return createMcpService(host);
}

/** Tells of changes in whatever skills are the ones in use: what somebody decides makes others of them. */
function createWatching(report: (problem: string) => void) {
  let changed: (() => void) | undefined;
  let followed: Skills | undefined;
  let close: () => void = () => undefined;
  return {
    start: (tell: () => void) => {
      changed = tell;
      return () => {
        changed = undefined;
        close();
      };
    },
    follow: (skills: Skills) => {
      if (changed === undefined || skills === followed) return;
      const isOther = followed !== undefined;
      followed = skills;
      close();
      if (skills.policy.reload === "watch") {
        const watch = skills.watch(() => changed?.());
        watch.ready.catch((error: Error) => report(error.message));
        close = () => watch.close();
      }
      if (isOther) changed();
    },
  };
}
