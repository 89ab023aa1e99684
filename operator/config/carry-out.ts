import { z } from 'zod'
import type { Deployment } from '../deployment.ts'
import { Refusal } from '../deployment.ts'
import { Failure } from '../failure.ts'
import type { Item, Json } from './json.ts'
import { isObject } from './json.ts'
import type { Change } from './plan.ts'
import type { Factory } from './secret-places.ts'
import { Missing, type Secrets, withKept } from './secrets.ts'
import { placeOf, splitScopeKey } from './state.ts'

type Tools = {
  deployment: Deployment
  scopeIds: Map<string, string>
  secrets: Secrets
  factories: readonly Factory[]
}

/** One change of a plan, through the management API. What was done before it was interrupted is not done again. */
export async function carryOut(change: Change, tools: Tools): Promise<void> {
  const complete = completed(change, tools)
  switch (complete.section) {
    case 'resources':
    case 'connectors':
    case 'hooks':
      return plainly(complete, tools)
    case 'scopes':
      return changeScope(complete, tools)
    case 'roles':
      return changeRole(complete, tools)
    case 'roleApplications':
      return changeRoleApplications(complete, tools)
    case 'applications':
      return changeApplication(complete, tools)
    case 'phrases':
      return complete.action === 'delete'
        ? remove(tools, `custom-phrases/${complete.id}`)
        : send(tools, 'put', `custom-phrases/${complete.id}`, complete.after)
    case 'experience':
      return complete.action === 'delete'
        ? undefined
        : send(tools, 'patch', 'sign-in-exp', changedOf(complete))
    case 'settings':
      return complete.action === 'delete'
        ? undefined
        : send(tools, 'patch', 'configs/settings', changedOf(complete))
  }
}

/** With every secret in its place. */
function completed(change: Change, { secrets, factories }: Pick<Tools, 'secrets' | 'factories'>): Change {
  if (change.action === 'delete') return change
  const before = change.action === 'change' ? change.before : undefined
  const sent = change.action === 'create' ? change.after : changedOf(change)
  const kept = withKept(sent, before, placeOf(change.section, change.id), secrets)
  if (kept instanceof Missing) throw new Failure(`The variable ${kept.variable} is not set.`)
  const after = { ...change.after, ...(isObject(kept) ? kept : {}) }
  return { ...change, after: change.section === 'connectors' ? withJsonRead(after, factories) : after }
}

/** A variable is a text, and some secrets of connectors are more than that: an SMTP server's login, for one. */
function withJsonRead(connector: Item, factories: readonly Factory[]): Item {
  const { config, connectorId } = connector
  if (!isObject(config)) return connector
  const items = factories.find(({ id }) => id === connectorId)?.formItems ?? []
  const read = items.flatMap(({ key, type }) => {
    const text = type === 'Json' ? config[key] : undefined
    return typeof text === 'string' && text.startsWith('{') ? [[key, jsonOf(text)]] : []
  })
  return { ...connector, config: { ...config, ...Object.fromEntries(read) } }
}

/** What is none is for the server to refuse. */
function jsonOf(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The columns that differ, whole: that is what a PATCH replaces (contract 8.1). */
function changedOf(change: Exclude<Change, { action: 'delete' }>): Item {
  const changed = new Set(change.fields.map(({ path: [first = ''] }) => first))
  return Object.fromEntries(
    [...changed].map((key) => [
      key,
      change.after[key] ?? (change.action === 'change' ? emptied(change.before[key]) : null),
    ]),
  )
}

/** What a column is when it is there no more. */
const emptied = (before: Json | undefined): Json =>
  Array.isArray(before) ? [] : isObject(before) ? {} : null

function plainly(change: Change, tools: Tools): Promise<void> {
  const path = `${change.section}/${change.id}`
  switch (change.action) {
    case 'create':
      return send(tools, 'post', change.section, { id: change.id, ...change.after })
    case 'change':
      return send(tools, 'patch', path, change.section === 'hooks' ? hookPatch(change) : changedOf(change))
    case 'delete':
      return remove(tools, path)
  }
}

/** Merged key by key on the server: headers that are gone have to be said. */
function hookPatch(change: Extract<Change, { action: 'change' }>): Item {
  const changed = changedOf(change)
  return isObject(changed.config) ? { ...changed, config: { headers: {}, ...changed.config } } : changed
}

async function changeScope(change: Change, { deployment, scopeIds }: Tools): Promise<void> {
  const { resourceId, name } = splitScopeKey(change.id)
  const path = `resources/${resourceId}/scopes`
  if (change.action === 'create') {
    const made = await deployment.send('post', path, { name, ...change.after }, z.object({ id: z.string() }))
    scopeIds.set(change.id, made.id)
    return
  }
  const scopeId = scopeIdOf(scopeIds, change.id)
  if (change.action === 'delete') return remove({ deployment }, `${path}/${scopeId}`)
  await send({ deployment }, 'patch', `${path}/${scopeId}`, { name, ...change.after })
}

async function changeRole(change: Change, { deployment, scopeIds }: Tools): Promise<void> {
  const path = `roles/${change.id}`
  if (change.action === 'delete') return remove({ deployment }, path)
  const { scopes, ...columns } = change.after
  const now = idsOf(scopes)
  if (change.action === 'create')
    return send({ deployment }, 'post', 'roles', {
      id: change.id,
      ...columns,
      scopeIds: now.map((key) => scopeIdOf(scopeIds, key)),
    })

  const { scopes: _, ...changed } = changedOf(change)
  if (Object.keys(changed).length > 0) await send({ deployment }, 'patch', path, changed)
  const before = idsOf(change.before.scopes)
  const added = now.filter((key) => !before.includes(key))
  if (added.length > 0)
    await send({ deployment }, 'post', `${path}/scopes`, {
      scopeIds: added.map((key) => scopeIdOf(scopeIds, key)),
    })
  for (const key of before.filter((key) => !now.includes(key)))
    await remove({ deployment }, `${path}/scopes/${scopeIdOf(scopeIds, key)}`)
}

async function changeRoleApplications(change: Change, { deployment }: Tools): Promise<void> {
  if (change.action === 'delete') return
  const path = `roles/${change.id}/applications`
  const now = idsOf(change.after.applications)
  const before = change.action === 'change' ? idsOf(change.before.applications) : []
  const added = now.filter((id) => !before.includes(id))
  if (added.length > 0) await send({ deployment }, 'post', path, { applicationIds: added })
  for (const id of before.filter((id) => !now.includes(id))) await remove({ deployment }, `${path}/${id}`)
}

async function changeApplication(change: Change, tools: Tools): Promise<void> {
  const path = `applications/${change.id}`
  if (change.action === 'delete') return remove(tools, path)
  if (change.action === 'create') {
    const { isAdmin, ...created } = change.after
    await send(tools, 'post', 'applications', { id: change.id, ...created })
    if (isAdmin === true) await send(tools, 'patch', path, { isAdmin })
    return
  }
  const changed = changedOf(change)
  const { before } = change
  await send(tools, 'patch', path, {
    ...changed,
    ...nulled('oidcClientMetadata', before, changed),
    ...nulled('customClientMetadata', before, changed),
  })
}

/** Metadata is merged key by key: null takes a key away. */
function nulled(column: string, before: Item, changed: Item): Item {
  const now = changed[column]
  const was = before[column]
  if (!isObject(now)) return {}
  const gone = isObject(was) ? Object.keys(was).filter((key) => now[key] === undefined) : []
  return { [column]: { ...now, ...Object.fromEntries(gone.map((key) => [key, null])) } }
}

const idsOf = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []

function scopeIdOf(scopeIds: ReadonlyMap<string, string>, key: string): string {
  const id = scopeIds.get(key)
  if (id === undefined) throw new Failure(`The scope ${key} is gone.`)
  return id
}

const Anything = z.unknown()

async function send(
  { deployment }: Pick<Tools, 'deployment'>,
  method: 'post' | 'put' | 'patch',
  path: string,
  body: Item,
): Promise<void> {
  await deployment.send(method, path, body, Anything)
}

/** What is gone already was to go. */
async function remove({ deployment }: Pick<Tools, 'deployment'>, path: string): Promise<void> {
  try {
    await deployment.send('delete', path, undefined, Anything)
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 404)) throw error
  }
}
