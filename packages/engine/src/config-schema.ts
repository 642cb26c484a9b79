import { scopes } from "@skillholm/core";
import { type ConfigKey, configKeys } from "./config-keys.ts";

/** The configuration as JSON Schema, so that editors complete and check it. */
export function configSchema(): object {
  const own = configKeys.filter(({ key }) => !key.includes("."));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Skillholm configuration",
    ...tableOf({
      ...propertiesOf(own),
      skills: tableOf({
        ...propertiesOf(inSection("skills")),
        initial: tableOf(propertiesOf(inSection("skills.initial"))),
        search: tableOf(propertiesOf(inSection("skills.search"))),
        roots: listOf(rootSchema),
      }),
      permissions: tableOf({ deny: listOf(ruleSchema), allow: listOf(ruleSchema), ask: listOf(ruleSchema) }),
      server: tableOf(propertiesOf(inSection("server"))),
      mcp: tableOf({ servers: listOf(serverSchema) }),
    }),
  };
}

function inSection(section: string): readonly ConfigKey[] {
  return configKeys.filter(({ key }) => key.slice(0, key.lastIndexOf(".")) === section);
}

function propertiesOf(keys: readonly ConfigKey[]): Readonly<Record<string, object>> {
  return Object.fromEntries(keys.map((key) => [key.key.split(".").at(-1), schemaOf(key)]));
}

function schemaOf({ type, values, minimum, maximum, fallback, about }: ConfigKey): object {
  const text = values === undefined ? { type: "string" } : { enum: values };
  const kinds = {
    text,
    flag: { type: "boolean" },
    number: { type: "integer", minimum: minimum ?? 0, ...(maximum === undefined ? {} : { maximum }) },
    list: listOf(text),
  };
  return { ...kinds[type], default: fallback, description: about };
}

function tableOf(properties: Readonly<Record<string, object>>, required: readonly string[] = []): object {
  return { type: "object", additionalProperties: false, properties, ...(required.length > 0 ? { required } : {}) };
}

function listOf(items: object): object {
  return { type: "array", items };
}

const rootSchema = tableOf({ path: { type: "string", minLength: 1 }, scope: { enum: scopes } }, ["path"]);
const ruleSchema = tableOf({ tool: { type: "string", minLength: 1 }, skill_name: { type: "string", minLength: 1 } }, [
  "tool",
]);
const filled = { type: "string", minLength: 1 };
const serverSchema = tableOf({ name: filled, url: filled, token_env: filled }, ["name", "url"]);
