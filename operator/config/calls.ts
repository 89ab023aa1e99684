import { ApiError, type Deployment, IgnoredResponse } from '../deployment.ts'
import { CommandFailure } from '../failure.ts'
import type { SettingsChange } from './change.ts'
import { isObject, type JsonObject, type JsonValue } from './json.ts'
import type { FactoryForm } from './secret-places.ts'
import type { Secrets } from './secrets.ts'

/** The calls with which the changes of all sections are made. */

export type ApplyContext = {
  deployment: Deployment
  scopeIds: Map<string, string>
  secrets: Secrets
  factories: readonly FactoryForm[]
}

/**
 * Returns the columns that differ. Each column is complete, because a PATCH replaces whole columns
 * (spec/management#patch).
 */
export function changedColumns(change: Exclude<SettingsChange, { action: 'delete' }>): JsonObject {
  const changed = new Set(change.fields.map(({ path: [first = ''] }) => first))
  return Object.fromEntries(
    [...changed].map((key) => [
      key,
      change.after[key] ?? (change.action === 'change' ? emptyValueOf(change.before[key]) : null),
    ]),
  )
}

/** Returns the empty value for a column that is no longer in the file. */
const emptyValueOf = (before: JsonValue | undefined): JsonValue =>
  Array.isArray(before) ? [] : isObject(before) ? {} : null

/** Adds and removes what an object is linked to. `name` is the name of the body's field with the ids to add. */
export async function changeLinks(
  tools: ApplyContext,
  path: string,
  name: 'scopeIds' | 'applicationIds',
  { before, after }: Record<'before' | 'after', readonly string[]>,
): Promise<void> {
  const added = after.filter((id) => !before.includes(id))
  if (added.length > 0) await send(tools, 'post', path, { [name]: added })
  for (const id of before.filter((id) => !after.includes(id))) await deleteIfPresent(tools, `${path}/${id}`)
}

export function scopeIdOf(scopeIds: ReadonlyMap<string, string>, key: string): string {
  const id = scopeIds.get(key)
  if (id === undefined) throw new CommandFailure(`The scope ${key} no longer exists.`)
  return id
}

export async function send(
  { deployment }: Pick<ApplyContext, 'deployment'>,
  method: 'post' | 'put' | 'patch',
  path: string,
  body: JsonObject,
): Promise<void> {
  await deployment.send(method, path, body, IgnoredResponse)
}

/** Deletes an object. It is not an error if the object is already deleted. */
export async function deleteIfPresent(
  { deployment }: Pick<ApplyContext, 'deployment'>,
  path: string,
): Promise<void> {
  try {
    await deployment.send('delete', path, undefined, IgnoredResponse)
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
}
