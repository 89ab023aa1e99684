import { isObject, type JsonObject, stringItems } from '../../../operator/config/json.ts'
import { type ConfigState, SINGLETON_ID, sortUnique, splitScopeKey } from '../../../operator/config/state.ts'
import type { Phrases } from '../../../src/contract/interactions/boot.ts'
import { applyChanges } from '../../api/changes.ts'
import type { Draft } from '../../api/drafts.ts'
import { flatten, type PhraseTexts, unflatten } from '../../api/phrase-texts.ts'

/** The sections of a settings file whose entities have forms with drafts. */
const sections = {
  applications: 'applications',
  connectors: 'connectors',
  'custom-phrases': 'phrases',
  hooks: 'hooks',
  'organization-roles': 'organizationRoles',
  resources: 'resources',
  roles: 'roles',
} as const

type Place = { section: keyof ConfigState; id: string }

function findPlace(path: string): Place | null {
  if (path === '/sign-in-exp') return { section: 'experience', id: SINGLETON_ID }
  if (path === '/configs/settings') return { section: 'settings', id: SINGLETON_ID }
  const [, name = '', id] = path.split('/')
  return id && Object.hasOwn(sections, name) ? { section: sections[name as keyof typeof sections], id } : null
}

/** Returns the state with the unsaved changes applied. Changes to users aren't settings and are omitted. */
export function applyDrafts(state: ConfigState, drafts: ReadonlyMap<string, Draft>): ConfigState {
  const next = { ...state }
  for (const [path, { changes, merged = [] }] of drafts) {
    // Changes are JSON, because drafts are stored as JSON.
    const json = changes as JsonObject
    const set = ({ section, id }: Place, after: JsonObject) => {
      next[section] = { ...next[section], [id]: after }
    }
    if (path.startsWith('/connectors/new/')) {
      set({ section: 'connectors', id: String(json.id) }, newConnector(json))
      continue
    }
    const isOfPermissions = /^\/(?:organization-)?roles\/[^/]+\/permissions$/.test(path)
    const place = findPlace(path)
    const before = place && next[place.section][place.id]
    // The first text in a language creates an entry for the language. Any other entity that no longer exists can't be
    // changed.
    if (isOfPermissions && place && before) set(place, applyPermissionChanges(place, before, json))
    else if (place?.section === 'phrases') set(place, applyTextChanges(before ?? {}, json))
    else if (before) set(place, applyEntityChanges(before, json, merged))
  }
  return next
}

/** Permissions are changed one by one, so that operators don't overwrite each other's changes. */
function applyPermissionChanges({ section }: Place, role: JsonObject, changes: JsonObject): JsonObject {
  const apply = (keys: readonly string[], changed: JsonObject) =>
    sortUnique([
      ...keys.filter((key) => !(key in changed)),
      ...Object.keys(changed).filter((key) => changed[key] === true),
    ])
  if (section === 'roles') return { ...role, scopes: apply(stringItems(role.scopes), changes) }
  // The scopes of organisations have no resource, and a settings file names them without one.
  const entries = Object.entries(changes)
  const ofOrganizations = entries.filter(([key]) => isOrganizationScope(key))
  return {
    ...role,
    scopes: apply(
      stringItems(role.scopes),
      Object.fromEntries(ofOrganizations.map(([key, value]) => [splitScopeKey(key).name, value])),
    ),
    resourceScopes: apply(
      stringItems(role.resourceScopes),
      Object.fromEntries(entries.filter(([key]) => !isOrganizationScope(key))),
    ),
  }
}

const isOrganizationScope = (key: string): boolean => splitScopeKey(key).resourceId === ''

/** Phrases are changed by their dotted keys. */
const applyTextChanges = (before: JsonObject, changes: JsonObject): JsonObject =>
  unflatten({ ...flatten(before as Phrases), ...(changes as PhraseTexts) })

function applyEntityChanges(
  before: JsonObject,
  changes: JsonObject,
  mergedFields: readonly string[],
): JsonObject {
  const after = applyChanges(before, changes, mergedFields)
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [
      name,
      mergedFields.includes(name) && isObject(value) ? omitNulls(value) : value,
    ]),
  )
}

/** Returns the object for a connector that isn't installed yet. */
const newConnector = ({ connectorId, config, metadata }: JsonObject): JsonObject => ({
  connectorId,
  config: isObject(config) ? omitNulls(config) : {},
  metadata,
  syncProfile: false,
})

const omitNulls = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null))
