import { SECRET_STAND_IN } from '../../src/contract/connectors.ts'
import type { SecretReference } from './file.schema.ts'
import { isObject, type Json, type Path, pointer } from './json.ts'

/** Secrets of a settings file by the pointer to where they stand. `value` is missing when the variable is not set. */
export type Secrets = ReadonlyMap<string, { variable: string; value: string | undefined }>

/**
 * Passes every rule that texts and addresses of ours have, and is never sent: what cannot be filled in is refused before
 * anything is changed.
 */
const PLACEHOLDER = 'https://unset.invalid' // RFC 2606 §2

/** References become the texts they stand for, so that the file can be judged as a whole. */
export function resolveSecrets(
  file: unknown,
  env: Readonly<Record<string, string | undefined>>,
): { value: unknown; secrets: Secrets } {
  const secrets = new Map<string, { variable: string; value: string | undefined }>()

  function resolved(value: unknown, path: Path): unknown {
    if (isReference(value)) {
      const given = env[value.env] || undefined
      secrets.set(pointer(path), { variable: value.env, value: given })
      return given ?? PLACEHOLDER
    }
    if (Array.isArray(value)) return value.map((item, index) => resolved(item, [...path, String(index)]))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, resolved(item, [...path, key])]),
    )
  }

  return { value: resolved(file, []), secrets }
}

/** The name of a variable, so that an object of texts is not taken for a reference because one of them is called `env`. */
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

/** The name suggested for the variable of a secret: where it stands, in capitals. */
export const suggestedVariable = (path: Path): string =>
  path
    .map((part) =>
      part
        .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
        .replaceAll(/[^A-Za-z\d]+/g, '_')
        .toUpperCase(),
    )
    .join('_')
    .replace(/^(?=\d)/, '_')

/** Those that stand at this place or below it. */
export const secretsWithin = (secrets: Secrets, path: Path) =>
  [...secrets].flatMap(([place, secret]) => (`${place}/`.startsWith(`${pointer(path)}/`) ? [secret] : []))

/**
 * What stands under these pointers, `value` being at `path`: a secret that is not set keeps what the server has. Where the
 * server tells a stand-in, that is what keeps it, and whatever the secret is a part of.
 */
export function withKept(
  value: Json,
  current: Json | undefined,
  path: Path,
  secrets: Secrets,
): Json | Missing {
  if (
    current === SECRET_STAND_IN &&
    secretsWithin(secrets, path).some(({ value: given }) => given === undefined)
  )
    return current
  const secret = secrets.get(pointer(path))
  if (secret && secret.value === undefined)
    return current === undefined ? new Missing(secret.variable) : current
  if (Array.isArray(value)) {
    const before = Array.isArray(current) ? current : []
    const items: Json[] = []
    for (const [index, item] of value.entries()) {
      const kept = withKept(item, before[index], [...path, String(index)], secrets)
      if (kept instanceof Missing) return kept
      items.push(kept)
    }
    return items
  }
  if (!isObject(value)) return value
  const before = isObject(current) ? current : {}
  const fields: Record<string, Json> = {}
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue
    const kept = withKept(item, before[key], [...path, key], secrets)
    if (kept instanceof Missing) return kept
    fields[key] = kept
  }
  return fields
}

/** A secret that is needed and nobody knows. */
export class Missing {
  readonly variable: string
  constructor(variable: string) {
    this.variable = variable
  }
}
