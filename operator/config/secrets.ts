import { SECRET_PLACEHOLDER } from '../../src/contract/connectors/connectors.ts'
import type { SecretReference } from './file.schema.ts'
import { isObject, type JsonPath, type JsonValue, jsonPointer } from './json.ts'

/** The secrets of a settings file, by JSON pointer. `value` is undefined if the variable is not set. */
export type Secrets = ReadonlyMap<string, { variable: string; value: string | undefined }>

/**
 * A placeholder that is valid both as text and as a URL, so that the file can be validated without the secret. It is
 * never sent, because a plan with a missing secret is rejected.
 */
const PLACEHOLDER = 'https://unset.invalid' // RFC 2606 §2

/** Replaces references with the values of their variables, so that the file can be validated as a whole. */
export function resolveSecrets(
  file: unknown,
  env: Readonly<Record<string, string | undefined>>,
): { value: unknown; secrets: Secrets } {
  const secrets = new Map<string, { variable: string; value: string | undefined }>()

  function resolve(value: unknown, path: JsonPath): unknown {
    if (isReference(value)) {
      const secret = env[value.env] || undefined
      secrets.set(jsonPointer(path), { variable: value.env, value: secret })
      return secret ?? PLACEHOLDER
    }
    if (Array.isArray(value)) return value.map((item, index) => resolve(item, [...path, String(index)]))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, resolve(item, [...path, key])]),
    )
  }

  return { value: resolve(file, []), secrets }
}

/** The allowed names of variables. An object with any other value under `env` is not a reference. */
const VARIABLE = /^[A-Z_][A-Z\d_]*$/

function isReference(value: unknown): value is SecretReference {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length === 1 &&
    'env' in value &&
    typeof value.env === 'string' &&
    VARIABLE.test(value.env)
  )
}

/** Returns the secrets at a path and below it. */
export const findSecretsWithin = (secrets: Secrets, path: JsonPath) =>
  [...secrets].flatMap(([place, secret]) => (`${place}/`.startsWith(`${jsonPointer(path)}/`) ? [secret] : []))

/**
 * Returns the value at `path`, using stored secrets where variables are not set. Where the server returned a
 * placeholder, sending the placeholder keeps the whole stored value.
 */
export function withStoredSecrets(
  value: JsonValue,
  current: JsonValue | undefined,
  path: JsonPath,
  secrets: Secrets,
): JsonValue | MissingSecret {
  if (
    current === SECRET_PLACEHOLDER &&
    findSecretsWithin(secrets, path).some(({ value: text }) => text === undefined)
  )
    return current
  const secret = secrets.get(jsonPointer(path))
  if (secret && secret.value === undefined)
    return current === undefined ? new MissingSecret(secret.variable) : current
  if (Array.isArray(value)) {
    const before = Array.isArray(current) ? current : []
    const items: JsonValue[] = []
    for (const [index, item] of value.entries()) {
      const resolved = withStoredSecrets(item, before[index], [...path, String(index)], secrets)
      if (resolved instanceof MissingSecret) return resolved
      items.push(resolved)
    }
    return items
  }
  if (!isObject(value)) return value
  const before = isObject(current) ? current : {}
  const fields: Record<string, JsonValue> = {}
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue
    const resolved = withStoredSecrets(item, before[key], [...path, key], secrets)
    if (resolved instanceof MissingSecret) return resolved
    fields[key] = resolved
  }
  return fields
}

/** A required secret whose variable is not set. */
export class MissingSecret {
  readonly variable: string
  constructor(variable: string) {
    this.variable = variable
  }
}
