// The public names of the library on Node: the portable ones, and those that touch the disk.
export type { Activation } from "./activate.ts";
export { type Bundle, type BundleOptions, bundleSkills } from "./bundle.ts";
export type { Catalog, HiddenSkill, HiddenState, RootReport } from "./catalog.ts";
export type { Client, ClientFact } from "./clients.ts";
export { type FileCost, measureSkill, type SkillCost } from "./cost.ts";
export type { Diagnostic, DiagnosticCode } from "./diagnostic.ts";
export { describeFields, type FieldEffect } from "./effects.ts";
export { SkillError, type SkillErrorCode } from "./error.ts";
export type { OpenaiFields, SkillFields, Triggers } from "./fields.ts";
export { type Fixed, fixSkill } from "./fix.ts";
export type { Head } from "./frontmatter.ts";
export { readSkillFolder } from "./fs-folder.ts";
export { createFsSource } from "./fs-source.ts";
export type { Gate } from "./gate.ts";
export { describeHiddenText, findHiddenText, type HiddenText } from "./hidden-text.ts";
export { type ClientVerdict, findClients, judgeForClients } from "./judge-clients.ts";
export { type Ledger, type LedgerActivation, type LedgerDecision, parseLedger } from "./ledger.ts";
export type { Observation } from "./ledger-book.ts";
export type { Limits } from "./limits.ts";
export type { SkillsOptions } from "./load.ts";
export { closestNames, type Entry } from "./lookup.ts";
export { createMemorySource, type MemoryFiles } from "./memory-source.ts";
export type { Mention, Mentions } from "./mention.ts";
export {
  countElsewhere,
  type Elsewhere,
  homeFolder,
  layoutRoots,
  type OpenOptions,
  openSkills,
  projectFolder,
} from "./open.ts";
export type { Section } from "./outline.ts";
export type {
  Judgement,
  PermissionAnswer,
  PermissionRequest,
  PermissionRule,
  Permissions,
  ScriptApproval,
} from "./permissions.ts";
export { type MentionStyle, type Policy, type ScriptPolicy, standardPolicy } from "./policy.ts";
export {
  type BinaryPolicy,
  type LineRange,
  parseLines,
  type Resource,
} from "./resources.ts";
export { type Agent, type Root, type Scope, scopes } from "./root.ts";
export { agents, type RootLayout, type RootPlace } from "./roots.ts";
export type {
  Interpreter,
  Runner,
  RunnerState,
  SandboxName,
  ScriptFile,
  ScriptInput,
  ScriptOutcome,
  ScriptRequest,
} from "./runner.ts";
export { failureOf, type RunOptions, type ScriptRun } from "./scripts.ts";
export { describeSearch, type SearchOutput } from "./search/describe.ts";
export type { Embed } from "./search/meaning.ts";
export type { Hit, SearchOptions, SearchReason, SearchResult } from "./search/search.ts";
export {
  createSession,
  operations,
  type Session,
  type SessionActivateOptions,
  type SessionActivation,
  type SessionOptions,
  type ToolOutputs,
} from "./session.ts";
export type { Skill } from "./skill.ts";
export type { SkillFolder } from "./skill-folder.ts";
export { createSkills, type Skills } from "./skills.ts";
export type {
  Candidate,
  FileEntry,
  FileList,
  FileStamp,
  FileStart,
  Reject,
  Scan,
  ScanRequest,
  Since,
  SkillRef,
  Source,
  SourceRoots,
} from "./source.ts";
export { countTokens } from "./tokens.ts";
export type { OwnTool, OwnToolResult } from "./toolsets.ts";
export type { TriggerMatch } from "./triggers.ts";
export { missingSkill, type Verdict, validateSkill } from "./validate.ts";
export type { FieldValue, Frontmatter } from "./value.ts";
export type { Watch } from "./watch.ts";
