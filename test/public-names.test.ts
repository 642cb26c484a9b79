import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** What users may import; adding or dropping a name is a decision, so that it is written here too. */
const portable = {
  values: [
    "SkillError",
    "agents",
    "bundleSkills",
    "closestNames",
    "countTokens",
    "createMemorySource",
    "createSession",
    "createSkills",
    "describeFields",
    "describeHiddenText",
    "describeSearch",
    "failureOf",
    "findClients",
    "findHiddenText",
    "fixSkill",
    "judgeForClients",
    "measureSkill",
    "missingSkill",
    "operations",
    "parseLedger",
    "parseLines",
    "scopes",
    "standardPolicy",
    "validateSkill",
  ],
  types: [
    "Activation",
    "Agent",
    "BinaryPolicy",
    "Bundle",
    "BundleOptions",
    "Candidate",
    "Catalog",
    "Client",
    "ClientFact",
    "ClientVerdict",
    "Diagnostic",
    "DiagnosticCode",
    "Embed",
    "Entry",
    "FieldEffect",
    "FieldValue",
    "FileCost",
    "FileEntry",
    "FileList",
    "FileStamp",
    "FileStart",
    "Fixed",
    "Frontmatter",
    "Gate",
    "Head",
    "HiddenSkill",
    "HiddenState",
    "HiddenText",
    "Hit",
    "Interpreter",
    "Judgement",
    "Ledger",
    "LedgerActivation",
    "LedgerDecision",
    "Limits",
    "LineRange",
    "MemoryFiles",
    "Mention",
    "MentionStyle",
    "Mentions",
    "Observation",
    "OpenaiFields",
    "OwnTool",
    "OwnToolResult",
    "PermissionAnswer",
    "PermissionRequest",
    "PermissionRule",
    "Permissions",
    "Policy",
    "Reject",
    "Resource",
    "Root",
    "RootLayout",
    "RootPlace",
    "RootReport",
    "RunOptions",
    "Runner",
    "RunnerState",
    "SandboxName",
    "Scan",
    "ScanRequest",
    "Scope",
    "ScriptApproval",
    "ScriptFile",
    "ScriptInput",
    "ScriptOutcome",
    "ScriptPolicy",
    "ScriptRequest",
    "ScriptRun",
    "SearchOptions",
    "SearchOutput",
    "SearchReason",
    "SearchResult",
    "Section",
    "Session",
    "SessionActivateOptions",
    "SessionActivation",
    "SessionOptions",
    "Since",
    "Skill",
    "SkillCost",
    "SkillErrorCode",
    "SkillFields",
    "SkillFolder",
    "SkillRef",
    "Skills",
    "SkillsOptions",
    "Source",
    "SourceRoots",
    "ToolOutputs",
    "TriggerMatch",
    "Triggers",
    "Verdict",
    "Watch",
  ],
};
const onNode = {
  values: [
    ...portable.values,
    "countElsewhere",
    "createFsSource",
    "homeFolder",
    "layoutRoots",
    "openSkills",
    "projectFolder",
    "readSkillFolder",
  ].sort(),
  types: [...portable.types, "Elsewhere", "OpenOptions"].sort(),
};

const forAiSdk = { values: ["toAiSdk"], types: ["AgentOptions", "AiSdkAgent"] };
const forOpenAi = { values: ["toOpenAi", "toOpenAiChat"], types: ["AgentOptions", "OpenAiAgent", "OpenAiChatAgent"] };
const forProfiles = {
  values: [
    "SkillContextProvider",
    "SkillLoader",
    "agentBase",
    "codelia",
    "codeliaSchemas",
    "codeliaScope",
    "describeSkill",
    "mycodeagent",
    "openProfile",
    "profiles",
    "remcochat",
    "smallebot",
    "standard",
  ],
  types: [
    "CatalogLimits",
    "HostFiles",
    "Profile",
    "ProfilePolicy",
    "ResourceType",
    "SkillLoaderOptions",
    "SkillMeta",
    "SkillMetadata",
    "ToolCall",
    "ToolHost",
  ],
};
const forScripts = {
  values: ["createScriptRunner", "defaultRunLimits", "longestTimeoutMs"],
  types: ["RunLimits", "RunnerOptions"],
};
const forAnthropic = { values: ["toAnthropic"], types: ["AgentOptions", "AnthropicAgent"] };

describe("the public names", () => {
  it.each([
    ["core/src/portable", portable],
    ["core/src/index", onNode],
    ["profiles/src/ai-sdk", forAiSdk],
    ["profiles/src/openai", forOpenAi],
    ["profiles/src/anthropic", forAnthropic],
    ["profiles/src/index", forProfiles],
    ["sandbox/src/index", forScripts],
  ])("of %s are these", async (entry, { values, types }) => {
    const file = new URL(`../packages/${entry}.ts`, import.meta.url);
    expect(Object.keys(await import(file.href)).sort()).toEqual(values);
    expect(exportedTypes(readFileSync(file, "utf8"))).toEqual(types);
  });
});

function exportedTypes(text: string): readonly string[] {
  const names = [...text.matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(([, allTypes, list = ""]) =>
    list
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && (allTypes !== undefined || name.startsWith("type ")))
      .map((name) => name.replace(/^type /, "")),
  );
  const declared = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = ""]) => name);
  return [...names, ...declared].sort();
}
