import { z } from 'zod'
import { type ApplyContext, changedColumns, changeLinks, deleteIfPresent, scopeIdOf, send } from './calls.ts'
import type { SettingsChange } from './change.ts'
import { type JsonValue, stringItems } from './json.ts'
import { organizationScopeKey } from './state.ts'

/** Changes the roles and scopes that all organisations of the tenant share (spec/organisations#template). */

export async function changeOrganizationScope(change: SettingsChange, tools: ApplyContext): Promise<void> {
  const { deployment, scopeIds } = tools
  const key = organizationScopeKey(change.id)
  if (change.action === 'create') {
    const body = { name: change.id, ...change.after }
    const scope = await deployment.send('post', 'organization-scopes', body, z.object({ id: z.string() }))
    scopeIds.set(key, scope.id)
    return
  }
  const path = `organization-scopes/${scopeIdOf(scopeIds, key)}`
  return change.action === 'delete'
    ? deleteIfPresent(tools, path)
    : send(tools, 'patch', path, changedColumns(change))
}

export async function changeOrganizationRole(change: SettingsChange, tools: ApplyContext): Promise<void> {
  const path = `organization-roles/${change.id}`
  if (change.action === 'delete') return deleteIfPresent(tools, path)
  const { scopes, resourceScopes, ...columns } = change.after
  const { scopes: _, resourceScopes: __, ...changed } = changedColumns(change)
  if (change.action === 'create')
    await send(tools, 'post', 'organization-roles', { id: change.id, ...columns })
  else if (Object.keys(changed).length > 0) await send(tools, 'patch', path, changed)

  const before = change.action === 'change' ? change.before : {}
  const idsOf = (keys: readonly string[]) => keys.map((key) => scopeIdOf(tools.scopeIds, key))
  const ownScopes = (names: JsonValue | undefined) => idsOf(stringItems(names).map(organizationScopeKey))
  await changeLinks(tools, `${path}/scopes`, 'scopeIds', {
    before: ownScopes(before.scopes),
    after: ownScopes(scopes),
  })
  await changeLinks(tools, `${path}/resource-scopes`, 'scopeIds', {
    before: idsOf(stringItems(before.resourceScopes)),
    after: idsOf(stringItems(resourceScopes)),
  })
}
