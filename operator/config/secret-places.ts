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
 * Returns a test for the places of a settings file that hold secrets: fields that a factory declares secret, all fields
 * of a connector without a known factory, and the headers of hooks.
 */
export function secretPlaces(
  factories: readonly FactoryForm[],
  ...states: readonly Pick<Partial<ConfigState>, 'connectors'>[]
): (path: JsonPath) => boolean {
  const secretKeys = new Map(
    factories.map(({ id, formItems }) => [
      id,
      new Set(formItems.filter(({ isSecret }) => isSecret).map(({ key }) => key)),
    ]),
  )

  /** The kind of a connector may change, so both kinds count. */
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
 * Returns a test for values that the server has but does not return: it returns the storage provider without its
 * secret, and connectors with placeholders. `answered` is the value that the server returned at this place.
 */
export const withheldPlaces =
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
