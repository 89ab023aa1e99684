import type { z } from 'zod'
import type { ConnectorFactorySchema } from '../../src/contract/connectors/connectors.schema.ts'
import { SECRET_PLACEHOLDER } from '../../src/contract/connectors/connectors.ts'
import { isObject, type JsonPath, type JsonValue } from './json.ts'
import { type ConfigState, SINGLETON_ID } from './state.ts'

export type FactoryForm = Pick<
  z.output<typeof ConnectorFactorySchema>,
  'id' | 'type' | 'target' | 'platform' | 'isStandard' | 'formItems'
>

/**
 * Returns a function that checks whether a path in a settings file holds a secret. Secrets are the fields that a
 * factory declares secret, all fields of a connector whose factory is unknown, and the headers of webhooks.
 */
export function createSecretPathTest(
  factories: readonly FactoryForm[],
  ...states: readonly Pick<Partial<ConfigState>, 'connectors'>[]
): (path: JsonPath) => boolean {
  const secretKeys = new Map(
    factories.map(({ id, formItems }) => [
      id,
      new Set(formItems.filter(({ isSecret }) => isSecret).map(({ key }) => key)),
    ]),
  )

  /** The plan may change the connector's factory, so check both the old and the new one. */
  function isSecretField(connector: string, field: string): boolean {
    const kinds = states.flatMap(({ connectors = {} }) => connectors[connector]?.connectorId ?? [])
    return kinds.some((kind) => secretKeys.get(String(kind))?.has(field) ?? true)
  }

  return ([section, id = '', first, second]) => {
    switch (section) {
      case 'connectors':
        return first === 'config' && isSecretField(id, second ?? '')
      case 'hooks':
        return first === 'config' && second === 'headers'
      case 'applications':
        return first === 'secret'
      case 'settings':
        return id === 'storageProvider' && (first === 'accessSecretKey' || first === 'connectionString')
      default:
        return false
    }
  }
}

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
        return answered === SECRET_PLACEHOLDER && isSecret(path)
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
