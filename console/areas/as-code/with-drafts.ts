import type { JsonObject } from '../../../operator/config/json.ts'
import { type ConfigState, SINGLETON_ID } from '../../../operator/config/state.ts'
import type { Draft } from '../../api/drafts.ts'

/** The sections of which an entity has a form with changes that wait. */
const sections = {
  applications: 'applications',
  connectors: 'connectors',
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
    if (!place || !before) continue
    // A change is JSON: it was stored as such.
    next[place.section] = { ...next[place.section], [place.id]: { ...before, ...(changes as JsonObject) } }
  }
  return next
}
