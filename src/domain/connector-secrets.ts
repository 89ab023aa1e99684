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

const isSet = (value: unknown) => value !== undefined && value !== null && value !== ''

function replaced(config: Config, fields: Fields, replace: (value: unknown, key: string) => unknown): Config {
  const secrets = new Set(fields.flatMap(({ key, isSecret }) => (isSecret ? [key] : [])))
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, secrets.has(key) ? replace(value, key) : value]),
  )
}
