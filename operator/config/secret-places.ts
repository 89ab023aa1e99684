import type { z } from 'zod'
import type { ConnectorFactorySchema } from '../../src/contract/connectors/connectors.schema.ts'
import { SECRET_PLACEHOLDER } from '../../src/contract/connectors/connectors.ts'
import { readConfigValue } from '../../src/domain/connectors/config-value.ts'
import { isObject, type JsonPath, type JsonValue } from './json.ts'
import { type ConfigState, SINGLETON_ID } from './state.ts'

export type FactoryForm = Pick<
  z.output<typeof ConnectorFactorySchema>,
  'id' | 'type' | 'target' | 'platform' | 'isStandard' | 'formItems'
>

/**
 * Returns a function that checks whether a path in a settings file holds a secret. Secrets are the fields that a
 * factory declares secret, fields that the server hides because they repeat a secret, all fields of a connector whose
 * factory is unknown, and the headers of webhooks.
 */
export function createSecretPathTest(
  factories: readonly FactoryForm[],
  ...states: readonly Pick<Partial<ConfigState>, 'connectors'>[]
): (path: JsonPath) => boolean {
  const secretKeys = new Map(
    factories.map(({ id, formItems }) => [
      id,
      formItems.flatMap(({ key, isSecret }) => (isSecret ? [key] : [])),
    ]),
  )

  /** The plan may change the connector's factory, so check both the old and the new one. */
  function isSecretField(connector: string, field: JsonPath): boolean {
    const kinds = states.flatMap(({ connectors = {} }) => connectors[connector]?.connectorId ?? [])
    return kinds.some(
      (kind) => secretKeys.get(String(kind))?.some((key) => overlaps(field.join('.'), key)) ?? true,
    )
  }

  const isHiddenField = (connector: string, field: JsonPath): boolean =>
    states.some(({ connectors = {} }) => {
      const config = connectors[connector]?.config
      return isObject(config) && readConfigValue(config, field.join('.')) === SECRET_PLACEHOLDER
    })

  return ([section, id = '', first, ...field]) => {
    switch (section) {
      case 'connectors':
        return (
          first === 'config' && field.length > 0 && (isSecretField(id, field) || isHiddenField(id, field))
        )
      case 'hooks':
        return first === 'config' && field[0] === 'headers'
      case 'applications':
        return first === 'secret'
      case 'settings':
        return id === 'storageProvider' && (first === 'accessSecretKey' || first === 'connectionString')
      default:
        return false
    }
  }
}

/** Checks whether a path is that of a secret, is below it, or is that of an object that contains it. */
const overlaps = (path: string, secret: string): boolean =>
  `${path}.`.startsWith(`${secret}.`) || secret.startsWith(`${path}.`)

/**
 * Returns a function that checks whether the server has a value at a path but withholds it. The server omits the
 * secret of the storage provider, and returns placeholders for those of connectors. `answered` is the value that the
 * server returned at this path.
 */
export const createWithheldPathTest =
  (state: ConfigState, isSecret: (path: JsonPath) => boolean) =>
  (path: JsonPath, answered: JsonValue | undefined): boolean => {
    const [section, setting] = path
    switch (section) {
      case 'connectors':
        return isSecret(path) && containsPlaceholder(answered)
      case 'settings':
        return (
          setting === 'storageProvider' &&
          isSecret(path) &&
          isObject(state.settings[SINGLETON_ID]?.storageProvider)
        )
      default:
        return false
    }
  }

const containsPlaceholder = (answered: JsonValue | undefined): boolean =>
  answered === SECRET_PLACEHOLDER ||
  (isObject(answered) && Object.values(answered).includes(SECRET_PLACEHOLDER))
