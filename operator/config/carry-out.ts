import { z } from 'zod'
import { ApiError, type Deployment, IgnoredResponse } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import type { SettingsChange } from './change.ts'
import { isObject, type JsonObject, type JsonValue, parseJson, stringItems } from './json.ts'
import type { FactoryForm } from './secret-places.ts'
import { MissingSecret, type Secrets, secretsWithin, withStoredSecrets } from './secrets.ts'
import { type ConfigState, pathInFile, splitScopeKey } from './state.ts'

type Tools = {
  deployment: Deployment
  scopeIds: Map<string, string>
  secrets: Secrets
  factories: readonly FactoryForm[]
}

/** Makes one change of a plan through the management API. */
export async function applyChange(change: SettingsChange, tools: Tools): Promise<void> {
  const complete = withSecrets(change, tools)
  switch (complete.section) {
    case 'resources':
    case 'connectors':
    case 'hooks':
      return changeOrdinary(complete, tools)
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
        ? deleteIfPresent(tools, `custom-phrases/${complete.id}`)
        : send(tools, 'put', `custom-phrases/${complete.id}`, complete.after)
    case 'experience':
    case 'settings': {
      const path = complete.section === 'settings' ? 'configs/settings' : 'sign-in-exp'
      return complete.action === 'delete' ? undefined : send(tools, 'patch', path, changedOf(complete))
    }
  }
}

/** The change with the values of its secrets. */
function withSecrets(
  change: SettingsChange,
  { secrets, factories }: Pick<Tools, 'secrets' | 'factories'>,
): SettingsChange {
  if (change.action === 'delete') return change
  const before = change.action === 'change' ? change.before : undefined
  const sent = change.action === 'create' ? change.after : changedOf(change)
  const complete = withStoredSecrets(sent, before, pathInFile(change.section, change.id), secrets)
  if (complete instanceof MissingSecret)
    throw new CommandFailure(`The variable ${complete.variable} is not set.`)
  const after = { ...change.after, ...(isObject(complete) ? complete : {}) }
  return { ...change, after: change.section === 'connectors' ? withJsonRead(after, factories) : after }
}

/** A variable is a string, but some secrets of connectors are objects, e.g. the login of an SMTP server. The server refuses others. */
function withJsonRead(connector: JsonObject, factories: readonly FactoryForm[]): JsonObject {
  const { config, connectorId } = connector
  if (!isObject(config)) return connector
  const items = factories.find(({ id }) => id === connectorId)?.formItems ?? []
  const read = items.flatMap(({ key, type }) => {
    const text = type === 'Json' ? config[key] : undefined
    return typeof text === 'string' && text.startsWith('{') ? [[key, parseJson(text) ?? text]] : []
  })
  return { ...connector, config: { ...config, ...Object.fromEntries(read) } }
}

/** The columns that differ, complete, because a PATCH replaces a column (spec/management#patch). */
function changedOf(change: Exclude<SettingsChange, { action: 'delete' }>): JsonObject {
  const changed = new Set(change.fields.map(({ path: [first = ''] }) => first))
  return Object.fromEntries(
    [...changed].map((key) => [
      key,
      change.after[key] ?? (change.action === 'change' ? emptyValueOf(change.before[key]) : null),
    ]),
  )
}

/** The value of a column that the file no longer has. */
const emptyValueOf = (before: JsonValue | undefined): JsonValue =>
  Array.isArray(before) ? [] : isObject(before) ? {} : null

function changeOrdinary(change: SettingsChange, tools: Tools): Promise<void> {
  const path = `${change.section}/${change.id}`
  switch (change.action) {
    case 'create':
      return send(tools, 'post', change.section, { id: change.id, ...change.after })
    case 'change':
      return send(tools, 'patch', path, change.section === 'hooks' ? hookPatch(change) : changedOf(change))
    case 'delete':
      return deleteIfPresent(tools, path)
  }
}

/** The server merges the configuration key by key, so removed headers must be sent as empty. */
function hookPatch(change: Extract<SettingsChange, { action: 'change' }>): JsonObject {
  const changed = changedOf(change)
  return isObject(changed.config) ? { ...changed, config: { headers: {}, ...changed.config } } : changed
}

async function changeScope(change: SettingsChange, tools: Tools): Promise<void> {
  const { deployment, scopeIds } = tools
  const { resourceId, name } = splitScopeKey(change.id)
  const path = `resources/${resourceId}/scopes`
  if (change.action === 'create') {
    const made = await deployment.send('post', path, { name, ...change.after }, z.object({ id: z.string() }))
    scopeIds.set(change.id, made.id)
    return
  }
  const scopeId = scopeIdOf(scopeIds, change.id)
  if (change.action === 'delete') return deleteIfPresent(tools, `${path}/${scopeId}`)
  await send(tools, 'patch', `${path}/${scopeId}`, { name, ...change.after })
}

async function changeRole(change: SettingsChange, tools: Tools): Promise<void> {
  const path = `roles/${change.id}`
  if (change.action === 'delete') return deleteIfPresent(tools, path)
  const { scopes, ...columns } = change.after
  const idsOf = (keys: JsonValue | undefined) =>
    stringItems(keys).map((key) => scopeIdOf(tools.scopeIds, key))
  const scopeIds = idsOf(scopes)
  if (change.action === 'create') return send(tools, 'post', 'roles', { id: change.id, ...columns, scopeIds })

  const { scopes: _, ...changed } = changedOf(change)
  if (Object.keys(changed).length > 0) await send(tools, 'patch', path, changed)
  await changeMembers(tools, `${path}/scopes`, 'scopeIds', {
    before: idsOf(change.before.scopes),
    after: scopeIds,
  })
}

async function changeRoleApplications(change: SettingsChange, tools: Tools): Promise<void> {
  if (change.action === 'delete') return
  const before = change.action === 'change' ? stringItems(change.before.applications) : []
  const after = stringItems(change.after.applications)
  await changeMembers(tools, `roles/${change.id}/applications`, 'applicationIds', { before, after })
}

/** `name` is that of the list of added ones. */
async function changeMembers(
  tools: Tools,
  path: string,
  name: 'scopeIds' | 'applicationIds',
  { before, after }: Record<'before' | 'after', readonly string[]>,
): Promise<void> {
  const added = after.filter((id) => !before.includes(id))
  if (added.length > 0) await send(tools, 'post', path, { [name]: added })
  for (const id of before.filter((id) => !after.includes(id))) await deleteIfPresent(tools, `${path}/${id}`)
}

async function changeApplication(change: SettingsChange, tools: Tools): Promise<void> {
  const path = `applications/${change.id}`
  if (change.action === 'delete') return deleteIfPresent(tools, path)
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
    ...withNulls('oidcClientMetadata', before, changed),
    ...withNulls('customClientMetadata', before, changed),
  })
}

/** Behind all changes, to applications whose own ones the server has replaced. */
export async function sendCredentials(
  credentials: ReadonlyMap<string, JsonObject>,
  tools: Pick<Tools, 'deployment'>,
): Promise<void> {
  for (const [id, own] of credentials) await send(tools, 'patch', `applications/${id}`, own)
}

/** The server merges metadata key by key: null deletes a key. */
function withNulls(column: string, before: JsonObject, changed: JsonObject): JsonObject {
  const now = changed[column]
  const was = before[column]
  if (!isObject(now)) return {}
  const gone = isObject(was) ? Object.keys(was).filter((key) => now[key] === undefined) : []
  return { [column]: { ...now, ...Object.fromEntries(gone.map((key) => [key, null])) } }
}

function scopeIdOf(scopeIds: ReadonlyMap<string, string>, key: string): string {
  const id = scopeIds.get(key)
  if (id === undefined) throw new CommandFailure(`The scope ${key} no longer exists.`)
  return id
}

async function send(
  { deployment }: Pick<Tools, 'deployment'>,
  method: 'post' | 'put' | 'patch',
  path: string,
  body: JsonObject,
): Promise<void> {
  await deployment.send(method, path, body, IgnoredResponse)
}

/** An object that is already deleted is not an error. */
async function deleteIfPresent({ deployment }: Pick<Tools, 'deployment'>, path: string): Promise<void> {
  try {
    await deployment.send('delete', path, undefined, IgnoredResponse)
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
}

/**
 * The server replaces the credentials of applications that get scopes of its own APIs (spec/management#replaced-credentials). What
 * the file says about those is sent behind all changes, so that the next plan finds nothing to do.
 */
export function credentialsToSend(
  changes: readonly SettingsChange[],
  { applications = {}, roleApplications = {} }: Partial<ConfigState>,
  secrets: Secrets,
): Map<string, JsonObject> {
  const promoted = new Set(changes.flatMap((change) => promotedBy(change, roleApplications)))
  return new Map(
    [...promoted].flatMap((id) => {
      const application = applications[id]
      const credentials = application && credentialsOf(id, application, secrets)
      return credentials && Object.keys(credentials).length > 0 ? [[id, credentials]] : []
    }),
  )
}

/** More than those that the server means: what is sent of the others is what they have. */
function promotedBy(change: SettingsChange, roleApplications: Record<string, JsonObject>): readonly string[] {
  if (change.action === 'delete') return []
  switch (change.section) {
    case 'applications':
      return change.after.isAdmin === true && change.fields.some(({ path: [key] }) => key === 'isAdmin')
        ? [change.id]
        : []
    case 'roles':
      return change.fields.some(({ path: [key] }) => key === 'scopes')
        ? stringItems(roleApplications[change.id]?.applications)
        : []
    case 'roleApplications':
      return stringItems(change.after.applications)
    case 'resources':
    case 'scopes':
    case 'connectors':
    case 'phrases':
    case 'settings':
    case 'experience':
    case 'hooks':
      return []
  }
}

/** A variable that is not set leaves the server its new secret. */
function credentialsOf(
  id: string,
  { secret, customClientMetadata }: JsonObject,
  secrets: Secrets,
): JsonObject {
  const place = ['applications', id]
  const isSet = (key: string) =>
    secretsWithin(secrets, [...place, key]).every(({ value }) => value !== undefined)
  const custom = isObject(customClientMetadata) ? customClientMetadata : {}
  const { jwks, jwksUri } = custom
  const hasKeys = (jwks !== undefined || jwksUri !== undefined) && isSet('customClientMetadata')
  return {
    ...(secret !== undefined && isSet('secret') && { secret }),
    ...(hasKeys && {
      customClientMetadata: {
        ...(jwks !== undefined && { jwks }),
        ...(jwksUri !== undefined && { jwksUri }),
      },
    }),
  }
}
