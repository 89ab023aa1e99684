import { type FormItem, SECRET_PLACEHOLDER } from '../../contract/connectors/connectors.ts'
import { isRecord } from '../../contract/is-record.ts'
import { readConfigValue, writeConfigValue } from './config-value.ts'

type Config = Record<string, unknown>
type Fields = readonly Pick<FormItem, 'key' | 'isSecret'>[]

/**
 * Replaces the secrets in a configuration with placeholders, which show that a secret is set but not its value
 * (spec/connectors#connector-secrets). A field that repeats a secret is hidden as well: some mail providers use the same
 * token as user name and password.
 */
export const hideSecrets = (config: Config, fields: Fields): Config =>
  findRepeatedSecrets(config, fields).reduce<Config>(
    (before, { key }) => writeConfigValue(before, key, SECRET_PLACEHOLDER),
    replaceSecrets(config, {}, fields, ({ value }) => (isSet(value) ? SECRET_PLACEHOLDER : value)),
  )

/**
 * Replaces placeholders that a client has sent back with the stored secrets for which they stand. The placeholder of a
 * field that repeats a secret stands for the secret of the request, so that a new token has to be entered only once.
 */
export function restoreSecrets(config: Config, stored: Config, fields: Fields): Config {
  const restored = replaceSecrets(config, stored, fields, (secret) =>
    isPlaceholder(secret) ? secret.stored : secret.value,
  )
  return findRepeatedSecrets(stored, fields).reduce(
    (before, { key, secretKey }) =>
      readConfigValue(before, key) === SECRET_PLACEHOLDER
        ? writeConfigValue(before, key, readConfigValue(before, secretKey))
        : before,
    restored,
  )
}

/**
 * Returns the fields whose value is that of a secret, although they are not marked as secret. The result depends on the
 * stored values, so it confirms a guess of the secret (docs/operations/security.md, 13.3.2).
 */
function findRepeatedSecrets(config: Config, fields: Fields): { key: string; secretKey: string }[] {
  const secretKeys = fields.flatMap(({ key, isSecret }) => (isSecret ? [key] : []))
  return fields.flatMap(({ key, isSecret }) => {
    const value = readConfigValue(config, key)
    if (isSecret || typeof value !== 'string' || value === '') return []
    const secretKey = secretKeys.find((each) => readConfigValue(config, each) === value)
    return secretKey === undefined ? [] : [{ key, secretKey }]
  })
}

/**
 * Returns the keys of stored secrets that a change would send to a new server (ADR-0062). Operators have to enter these
 * secrets again. Otherwise, someone who may change a connector but not read its secrets could redirect them to a server
 * of their own.
 */
export function findSecretsToReenter(config: Config, stored: Config, fields: Fields): string[] {
  const before = serversOf(stored)
  if (serversOf(config).every((server) => before.includes(server))) return []
  const keys: string[] = []
  replaceSecrets(config, stored, fields, (secret) => {
    if (isPlaceholder(secret) && isSet(secret.stored)) keys.push(secret.key)
    return secret.value
  })
  return keys
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

/** A secret in a configuration. If the object that contains it was replaced as a whole, `value` is the replacement. */
type Secret = { key: string; value: unknown; stored: unknown }

const isPlaceholder = ({ value }: Secret) => value === SECRET_PLACEHOLDER

const replaceSecrets = (
  config: Config,
  stored: Config,
  fields: Fields,
  replace: (secret: Secret) => unknown,
): Config =>
  fields.reduce(
    (before, { key, isSecret }) =>
      isSecret
        ? replaceAt(before, stored, key.split('.'), (value, old) => replace({ key, value, stored: old }))
        : before,
    config,
  )

function replaceAt(
  config: Config,
  stored: Config,
  [name = '', ...inner]: readonly string[],
  replace: (value: unknown, stored: unknown) => unknown,
): Config {
  if (!Object.hasOwn(config, name)) return config
  const [value, old] = [config[name], stored[name]]
  const replacement =
    inner.length > 0 && isRecord(value)
      ? replaceAt(value, isRecord(old) ? old : {}, inner, replace)
      : replace(value, old)
  return { ...config, [name]: replacement }
}
