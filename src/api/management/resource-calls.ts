import type { z } from 'zod'
import { jsonAnswer, jsonBody, type RefusalStatus } from '../guard.ts'
import { type AuditAction, type AuditSubject, beginManagementAudit } from './change.ts'
import type { ifMatch } from './conflicts.ts'
import { pageAnswer } from './pagination.ts'
import { type ManagementContext, managementCalls } from './router.ts'

/** What the calls of a resource have in common. */
export type Resource<Entity extends z.ZodType> = {
  tag: string
  /** In the middle of a sentence: "application". */
  name: string
  /** An entity as it is answered. */
  entity: Entity
  /** What its audit entries are about. */
  subject: AuditSubject
}

/**
 * What a call adds. Without an `answer` of its own it answers the entity. `refusals` are the statuses beyond those of every
 * such call. Its example is in `openapi-examples.ts`, which is loaded for the document alone.
 */
type Call<Answer> = {
  summary: string
  description: string
  answer?: Answer
  refusals?: readonly RefusalStatus[]
}

type Place<Collection, Item, Changed, ItemPath> = {
  collection: Collection
  item: Item
  /** The item in a call that changes or deletes it. */
  changed: Changed
  itemPath: ItemPath
  /** Refusals of the calls without an id of their own. */
  ofCollection: readonly RefusalStatus[]
  /** Those of the calls that change or delete it. */
  ofChange: readonly RefusalStatus[]
}

/** The calls of a resource at its place. Each is made when it is asked for. */
export function declareCalls<
  Entity extends z.ZodType,
  Collection extends { params?: z.ZodObject },
  Item extends { params: z.ZodObject },
  Changed extends { params: z.ZodObject; headers?: typeof ifMatch },
  ItemPath extends string,
>({ tag, name, entity, subject }: Resource<Entity>, place: Place<Collection, Item, Changed, ItemPath>) {
  const { collection, item, changed, itemPath, ofCollection, ofChange } = place
  const declareCall = managementCalls(tag)
  // Where a call names no answer, the compiler infers `Entity` for it.
  const entityOr = <Answer extends z.ZodType>(answer: Answer | undefined) => (answer ?? entity) as Answer

  return {
    list: <Query extends z.ZodObject, Answer extends z.ZodType = Entity>({
      query,
      answer,
      refusals = [],
      ...texts
    }: Call<Answer> & { query: Query }) =>
      declareCall({
        ...texts,
        method: 'get',
        path: '/',
        request: { ...collection, query },
        answers: { 200: pageAnswer(`A page of ${name}s`, entityOr(answer)) },
        refusals: [...ofCollection, ...refusals],
      }),

    create: <Body extends z.ZodType, Answer extends z.ZodType = Entity>({
      body,
      answer,
      refusals = [],
      ...texts
    }: Call<Answer> & { body: Body }) =>
      declareCall({
        ...texts,
        method: 'post',
        path: '/',
        request: { ...collection, body: jsonBody(body) },
        answers: { 200: jsonAnswer(`The created ${name}`, entityOr(answer)) },
        refusals: [...ofCollection, 422, ...refusals],
      }),

    read: <Answer extends z.ZodType = Entity>({ answer, ...texts }: Call<Answer>) =>
      declareCall({
        ...texts,
        method: 'get',
        path: itemPath,
        request: item,
        answers: { 200: jsonAnswer(`The ${name}`, entityOr(answer)) },
        refusals: [404],
      }),

    update: <Body extends z.ZodType, Answer extends z.ZodType = Entity>({
      body,
      answer,
      refusals = [],
      ...texts
    }: Call<Answer> & { body: Body }) =>
      declareCall({
        ...texts,
        method: 'patch',
        path: itemPath,
        request: { ...changed, body: jsonBody(body) },
        answers: { 200: jsonAnswer(`The changed ${name}`, entityOr(answer)) },
        refusals: [404, ...ofChange, ...refusals],
      }),

    /** Makes a new secret in place of the one it has. */
    replaceSecret: <Answer extends z.ZodType = Entity>({ answer, refusals = [], ...texts }: Call<Answer>) =>
      declareCall({
        ...texts,
        method: 'post',
        path: `${itemPath}/secret` as const,
        request: item,
        answers: { 200: jsonAnswer(`The ${name} with its new secret`, entityOr(answer)) },
        refusals: [404, ...refusals],
      }),

    /** Links what exists already. */
    link: <Body extends z.ZodType>({ body, refusals = [], ...texts }: Call<never> & { body: Body }) =>
      declareCall({
        ...texts,
        method: 'post',
        path: '/',
        request: { ...collection, body: jsonBody(body) },
        answers: { 201: { description: 'Linked' } },
        refusals: [...ofCollection, ...refusals],
      }),

    delete: (texts: Call<never>) =>
      declareCall({
        ...texts,
        method: 'delete',
        path: itemPath,
        request: changed,
        answers: { 204: { description: 'Deleted' } },
        refusals: [404, ...ofChange],
      }),

    audit: (c: ManagementContext, action: AuditAction, about: Record<string, unknown>, fields?: object) =>
      beginManagementAudit(c, `Management.${subject}.${action}`, about, fields),
  }
}
