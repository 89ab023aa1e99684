import { isRecord } from '../../contract/is-record.ts'

type Config = Readonly<Record<string, unknown>>

/**
 * Returns the value of a form item in a configuration. The key of an item is a path: `auth.user` is the property `user`
 * of the object `auth` (spec/connectors#form-items).
 */
export const readConfigValue = (config: Config, key: string): unknown =>
  key.split('.').reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), config)

/** Returns the configuration with another value for a form item. Creates the object that contains it, if necessary. */
export function writeConfigValue(config: Config, key: string, value: unknown): Record<string, unknown> {
  const [name = '', ...inner] = key.split('.')
  if (inner.length === 0) return { ...config, [name]: value }
  const before = config[name]
  return { ...config, [name]: writeConfigValue(isRecord(before) ? before : {}, inner.join('.'), value) }
}
