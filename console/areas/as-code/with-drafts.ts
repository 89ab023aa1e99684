import type { JsonObject } from '../../../operator/config/json.ts'
import { type ConfigState, SINGLETON_ID } from '../../../operator/config/state.ts'
import type { Phrases } from '../../../src/contract/boot.ts'
import type { Draft } from '../../api/drafts.ts'
import { flatten, type PhraseTexts, unflatten } from '../../api/phrase-texts.ts'

/** The sections of which an entity has a form with changes that wait. */
const sections = {
  applications: 'applications',
  connectors: 'connectors',
  'custom-phrases': 'phrases',
  hooks: 'hooks',
  resources: 'resources',
  roles: 'roles',
} as const

function placeOfDraft(path: string): { section: keyof ConfigState; id: string } | null {
  if (path === '/sign-in-exp') return { section: 'experience', id: SINGLETON_ID }
  if (path === '/configs/settings') return { section: 'settings', id: SINGLETON_ID }
  const [, name = '', id] = path.split('/')
  return id && Object.hasOwn(sections, name) ? { section: sections[name as keyof typeof sections], id } : null
}

/** The state as it would be with the changes that are not saved. Those of users are no settings, and are left out. */
export function withDrafts(state: ConfigState, drafts: ReadonlyMap<string, Draft>): ConfigState {
  const next = { ...state }
  for (const [path, { changes }] of drafts) {
    const place = placeOfDraft(path)
    const before = place && next[place.section][place.id]
    // The first texts of a language make its entry; any other entity that is gone cannot change.
    if (!place || (!before && place.section !== 'phrases')) continue
    // A change is JSON: it was stored as such.
    const changed = changes as JsonObject
    const after =
      place.section === 'phrases' ? replacedTexts(before ?? {}, changed) : { ...before, ...changed }
    next[place.section] = { ...next[place.section], [place.id]: after }
  }
  return next
}

/** Their changes are by keys with dots. */
const replacedTexts = (before: JsonObject, changes: JsonObject): JsonObject =>
  unflatten({ ...flatten(before as Phrases), ...(changes as PhraseTexts) })
