import type { JsonObject, JsonPath, JsonValue } from './json.ts'
import type { ConfigSection } from './state.ts'

/** One change of a plan, which creates, updates or deletes an object. */
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

/** The value of a changed field. A secret is represented by the name of its variable, never by its value. */
export type ChangedField = { path: JsonPath; before?: PrintedValue; after?: PrintedValue }
export type PrintedValue = { value: JsonValue } | { secret: string | null }
