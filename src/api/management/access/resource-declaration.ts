import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { ifMatch, preconditionsOf, tagged, type VersionedSubject } from '../conflicts.ts'
import { declareCalls, type Resource } from '../resource-calls.ts'
import { idParam, type ManagementContext } from '../router.ts'

/**
 * Declares a resource of the management API: each call by what is its own. `tagged` answers an entity with its ETag,
 * `preconditionsOf` reads what a change of it is held to.
 */
export const declareResource = <Entity extends z.ZodType>(
  resource: Resource<Entity> & { subject: VersionedSubject },
) => ({
  ...declareCalls(resource, {
    collection: {},
    item: { params: idParam },
    changed: { params: idParam, headers: ifMatch },
    itemPath: '/{id}' as const,
    ofCollection: [],
    ofChange: [412],
  }),
  tagged,
  preconditionsOf: (dependencies: Dependencies, c: ManagementContext, id: string, find: FindEntity) =>
    preconditionsOf(dependencies, c, { subject: resource.subject, id, find: () => find(c, id) }),
})

type FindEntity = (c: ManagementContext, id: string) => Promise<object>

/** The same for one that is listed and never read alone: a caller has no ETag of it. */
export const declareListedResource = <Entity extends z.ZodType>(resource: Resource<Entity>) =>
  declareCalls(resource, {
    collection: {},
    item: { params: idParam },
    changed: { params: idParam },
    itemPath: '/{id}' as const,
    ofCollection: [],
    ofChange: [],
  })

/** A resource below another one, whose id is `id` in the path; `key` is its own. */
export const declareSubresource = <Entity extends z.ZodType, const Key extends string>(
  key: Key,
  resource: Resource<Entity>,
) =>
  declareCalls(resource, {
    collection: { params: idParam },
    item: subitem(key),
    changed: subitem(key),
    itemPath: `/{${key}}` as const,
    ofCollection: [404],
    ofChange: [],
  })

const subitem = <const Key extends string>(key: Key) => ({
  // The compiler takes a computed key for any string.
  params: z.object({ id: storableText(128), [key]: storableText(128) } as Record<'id' | Key, Id>),
})

type Id = ReturnType<typeof storableText>
