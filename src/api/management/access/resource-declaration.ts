import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { ifMatchHeaders, readPreconditions, type VersionedSubject, withEtag } from '../conflicts.ts'
import { declareCalls, type Resource } from '../resource-calls.ts'
import { idParam, type ManagementContext } from '../router.ts'

/**
 * Declares a resource of the management API. `withEtag` returns an entity with its ETag, and `readPreconditions` reads
 * the preconditions of a change.
 */
export const declareResource = <Entity extends z.ZodType>(
  resource: Resource<Entity> & { subject: VersionedSubject },
) => ({
  ...declareCalls(resource, {
    collection: {},
    item: { params: idParam },
    changeInput: { params: idParam, headers: ifMatchHeaders },
    itemPath: '/{id}' as const,
    collectionRefusals: [],
    changeRefusals: [412],
  }),
  tagged: withEtag,
  readPreconditions: (dependencies: Dependencies, c: ManagementContext, id: string, find: FindEntity) =>
    readPreconditions(dependencies, c, { subject: resource.subject, id, find: () => find(c, id) }),
})

type FindEntity = (c: ManagementContext, id: string) => Promise<object>

/** Declares a resource that is listed but never read individually, so callers have no ETag for it. */
export const declareListedResource = <Entity extends z.ZodType>(resource: Resource<Entity>) =>
  declareCalls(resource, {
    collection: {},
    item: { params: idParam },
    changeInput: { params: idParam },
    itemPath: '/{id}' as const,
    collectionRefusals: [],
    changeRefusals: [],
  })

/**
 * Declares a resource under a parent resource. In the path, `id` is the parent's id, and `key` is the parameter for the
 * resource's own id.
 */
export const declareSubresource = <Entity extends z.ZodType, const Key extends string>(
  key: Key,
  resource: Resource<Entity>,
) =>
  declareCalls(resource, {
    collection: { params: idParam },
    item: subitem(key),
    changeInput: subitem(key),
    itemPath: `/{${key}}` as const,
    collectionRefusals: [404],
    changeRefusals: [],
  })

/** Declares a resource under a parent resource whose changes accept `If-Match`. */
export const declareVersionedSubresource = <Entity extends z.ZodType, const Key extends string>(
  key: Key,
  resource: Resource<Entity> & { subject: VersionedSubject },
) =>
  declareCalls(resource, {
    collection: { params: idParam },
    item: subitem(key),
    changeInput: { ...subitem(key), headers: ifMatchHeaders },
    itemPath: `/{${key}}` as const,
    collectionRefusals: [404],
    changeRefusals: [412],
  })

const subitem = <const Key extends string>(key: Key) => ({
  // The cast is needed because the compiler widens a computed key to `string`.
  params: z.object({ id: storableText(128), [key]: storableText(128) } as Record<'id' | Key, Id>),
})

type Id = ReturnType<typeof storableText>
