import { createRoute, type z } from '@hono/zod-openapi'
import { declaredRefusals, jsonAnswer, jsonBody } from '../guard.ts'
import { type AuditAction, type AuditSubject, beginManagementAudit } from './change.ts'
import type { ifMatch } from './conflicts.ts'
import { pageAnswer } from './pagination.ts'
import {
  type ManagementContext,
  managementRefusals,
  managementRefusalsWithBody,
  managementSecurity,
} from './router.ts'

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
type Call<Answer, Status extends number> = {
  summary: string
  description: string
  answer?: Answer
  refusals?: readonly Status[]
}

type Place<Collection, Item, Changed, ItemPath, Refusals, Conflict extends number> = {
  collection: Collection
  item: Item
  /** The item in a call that changes or deletes it. */
  changed: Changed
  itemPath: ItemPath
  /** Refusals of the calls without an id of their own. */
  ofCollection: Refusals
  /** Statuses of the calls that change or delete it. */
  ofChange: readonly Conflict[]
}

/** The calls of a resource at its place. Each is made when it is asked for. */
export function declareCalls<
  Entity extends z.ZodType,
  Collection extends { params?: z.ZodObject },
  Item extends { params: z.ZodObject },
  Changed extends { params: z.ZodObject; headers?: typeof ifMatch },
  ItemPath extends string,
  CollectionRefusals extends Partial<ReturnType<typeof declaredRefusals<404>>>,
  Conflict extends number,
>(
  { tag, name, entity, subject }: Resource<Entity>,
  place: Place<Collection, Item, Changed, ItemPath, CollectionRefusals, Conflict>,
) {
  const { collection, item, changed, itemPath, ofCollection, ofChange } = place
  const common = { tags: [tag], ...managementSecurity }
  // Where a call names no answer, the compiler infers `Entity` for it.
  const answered = <Answer extends z.ZodType>(own: Answer | undefined) => (own ?? entity) as Answer

  return {
    list: <Query extends z.ZodObject, Answer extends z.ZodType = Entity, Status extends number = never>({
      query,
      answer: own,
      refusals: statuses = [],
      ...texts
    }: Call<Answer, Status> & { query: Query }) =>
      createRoute({
        method: 'get',
        path: '/',
        ...common,
        ...texts,
        request: { ...collection, query },
        responses: {
          200: pageAnswer(`A page of ${name}s`, answered(own)),
          ...managementRefusals,
          ...ofCollection,
          ...declaredRefusals(...statuses),
        },
      }),

    create: <Body extends z.ZodType, Answer extends z.ZodType = Entity, Status extends number = never>({
      body,
      answer: own,
      refusals: statuses = [],
      ...texts
    }: Call<Answer, Status> & { body: Body }) =>
      createRoute({
        method: 'post',
        path: '/',
        ...common,
        ...texts,
        request: { ...collection, body: jsonBody(body) },
        responses: {
          200: jsonAnswer(`The created ${name}`, answered(own)),
          ...managementRefusalsWithBody,
          ...ofCollection,
          ...declaredRefusals(422),
          ...declaredRefusals(...statuses),
        },
      }),

    read: <Answer extends z.ZodType = Entity>({ answer: own, ...texts }: Call<Answer, never>) =>
      createRoute({
        method: 'get',
        path: itemPath,
        ...common,
        ...texts,
        request: item,
        responses: {
          200: jsonAnswer(`The ${name}`, answered(own)),
          ...managementRefusals,
          ...declaredRefusals(404),
        },
      }),

    update: <Body extends z.ZodType, Answer extends z.ZodType = Entity, Status extends number = never>({
      body,
      answer: own,
      refusals: statuses = [],
      ...texts
    }: Call<Answer, Status> & { body: Body }) =>
      createRoute({
        method: 'patch',
        path: itemPath,
        ...common,
        ...texts,
        request: { ...changed, body: jsonBody(body) },
        responses: {
          200: jsonAnswer(`The changed ${name}`, answered(own)),
          ...managementRefusalsWithBody,
          ...declaredRefusals(404),
          ...declaredRefusals(...ofChange),
          ...declaredRefusals(...statuses),
        },
      }),

    /** Makes a new secret in place of the one it has. */
    replaceSecret: <Answer extends z.ZodType = Entity, Status extends number = never>({
      answer: own,
      refusals: statuses = [],
      ...texts
    }: Call<Answer, Status>) =>
      createRoute({
        method: 'post',
        path: `${itemPath}/secret` as const,
        ...common,
        ...texts,
        request: item,
        responses: {
          200: jsonAnswer(`The ${name} with its new secret`, answered(own)),
          ...managementRefusals,
          ...declaredRefusals(404),
          ...declaredRefusals(...statuses),
        },
      }),

    /** Links what exists already. */
    link: <Body extends z.ZodType, Status extends number = never>({
      body,
      refusals: statuses = [],
      ...texts
    }: Call<never, Status> & { body: Body }) =>
      createRoute({
        method: 'post',
        path: '/',
        ...common,
        ...texts,
        request: { ...collection, body: jsonBody(body) },
        responses: {
          201: { description: 'Linked' },
          ...managementRefusalsWithBody,
          ...ofCollection,
          ...declaredRefusals(...statuses),
        },
      }),

    delete: (texts: Call<never, never>) =>
      createRoute({
        method: 'delete',
        path: itemPath,
        ...common,
        ...texts,
        request: changed,
        responses: {
          204: { description: 'Deleted' },
          ...managementRefusals,
          ...declaredRefusals(404),
          ...declaredRefusals(...ofChange),
        },
      }),

    audit: (c: ManagementContext, action: AuditAction, about: Record<string, unknown>, given?: object) =>
      beginManagementAudit(c, `Management.${subject}.${action}`, about, given),
  }
}
