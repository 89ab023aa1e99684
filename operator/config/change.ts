import type { JsonObject, JsonPath, JsonValue } from './json.ts'
import type { ConfigSection } from './state.ts'

/** One creation, change or deletion. */
export type SettingsChange =
  | { action: 'create'; section: ConfigSection; id: string; after: JsonObject; fields: ChangedField[] }
  | {
      action: 'change'
      section: ConfigSection
      id: string
      before: JsonObject
      after: JsonObject
      fields: ChangedField[]
    }
  | { action: 'delete'; section: ConfigSection; id: string; before: JsonObject; fields: ChangedField[] }

/** A changed value. It never contains the value of a secret. */
export type ChangedField = { path: JsonPath; before?: PrintedValue; after?: PrintedValue }
export type PrintedValue = { value: JsonValue } | { secret: string | null }
