import { SECRET_PLACEHOLDER } from '../../src/contract/connectors/connectors.ts'
import { isObject, type JsonPath, type JsonValue } from './json.ts'
import { type ConfigState, SINGLETON_ID } from './state.ts'

/**
 * Values that the server has and does not answer: the storage provider is answered without its secret, a connector with
 * placeholders. `answered` is the value in the answer at this place.
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
