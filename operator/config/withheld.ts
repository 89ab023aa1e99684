import { SECRET_PLACEHOLDER } from '../../src/contract/connectors.ts'
import { isObject, type Json, type Path } from './json.ts'
import { ONLY, type State } from './state.ts'

/**
 * Values that the server has and does not answer: the storage provider is answered without its secret, a connector with
 * placeholders. `answered` is the value in the answer at this place.
 */
export const withheldPlaces =
  (state: State, isSecret: (path: Path) => boolean) =>
  (path: Path, answered: Json | undefined): boolean => {
    const [section, setting] = path
    switch (section) {
      case 'connectors':
        return answered === SECRET_PLACEHOLDER && isSecret(path)
      case 'settings':
        return (
          setting === 'storageProvider' && isSecret(path) && isObject(state.settings[ONLY]?.storageProvider)
        )
      default:
        return false
    }
  }
