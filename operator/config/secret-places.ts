import type { z } from 'zod'
import type { ConnectorFactorySchema } from '../../src/contract/connectors/connectors.schema.ts'
import type { JsonPath } from './json.ts'
import type { ConfigState } from './state.ts'

export type FactoryForm = Pick<
  z.output<typeof ConnectorFactorySchema>,
  'id' | 'type' | 'target' | 'platform' | 'isStandard' | 'formItems'
>

/**
 * The places of a settings file that hold secrets: fields that a factory declares secret, all fields of a connector without a
 * known factory, and the headers of hooks.
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

  /** The kind of a connector may differ before and after. */
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
