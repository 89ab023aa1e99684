import { type FormItem, SECRET_STAND_IN } from '../contract/connectors.ts'

type Config = Record<string, unknown>
type Fields = readonly Pick<FormItem, 'key' | 'isSecret'>[]

/** A configuration as it may be shown: whoever reads it learns which secrets are set, and none of them. */
export function withoutSecrets(config: Config, fields: Fields): Config {
  return replaced(config, fields, (value) => (isSet(value) ? SECRET_STAND_IN : value))
}

/** What was shown and comes back unchanged means what is stored. */
export function withStoredSecrets(given: Config, stored: Config, fields: Fields): Config {
  return replaced(given, fields, (value, key) => (value === SECRET_STAND_IN ? stored[key] : value))
}

/**
 * The secrets a change would keep and send somewhere else than they were given for. Whoever may change a connector must
 * not learn from it what they may not read, by pointing it at a server of their own: these have to be given again.
 */
export function secretsLedAway(given: Config, stored: Config, fields: Fields): string[] {
  const kept = fields.flatMap(({ key, isSecret }) =>
    isSecret && given[key] === SECRET_STAND_IN && isSet(stored[key]) ? [key] : [],
  )
  const before = destinations(stored)
  return destinations(given).every((place) => before.includes(place)) ? [] : kept
}

/** Every server a configuration names: by addresses, or by a host and its port. */
function destinations({ host, port, ...rest }: Config): string[] {
  const origins = Object.values(rest).flatMap((value) => {
    const url = typeof value === 'string' ? URL.parse(value) : null
    return url?.host ? [url.origin] : []
  })
  return host === undefined ? origins : [...origins, `${host}:${port}`]
}

const isSet = (value: unknown) => value !== undefined && value !== null && value !== ''

function replaced(config: Config, fields: Fields, replace: (value: unknown, key: string) => unknown): Config {
  const secrets = new Set(fields.flatMap(({ key, isSecret }) => (isSecret ? [key] : [])))
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, secrets.has(key) ? replace(value, key) : value]),
  )
}
