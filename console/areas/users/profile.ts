import type { z } from 'zod'
import { isRecord } from '../../../src/contract/is-record.ts'
import type { ManagedUser as ManagedUserSchema } from '../../../src/contract/users/users.schema.ts'
import type { EntityForm } from '../../api/entity-form.ts'

export type ManagedUser = z.infer<typeof ManagedUserSchema>
export type UserForm = EntityForm<ManagedUser>

/**
 * Returns the body of the PATCH. The API merges profiles (spec/accounts#profile), so removed fields are sent as null.
 */
export function toPatch(changes: Partial<ManagedUser>, from: ManagedUser): Record<string, unknown> {
  const { profile, ...others } = changes
  return profile ? { ...others, profile: nullifyRemoved(profile, from.profile) } : others
}

type Fields = Readonly<Record<string, unknown>>

function nullifyRemoved(next: Fields, before: Fields): Fields {
  const names = [...new Set([...Object.keys(before), ...Object.keys(next)])]
  return Object.fromEntries(
    names.map((name) => {
      const value = next[name]
      const old = before[name]
      return [name, isRecord(value) ? nullifyRemoved(value, isRecord(old) ? old : {}) : (value ?? null)]
    }),
  )
}

/** Applies changes to a profile. Fields that become empty are removed, and so are objects without fields. */
export function applyProfileChanges<T extends Fields>(fields: T, changes: Partial<T>): T {
  const isEmpty = (value: unknown) =>
    value === undefined || value === '' || (isRecord(value) && Object.keys(value).length === 0)
  const entries = Object.entries({ ...fields, ...changes }).filter(
    ([name]) => !(Object.hasOwn(changes, name) && isEmpty(changes[name])),
  )
  return Object.fromEntries(entries) as T
}
