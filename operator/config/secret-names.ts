import type { CurrentState } from './current-state.ts'
import { isObject, type JsonObject, type JsonPath } from './json.ts'

/** The variable of a connector's secret: `CONNECTOR_GOOGLE_CLIENT_SECRET`. */
export const connectorVariable = (target: string, ...field: string[]): string =>
  variableOf(['connector', target, ...field])

/** The variable of a secret in an exported file, named after what the secret is for: an id may be random. */
export function secretVariable(
  [section = '', id = '', ...field]: JsonPath,
  { state, factories }: Pick<CurrentState, 'state' | 'factories'>,
): string {
  switch (section) {
    case 'connectors': {
      const { connectorId, metadata } = state.connectors[id] ?? {}
      const own = isObject(metadata) ? metadata.target : undefined
      const target = own ?? factories.find((factory) => factory.id === connectorId)?.target ?? id
      return connectorVariable(String(target), ...field.slice(1))
    }
    case 'hooks':
      // Headers of one receiver: `HOOK_CRM_AUTHORIZATION`.
      return variableOf(['hook', isChosen(id) ? id : (hostOf(state.hooks[id]) ?? id), ...field.slice(2)])
    default:
      return variableOf([section, id, ...field])
  }
}

/** Random ids have this many characters, digits among them (spec/storage#ids). */
const isChosen = (id: string) => !/^(?=.*\d)[\dA-Za-z]{12,21}$/.test(id)

function hostOf(hook: JsonObject | undefined): string | undefined {
  const url = isObject(hook?.config) ? hook.config.url : undefined
  return typeof url === 'string' ? URL.parse(url)?.hostname : undefined
}

const variableOf = (parts: readonly string[]): string =>
  parts
    .map((part) =>
      part
        .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
        .replaceAll(/[^A-Za-z\d]+/g, '_')
        .toUpperCase(),
    )
    .filter(Boolean)
    .join('_')
    .replace(/^(?=\d)/, '_')
