import { SECRET_STAND_IN } from '../../src/contract/connectors.ts'
import { isObject, type Json, type Path } from './json.ts'
import { ONLY, type State } from './state.ts'

/**
 * What the server has and does not tell: the storage provider is answered without its secret, and a connector with
 * stand-ins for its own. `told` is what was answered at this place.
 */
export const withheldPlaces =
  (state: State, isSecret: (path: Path) => boolean) =>
  (path: Path, told: Json | undefined): boolean => {
    const [section, setting] = path
    switch (section) {
      case 'connectors':
        return told === SECRET_STAND_IN && isSecret(path)
      case 'settings':
        return (
          setting === 'storageProvider' && isSecret(path) && isObject(state.settings[ONLY]?.storageProvider)
        )
      default:
        return false
    }
  }
