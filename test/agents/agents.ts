import { join } from "node:path";

/** Where one agent runs: a folder of its own for everything. */
interface AgentPlace {
  readonly home: string;
  /** Address of the model. */
  readonly model: string;
}

/** A real agent from npm, and how it is told where its model and our server are. */
export interface RealAgent {
  readonly package: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Where its configuration lies. */
  config(home: string): string;
  /** Its configuration: what we print for it, and the address of its model. */
  write(printed: string, place: AgentPlace): string;
}

const task = "Make tea, please.";

export const agents: Readonly<Record<string, RealAgent>> = {
  codex: {
    package: "@openai/codex",
    command: "codex",
    args: ["exec", "--skip-git-repo-check", task],
    config: (home) => join(home, ".codex/config.toml"),
    write: (printed, { model }) =>
      [
        'model = "scripted"',
        'model_provider = "local"',
        'approval_policy = "never"',
        'sandbox_mode = "danger-full-access"',
        "[model_providers.local]",
        'name = "local"',
        `base_url = ${JSON.stringify(model)}`,
        'wire_api = "responses"',
        printed,
      ].join("\n"),
  },
  opencode: {
    package: "opencode-ai",
    command: "opencode",
    args: ["run", "--model", "local/scripted", task],
    config: (home) => join(home, ".config/opencode/opencode.json"),
    write: (printed, { model }) => {
      const options = { baseURL: model, apiKey: "none" };
      const local = { npm: "@ai-sdk/openai-compatible", name: "Local", options, models: { scripted: {} } };
      const own = { autoupdate: false, share: "disabled", provider: { local } };
      return JSON.stringify({ ...JSON.parse(printed), ...own }, null, 2);
    },
  },
};
