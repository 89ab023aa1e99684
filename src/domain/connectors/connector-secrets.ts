import { type FormItem, SECRET_PLACEHOLDER } from '../../contract/connectors/connectors.ts'

type Config = Record<string, unknown>
type Fields = readonly Pick<FormItem, 'key' | 'isSecret'>[]

/**
 * Replaces the secrets in a configuration with placeholders, which show that a secret is set but not its value
 * (spec/connectors#connector-secrets).
 */
export function hideSecrets(config: Config, fields: Fields): Config {
  return replaceSecrets(config, fields, (value) => (isSet(value) ? SECRET_PLACEHOLDER : value))
}

/** Replaces placeholders that a client has sent back with the stored secrets for which they stand. */
export function restoreSecrets(config: Config, stored: Config, fields: Fields): Config {
  return replaceSecrets(config, fields, (value, key) => (value === SECRET_PLACEHOLDER ? stored[key] : value))
}

/**
 * Returns the keys of stored secrets that a change would send to a new server (ADR-0062). Operators have to enter these
 * secrets again. Otherwise, someone who may change a connector but not read its secrets could redirect them to a server
 * of their own.
 */
export function findSecretsToReenter(config: Config, stored: Config, fields: Fields): string[] {
  const placeholders = fields.flatMap(({ key, isSecret }) =>
    isSecret && config[key] === SECRET_PLACEHOLDER && isSet(stored[key]) ? [key] : [],
  )
  const before = serversOf(stored)
  return serversOf(config).every((server) => before.includes(server)) ? [] : placeholders
}

/** Returns every server that a configuration names, either by URL or by host and port. */
function serversOf({ host, port, ...rest }: Config): string[] {
  const origins = Object.values(rest).flatMap((value) => {
    const url = typeof value === 'string' ? URL.parse(value) : null
    return url?.host ? [url.origin] : []
  })
  return host === undefined ? origins : [...origins, `${host}:${port}`]
}

const isSet = (value: unknown) => value !== undefined && value !== null && value !== ''

function replaceSecrets(
  config: Config,
  fields: Fields,
  replace: (value: unknown, key: string) => unknown,
): Config {
  const secrets = new Set(fields.flatMap(({ key, isSecret }) => (isSecret ? [key] : [])))
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, secrets.has(key) ? replace(value, key) : value]),
  )
}
