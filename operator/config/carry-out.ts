import { z } from 'zod'
import { CommandFailure } from '../failure.ts'
import { type ApplyContext, changedColumns, changeLinks, deleteIfPresent, scopeIdOf, send } from './calls.ts'
import type { SettingsChange } from './change.ts'
import { isObject, type JsonObject, type JsonValue, parseJson, stringItems } from './json.ts'
import type { FactoryForm } from './secret-places.ts'
import { MissingSecret, withStoredSecrets } from './secrets.ts'
import { pathInFile, splitScopeKey } from './state.ts'
import { changeOrganizationRole, changeOrganizationScope } from './template.ts'

/** Applies one change of a plan through the management API. */
export async function applyChange(change: SettingsChange, tools: ApplyContext): Promise<void> {
  const complete = withSecrets(change, tools)
  switch (complete.section) {
    case 'resources':
    case 'connectors':
    case 'hooks':
      return changeSimpleObject(complete, tools)
    case 'scopes':
      return changeScope(complete, tools)
    case 'organizationScopes':
      return changeOrganizationScope(complete, tools)
    case 'roles':
      return changeRole(complete, tools)
    case 'organizationRoles':
      return changeOrganizationRole(complete, tools)
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
      return complete.action === 'delete' ? undefined : send(tools, 'patch', path, changedColumns(complete))
    }
  }
}

/** Returns the change with its secrets filled in. */
function withSecrets(
  change: SettingsChange,
  { secrets, factories }: Pick<ApplyContext, 'secrets' | 'factories'>,
): SettingsChange {
  if (change.action === 'delete') return change
  const before = change.action === 'change' ? change.before : undefined
  const body = change.action === 'create' ? change.after : changedColumns(change)
  const complete = withStoredSecrets(body, before, pathInFile(change.section, change.id), secrets)
  if (complete instanceof MissingSecret)
    throw new CommandFailure(`The variable ${complete.variable} isn't set. Set it and run the command again.`)
  const after = { ...change.after, ...(isObject(complete) ? complete : {}) }
  return { ...change, after: change.section === 'connectors' ? parseJsonFields(after, factories) : after }
}

/**
 * Parses the secrets of a connector that are objects, such as the login of an SMTP server. The variables contain
 * strings, which the server would reject.
 */
function parseJsonFields(connector: JsonObject, factories: readonly FactoryForm[]): JsonObject {
  const { config, connectorId } = connector
  if (!isObject(config)) return connector
  const items = factories.find(({ id }) => id === connectorId)?.formItems ?? []
  const parsed = items.flatMap(({ key, type }) => {
    const [name = '', ...inner] = key.split('.')
    const text = type === 'Json' || inner.length > 0 ? config[name] : undefined
    return typeof text === 'string' && text.startsWith('{') ? [[name, parseJson(text) ?? text]] : []
  })
  return { ...connector, config: { ...config, ...Object.fromEntries(parsed) } }
}

function changeSimpleObject(change: SettingsChange, tools: ApplyContext): Promise<void> {
  const path = `${change.section}/${change.id}`
  switch (change.action) {
    case 'create':
      return send(tools, 'post', change.section, { id: change.id, ...change.after })
    case 'change':
      return send(
        tools,
        'patch',
        path,
        change.section === 'hooks' ? hookPatch(change) : changedColumns(change),
      )
    case 'delete':
      return deleteIfPresent(tools, path)
  }
}

/**
 * Returns the body of a PATCH for a webhook. The server merges the configuration key by key, so if the file has no
 * headers, the body contains empty ones.
 */
function hookPatch(change: Extract<SettingsChange, { action: 'change' }>): JsonObject {
  const changed = changedColumns(change)
  return isObject(changed.config) ? { ...changed, config: { headers: {}, ...changed.config } } : changed
}

async function changeScope(change: SettingsChange, tools: ApplyContext): Promise<void> {
  const { deployment, scopeIds } = tools
  const { resourceId, name } = splitScopeKey(change.id)
  const path = `resources/${resourceId}/scopes`
  if (change.action === 'create') {
    const scope = await deployment.send('post', path, { name, ...change.after }, z.object({ id: z.string() }))
    scopeIds.set(change.id, scope.id)
    return
  }
  const scopeId = scopeIdOf(scopeIds, change.id)
  if (change.action === 'delete') return deleteIfPresent(tools, `${path}/${scopeId}`)
  await send(tools, 'patch', `${path}/${scopeId}`, { name, ...change.after })
}

async function changeRole(change: SettingsChange, tools: ApplyContext): Promise<void> {
  const path = `roles/${change.id}`
  if (change.action === 'delete') return deleteIfPresent(tools, path)
  const { scopes, ...columns } = change.after
  const idsOf = (keys: JsonValue | undefined) =>
    stringItems(keys).map((key) => scopeIdOf(tools.scopeIds, key))
  const scopeIds = idsOf(scopes)
  if (change.action === 'create') return send(tools, 'post', 'roles', { id: change.id, ...columns, scopeIds })

  const { scopes: _, ...changed } = changedColumns(change)
  if (Object.keys(changed).length > 0) await send(tools, 'patch', path, changed)
  await changeLinks(tools, `${path}/scopes`, 'scopeIds', {
    before: idsOf(change.before.scopes),
    after: scopeIds,
  })
}

async function changeRoleApplications(change: SettingsChange, tools: ApplyContext): Promise<void> {
  if (change.action === 'delete') return
  const before = change.action === 'change' ? stringItems(change.before.applications) : []
  const after = stringItems(change.after.applications)
  await changeLinks(tools, `roles/${change.id}/applications`, 'applicationIds', { before, after })
}

async function changeApplication(change: SettingsChange, tools: ApplyContext): Promise<void> {
  const path = `applications/${change.id}`
  if (change.action === 'delete') return deleteIfPresent(tools, path)
  if (change.action === 'create') {
    const { isAdmin, ...created } = change.after
    await send(tools, 'post', 'applications', { id: change.id, ...created })
    if (isAdmin === true) await send(tools, 'patch', path, { isAdmin })
    return
  }
  const changed = changedColumns(change)
  const { before } = change
  await send(tools, 'patch', path, {
    ...changed,
    ...withNulls('oidcClientMetadata', before, changed),
    ...withNulls('customClientMetadata', before, changed),
  })
}

/**
 * Adds null for each metadata key that was removed, because the server merges metadata key by key and null deletes a
 * key.
 */
function withNulls(column: string, before: JsonObject, changed: JsonObject): JsonObject {
  const newValue = changed[column]
  const oldValue = before[column]
  if (!isObject(newValue)) return {}
  const removedKeys = isObject(oldValue)
    ? Object.keys(oldValue).filter((key) => newValue[key] === undefined)
    : []
  return { [column]: { ...newValue, ...Object.fromEntries(removedKeys.map((key) => [key, null])) } }
}
