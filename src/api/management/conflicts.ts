import { z } from 'zod'
import type { Dependencies } from '../../application/dependencies.ts'
import { refuseWith } from '../../contract/refused.ts'
import { entityVersions } from '../../storage/entity-versions.ts'
import { isUnchanged, type Precondition } from '../../storage/preconditions.ts'
import type { ManagementContext } from './router.ts'

/** ETags of entities, and `If-Match` of their changes (RFC 9110 §13.1.1, spec/management#conflicts). */

/** For the declaration of a change. */
export const ifMatch = z.object({
  'if-match': z.string().optional().meta({
    description:
      'The ETag of the entity as it was read: the change is made if it still is the same, else refused with 412 `request.precondition_failed`.',
  }),
})
/** The same of a call that may create the entity. */
export const ifMatchOrNew = ifMatch.extend({
  'if-none-match': z.string().optional().meta({
    description:
      'With `*` the entity is created if it does not exist, else the call is refused with 412 `request.precondition_failed`. Other values are ignored.',
  }),
})

/** Sets the ETag of an answer that is the whole entity, and answers it. */
export async function tagged<T>(c: ManagementContext, entity: T): Promise<T> {
  c.header('ETag', await tagOf(entity))
  // A proxy that compresses an answer makes its tag a weak one, which `If-Match` never takes.
  c.header('Cache-Control', 'no-store, no-transform')
  return entity
}

export type VersionedSubject = keyof typeof entityVersions

type VersionedEntity = {
  subject: VersionedSubject
  id: string
  /** What GET answers; null where it does not exist and the call would create it. */
  find(): Promise<object | null>
}

/**
 * For the batch of a change: where the request has `If-Match`, or a PUT `If-None-Match: *` (RFC 9110 §13.1.2), that the entity is
 * still as it is now. Refuses at once if that is not what the caller saw.
 */
export async function preconditionsOf(
  { db }: Pick<Dependencies, 'db'>,
  c: ManagementContext,
  { subject, id, find }: VersionedEntity,
): Promise<Precondition[]> {
  const ifMatchHeader = c.req.header('if-match')
  const mustBeNew = c.req.method === 'PUT' && isAny(c.req.header('if-none-match') ?? '')
  if (ifMatchHeader === undefined && !mustBeNew) return []
  // The version first: what changes between the two is not what the caller saw.
  const precondition = await isUnchanged(db, entityVersions[subject](c.var.tenantId, id))
  const entity = await find()
  const isAsSeen = ifMatchHeader === undefined || (entity !== null && (await isTagged(entity, ifMatchHeader)))
  if (!isAsSeen || (mustBeNew && entity !== null)) refuseWith('request.precondition_failed')
  return [precondition]
}

const isTagged = async (entity: object, tags: string) =>
  isAny(tags) || strongTags(tags).includes(await tagOf(entity))

const isAny = (tags: string) => tags.trim() === '*'

const strongTags = (tags: string): string[] => tags.match(/(?:W\/)?"[^"]*"/g) ?? []

/** Of the bytes that `c.json` makes of it. */
async function tagOf(entity: unknown): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(entity)))
  return `"${new Uint8Array(digest).toHex().slice(0, 40)}"`
}
