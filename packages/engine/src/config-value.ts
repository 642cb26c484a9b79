import type { SkillError } from "@skillholm/core";
import type { ConfigKey, ConfigValue } from "./config-keys.ts";

/** A value of the right kind; else the error says what would be right. */
export function checkValue(key: ConfigKey, value: unknown, error: (message: string) => SkillError): ConfigValue {
  if (isRight(key, value)) return value;
  throw error(`"${key.key}" is ${JSON.stringify(value)}; it should be ${describeRight(key)}`);
}

function isRight(
  { type, values, minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: ConfigKey,
  value: unknown,
): value is ConfigValue {
  const isText = (item: unknown) => typeof item === "string" && (values === undefined || values.includes(item));
  if (type === "flag") return typeof value === "boolean";
  if (type === "number") return Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
  return type === "list" ? Array.isArray(value) && value.every(isText) : isText(value) && value !== "";
}

function describeRight({ type, values, minimum = 0, maximum }: ConfigKey): string {
  const known = values?.join(", ");
  if (type === "flag") return "true or false";
  if (type === "number") return `a whole number from ${minimum} ${maximum === undefined ? "on" : `to ${maximum}`}`;
  if (type === "list") return known === undefined ? "a list of texts" : `a list of ${known}`;
  return known === undefined ? "a text" : `one of ${known}`;
}
