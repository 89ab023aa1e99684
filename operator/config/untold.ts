import { isObject, type Path } from './json.ts'
import { ONLY, type State } from './state.ts'

/** What the server has and does not tell again: the storage provider is answered without its secret. */
export const untoldPlaces =
  (state: State) =>
  ([section, setting, key]: Path): boolean =>
    section === 'settings' &&
    setting === 'storageProvider' &&
    (key === 'accessSecretKey' || key === 'connectionString') &&
    isObject(state.settings[ONLY]?.storageProvider)
