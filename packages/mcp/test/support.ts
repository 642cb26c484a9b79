import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createSession, type PermissionRule, type Skills } from "@skillholm/core";
import { onTestFinished } from "vitest";
import { createMcpService, type McpHost, type McpService } from "../src/index.ts";

export interface TestHost extends McpHost {
  readonly reports: readonly string[];
}

/** A program around skills: no disk, no configuration. */
export function hostOf(skills: Skills, rules: readonly PermissionRule[] = []): TestHost {
  const reports: string[] = [];
  return {
    version: "1.2.3",
    reports,
    open: async (answer) => {
      const ask = answer === undefined ? {} : { ask: async () => answer === "yes" };
      return { skills, session: createSession(skills, { permissions: { rules, ...ask } }) };
    },
    watch: (changed) => {
      const watch = skills.watch(changed);
      return () => watch.close();
    },
    report: (problem) => void reports.push(problem),
  };
}

export function serviceOf(host: McpHost): McpService {
  const service = createMcpService(host);
  onTestFinished(() => service.close());
  return service;
}

/** The official client, of the older or the newer kind, with requests that never leave the process. */
export async function connect(
  service: McpService,
  era: "old" | "new",
  options: ClientOptions = {},
  prepare: (client: Client) => void = () => undefined,
): Promise<Client> {
  const mode = era === "old" ? ("legacy" as const) : { pin: "2026-07-28" };
  const client = new Client({ name: "test", version: "0" }, { versionNegotiation: { mode }, ...options });
  prepare(client);
  const fetch = (url: string | URL, init?: RequestInit) => service.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch }));
  onTestFinished(() => client.close());
  return client;
}
