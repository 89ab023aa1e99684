import { z } from 'zod'
import type { Dependencies } from '../../application/dependencies.ts'
import { refuseWith } from '../../contract/refused.ts'
import { entityVersions } from '../../storage/entity-versions.ts'
import { createVersionPrecondition, type Precondition } from '../../storage/preconditions.ts'
import type { ManagementContext } from './router.ts'

/** Handles entity ETags and the `If-Match` header of changes (RFC 9110 §13.1.1, spec/management#conflicts). */

/** Declares the precondition header of a change. */
export const ifMatchHeaders = z.object({
  'if-match': z
    .string()
    .optional()
    .meta({
      description:
        'The ETag of the entity as it was last read. The change is made if the entity still has it, and ' +
        'otherwise rejected with 412 `request.precondition_failed`.',
    }),
})
/** Declares the precondition headers of a call that may also create the entity. */
export const ifMatchOrNoneMatchHeaders = ifMatchHeaders.extend({
  'if-none-match': z
    .string()
    .optional()
    .meta({
      description:
        'With `*`, the entity is created if it does not exist, and otherwise the call is rejected with 412 ' +
        '`request.precondition_failed`. Other values are ignored.',
    }),
})

/** Sets the ETag of a response whose body is the whole entity, and returns the entity. */
export async function withEtag<T>(c: ManagementContext, entity: T): Promise<T> {
  c.header('ETag', await etagOf(entity))
  // A proxy that compresses the response would weaken its ETag, and `If-Match` never accepts a weak ETag.
  c.header('Cache-Control', 'no-store, no-transform')
  return entity
}

export type VersionedSubject = keyof typeof entityVersions

type VersionedEntity = {
  subject: VersionedSubject
  id: string
  /** Returns the entity as a GET request would, or null if the entity does not exist and this call would create it. */
  find(): Promise<object | null>
}

/**
 * Returns the preconditions for the batch of a change. If the request has `If-Match`, or is a PUT with `If-None-Match:
 * *` (RFC 9110 §13.1.2), the entity must not change before the batch runs. Throws if the entity already differs from
 * the version that the request expects.
 */
export async function readPreconditions(
  { db }: Pick<Dependencies, 'db'>,
  c: ManagementContext,
  { subject, id, find }: VersionedEntity,
): Promise<Precondition[]> {
  const ifMatchHeader = c.req.header('if-match')
  const mustBeNew = c.req.method === 'PUT' && isWildcard(c.req.header('if-none-match') ?? '')
  if (ifMatchHeader === undefined && !mustBeNew) return []
  // The version is read before the entity, so that the batch fails if the entity changes between the two reads.
  const precondition = await createVersionPrecondition(db, entityVersions[subject](c.var.tenantId, id))
  const entity = await find()
  const isCurrentVersion =
    ifMatchHeader === undefined || (entity !== null && (await matchesEtag(entity, ifMatchHeader)))
  if (!isCurrentVersion || (mustBeNew && entity !== null)) refuseWith('request.precondition_failed')
  return [precondition]
}

const matchesEtag = async (entity: object, tags: string) =>
  isWildcard(tags) || strongTags(tags).includes(await etagOf(entity))

const isWildcard = (tags: string) => tags.trim() === '*'

const strongTags = (tags: string): string[] => tags.match(/(?:W\/)?"[^"]*"/g) ?? []

/** Hashes the entity exactly as `c.json` serializes it. */
async function etagOf(entity: unknown): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(entity)))
  return `"${new Uint8Array(digest).toHex().slice(0, 40)}"`
}
