import type { ChatChunk } from "@skillholm/chat";
import type { Diagnostic, Elsewhere, Root, RunnerState, Skill, SkillRef, Skills } from "@skillholm/core";
import type { McpService, Serving } from "@skillholm/mcp";
import type { ToolCall } from "@skillholm/profiles";
import type { RpcHandler } from "@skillholm/rpc";
import type { AnswerStore, CompatStore, DecisionLog, TrustStore } from "@skillholm/store";
import type { SkillTool, ToolResult } from "@skillholm/tools";
import type { Chats } from "./chats.ts";
import type { ConfigValue } from "./config-keys.ts";
import type { ChangedFile } from "./content-gate.ts";
import type { McpOptions } from "./mcp.ts";
import type { OpenedConfig } from "./open-config.ts";
import type { LoadRequest, RequestOptions, RunReport, RunRequest } from "./operate.ts";
import type { OwnListing } from "./own-listing.ts";
import type { PromptReport, PromptRequest } from "./prompt.ts";

export interface EngineOptions {
  /** Hears of what a limit cut, and of what could not be written down. */
  readonly warn?: (message: string) => void;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Instead of the default roots; a root that a person names is trusted. */
  readonly roots?: readonly Root[];
  /** A configuration file in place of the project's. */
  readonly config?: string;
  /** Settings from the command line, by key. */
  readonly flags?: Readonly<Record<string, ConfigValue>>;
}

/** The model that answers. */
export interface ModelFacts {
  readonly id: string;
  /** False for the built-in guide: it finds skills and shows them, and cannot follow them. */
  readonly languageModel: boolean;
}

/** What every host opens: the skills, and what a person decided about them. */
export interface Engine {
  readonly cwd: string;
  readonly home: string;
  /** Where what is remembered and what was said lies. */
  readonly folders: { readonly state: string; readonly data: string };
  /** The folder that `trust` means when none is named. */
  readonly project: string;
  readonly trust: TrustStore;
  readonly compat: CompatStore;
  /** The settings, and where each came from; throws for a file that is wrong. */
  config(): OpenedConfig;
  /** What was remembered and cannot be read. */
  readonly problems: readonly Diagnostic[];
  /** Loads the skills, once until an answer changes. */
  skills(): Promise<Skills>;
  /** The same as they are now, as far as the policy sees changes, and with what was decided in other processes. */
  freshSkills(): Promise<Skills>;
  /** The same after another look at the disk, unless the policy is `restart`. */
  reloadSkills(): Promise<Skills>;
  /** For a program that goes on: changes are seen as they happen, where the policy is so. Ends when called. */
  watch(): () => void;
  /** What lies in the folders of agents that are switched off. */
  elsewhere(): Promise<readonly Elsewhere[]>;
  /** The secret in the server's address. */
  serverKey(): Promise<string>;
  readonly model: ModelFacts;
  /** What is not as it was when a project's skill was trusted; nothing where only folders are trusted. */
  changes(skill: SkillRef): Promise<readonly ChangedFile[]>;
  /** Remembers the skills below a folder as they are now. */
  trustContents(folder: string): Promise<void>;
  /** Approves the skills of another server as they are listed now; returns their names. */
  approveServer(path: string): Promise<readonly string[]>;
  /** What the model sees at the start; the budget, in tokens, is the configured one unless given. */
  prompt(options?: PromptRequest): Promise<PromptReport>;
  /** What a skill's entry in the catalog costs, in full. */
  entryTokens(skill: Skill): Promise<number>;
  /** A skill's instructions, as a model gets them, for a person; in the profile's own shape. */
  load(reference: string, options?: LoadRequest): Promise<ToolResult>;
  /** One file of a skill; `lines` as `10-40`. */
  read(
    reference: string,
    path: string,
    options?: RequestOptions & { readonly lines?: string | undefined },
  ): Promise<ToolResult>;
  /** Runs one script of a skill, for a person. */
  run(reference: string, script: string, options?: RunRequest): Promise<RunReport>;
  /** What holds scripts in here, and why none can run where that is so. */
  sandbox(): Promise<RunnerState>;
  /** Whether scripts run without one, since somebody said so. */
  isUnsandboxed(): Promise<boolean>;
  /** What the profile's own listing says; undefined where it has none. */
  ownListing(): Promise<OwnListing | undefined>;
  /** The roots that somebody named, or that the profile lays out; undefined for those where agents agree to look. */
  roots(): readonly Root[] | undefined;
  /** The tools that a model is offered. */
  tools(): Promise<readonly SkillTool[]>;
  /** Calls one tool exactly as a model would. */
  callTool(call: ToolCall, options?: RequestOptions): Promise<ToolResult>;
  /** What was answered for good, and what was decided of late. */
  readonly answers: AnswerStore;
  readonly decisions: DecisionLog;
  /** Answers messages of JSON-RPC, of one client or of many. */
  rpc(version: string, clients?: "one" | "many"): Promise<RpcHandler>;
  /** Answers clients of MCP; `report` hears of what they will not see. */
  mcp(options: McpOptions): Promise<McpService>;
  /** How a skill reaches clients that keep to the Skills extension of MCP. */
  mcpServing(skill: Skill): Promise<Serving>;
  /** Conversations, kept on this machine. */
  chats(): Promise<Chats>;
  /** One answer, kept nowhere. */
  ask(text: string): Promise<ReadableStream<ChatChunk>>;
}
