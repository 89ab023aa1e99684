import type { CurrentState } from './current-state.ts'
import { isObject, type JsonObject, type JsonPath } from './json.ts'

/** Returns the name of the variable for a secret of a connector, such as `CONNECTOR_GOOGLE_CLIENT_SECRET`. */
export const connectorVariableName = (target: string, ...field: string[]): string =>
  toVariable(['connector', target, ...field])

/**
 * Returns the name of the variable for a secret in an exported file. It is based on the purpose of the secret, because
 * an id may be random.
 */
export function secretVariableName(
  [section = '', id = '', ...field]: JsonPath,
  { state, factories }: Pick<CurrentState, 'state' | 'factories'>,
): string {
  switch (section) {
    case 'connectors': {
      const { connectorId, metadata } = state.connectors[id] ?? {}
      const customTarget = isObject(metadata) ? metadata.target : undefined
      const target = customTarget ?? factories.find((factory) => factory.id === connectorId)?.target ?? id
      return connectorVariableName(String(target), ...field.slice(1))
    }
    case 'hooks':
      // Each header has its own variable, such as `HOOK_CRM_AUTHORIZATION`.
      return toVariable(['hook', isChosen(id) ? id : (hostOf(state.hooks[id]) ?? id), ...field.slice(2)])
    default:
      return toVariable([section, id, ...field])
  }
}

/**
 * Checks whether an operator chose the id. A random id has 12 to 21 characters, among them digits (spec/storage#ids).
 */
const isChosen = (id: string) => !/^(?=.*\d)[\dA-Za-z]{12,21}$/.test(id)

function hostOf(hook: JsonObject | undefined): string | undefined {
  const url = isObject(hook?.config) ? hook.config.url : undefined
  return typeof url === 'string' ? URL.parse(url)?.hostname : undefined
}

const toVariable = (parts: readonly string[]): string =>
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
