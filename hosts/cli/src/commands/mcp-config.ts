import { realpathSync } from "node:fs";
import { closestNames, SkillError } from "@skillholm/core";
import type { Context } from "../context.ts";

/** How a client reaches the server: by starting it, or by an address. */
type Way = { readonly command: string; readonly args: readonly string[] } | { readonly url: string };

interface McpClient {
  /** Where the text goes. */
  readonly place: string;
  write(way: Way): string;
}

const name = "skillholm";

const clients: Readonly<Record<string, McpClient>> = {
  claude: {
    place:
      ".mcp.json in a project; for all projects: claude mcp add-json --scope user skillholm '…' with the inner part",
    write: (way) => toJson({ mcpServers: { [name]: { type: "url" in way ? "http" : "stdio", ...way } } }),
  },
  codex: { place: "~/.codex/config.toml", write: toToml },
  cursor: { place: "~/.cursor/mcp.json, or .cursor/mcp.json in a project", write: plain },
  vscode: {
    place: ".vscode/mcp.json, or what the command MCP: Open User Configuration opens",
    write: (way) => toJson({ servers: { [name]: { type: "url" in way ? "http" : "stdio", ...way } } }),
  },
  opencode: {
    place: "~/.config/opencode/opencode.json, or opencode.json in a project",
    write: (way) => {
      const own =
        "url" in way ? { type: "remote", url: way.url } : { type: "local", command: [way.command, ...way.args] };
      return toJson({ $schema: "https://opencode.ai/config.json", mcp: { [name]: { ...own, enabled: true } } });
    },
  },
  gemini: {
    place: "~/.gemini/settings.json, or .gemini/settings.json in a project",
    write: (way) => ("url" in way ? toJson({ mcpServers: { [name]: { httpUrl: way.url } } }) : plain(way)),
  },
};

/** Prints what to paste into a client's configuration; where it goes is said beside it. */
export function printConfig(
  { terminal, json, given }: Context,
  client: string,
  http?: { readonly host: string; readonly port: number },
): number {
  const { place, write } = find(client);
  const way = http === undefined ? ownCommand(given) : { url: `http://${http.host}:${http.port}/mcp` };
  if (json) {
    terminal.print(JSON.stringify({ client, place, config: write(way), ...way }, null, 2));
    return 0;
  }
  terminal.print(write(way));
  terminal.note(`Put it into ${place}.`);
  return 0;
}

/** Absolute, since clients start it with another path and from another folder. */
function ownCommand(given: readonly string[]): Way {
  return { command: process.execPath, args: [realpathSync(process.argv[1] ?? ""), "mcp", ...given] };
}

function find(client: string): McpClient {
  const known = Object.hasOwn(clients, client) ? clients[client] : undefined;
  if (known !== undefined) return known;
  const names = Object.keys(clients);
  const [near] = closestNames(names, client, 1);
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  throw new SkillError("invalid-input", `--print-config: "${client}" is not known. Known: ${names.join(", ")}.${hint}`);
}

function plain(way: Way): string {
  return toJson({ mcpServers: { [name]: way } });
}

function toJson(value: object): string {
  return JSON.stringify(value, null, 2);
}

// A text in JSON's quotes is one in TOML's.
function toToml(way: Way): string {
  const lines = Object.entries(way).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return [`[mcp_servers.${name}]`, ...lines].join("\n");
}
