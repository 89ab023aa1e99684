import type { Item, Json, Path } from './json.ts'
import type { Section } from './state.ts'

/** One creation, change or deletion. */
export type Change =
  | { action: 'create'; section: Section; id: string; after: Item; fields: Field[] }
  | { action: 'change'; section: Section; id: string; before: Item; after: Item; fields: Field[] }
  | { action: 'delete'; section: Section; id: string; before: Item; fields: Field[] }

/** A changed value; the value of a secret is never part of it. */
export type Field = { path: Path; before?: Shown; after?: Shown }
export type Shown = { value: Json } | { secret: string | null }
