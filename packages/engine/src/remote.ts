import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Root, SkillError, type Skills, type SourceRoots } from "@skillholm/core";
import { createRemoteSource } from "@skillholm/mcp/remote";
import type { ContentTrust } from "@skillholm/store";
import type { ConfigServer } from "./config-file.ts";

type Env = Readonly<Record<string, string | undefined>>;

const timeout = 10_000;
const extensions = { "io.modelcontextprotocol/skills": {} };

/** The skills of other MCP servers, each below `mcp://NAME`. */
export function remoteSources(servers: readonly ConfigServer[], env: Env): readonly SourceRoots[] {
  return servers.map((server) => {
    const { name, url: origin } = server;
    const place = { path: `mcp://${name}`, scope: "plugin", writable: false, links: "inside" } as const;
    // The gate holds each skill back until somebody approves it.
    const root: Root = { ...place, trusted: true, origin };
    return { source: createRemoteSource(() => connect(server, env)), roots: [root] };
  });
}

async function connect({ url, token_env: variable }: ConfigServer, env: Env): Promise<Client> {
  const token = variable === undefined ? undefined : env[variable];
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
  const options = { capabilities: { extensions }, versionNegotiation: { mode: "auto" as const } };
  const client = new Client({ name: "skillholm", version: "0" }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }), { timeout });
  return client;
}

/** Remembers the digests that a server lists now: what is another file later waits again. */
export async function approveServer(
  { catalog, fileHashes }: Skills,
  contents: ContentTrust,
  path: string,
): Promise<readonly string[]> {
  const all = [...catalog.skills, ...catalog.hidden.flatMap(({ skill }) => skill ?? [])];
  const theirs = all.filter(({ root }) => root.origin !== undefined && root.path === path);
  if (theirs.length === 0) {
    const known = catalog.roots.flatMap(({ root }) => (root.origin === undefined ? [] : [root.path]));
    const message = `No server ${path} lists skills. Known: ${known.join(", ") || "none"}.`;
    throw new SkillError("invalid-input", message);
  }
  for (const skill of theirs) await contents.set(skill.realPath, await fileHashes(skill));
  return theirs.map(({ name }) => name);
}
