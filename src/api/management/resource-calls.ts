import type { z } from 'zod'
import { jsonBody, jsonResponse, type RefusalStatus } from '../guard.ts'
import { type AuditAction, type AuditSubject, beginManagementAudit } from './change.ts'
import type { ifMatchHeaders } from './conflicts.ts'
import { pageResponse } from './pagination.ts'
import { createManagementCallDeclarer, type ManagementContext } from './router.ts'

/** The properties that all calls on one resource share. */
export type Resource<Entity extends z.ZodType> = {
  tag: string
  /** The name of the resource in running text, such as "application". */
  name: string
  /** The schema of the entity in responses. */
  entity: Entity
  /** The subject of the resource's audit entries. */
  subject: AuditSubject
}

/**
 * The properties that differ between the calls on a resource. Without a `response`, the call returns the entity.
 * `refusals` lists error statuses in addition to the usual ones. The examples are in `openapi-examples.ts`, which is
 * loaded only for the OpenAPI document.
 */
type Call<ResponseSchema> = {
  operationId: string
  summary: string
  description: string
  response?: ResponseSchema
  refusals?: readonly RefusalStatus[]
}

type Place<Collection, Item, ChangeInput, ItemPath> = {
  collection: Collection
  item: Item
  /** The schemas of the parameters that identify the item to change or delete. */
  changeInput: ChangeInput
  itemPath: ItemPath
  /** The additional error statuses of calls on the collection. */
  collectionRefusals: readonly RefusalStatus[]
  /** The additional error statuses of calls that change or delete an item. */
  changeRefusals: readonly RefusalStatus[]
}

/** Returns functions that declare the calls on a resource with the given paths and parameters. */
export function declareCalls<
  Entity extends z.ZodType,
  Collection extends { params?: z.ZodObject },
  Item extends { params: z.ZodObject },
  ChangeInput extends { params: z.ZodObject; headers?: typeof ifMatchHeaders },
  ItemPath extends string,
>({ tag, name, entity, subject }: Resource<Entity>, place: Place<Collection, Item, ChangeInput, ItemPath>) {
  const { collection, item, changeInput, itemPath, collectionRefusals, changeRefusals } = place
  const declareCall = createManagementCallDeclarer(tag)
  // The cast is safe, because `ResponseSchema` defaults to `Entity` if a declaration has no `response`.
  const entityOr = <ResponseSchema extends z.ZodType>(response: ResponseSchema | undefined) =>
    (response ?? entity) as ResponseSchema

  return {
    list: <Query extends z.ZodObject, ResponseSchema extends z.ZodType = Entity>({
      query,
      response,
      refusals = [],
      ...texts
    }: Call<ResponseSchema> & { query: Query }) =>
      declareCall({
        ...texts,
        method: 'get',
        path: '/',
        request: { ...collection, query },
        responses: { 200: pageResponse(`A page of ${name}s`, entityOr(response)) },
        refusals: [...collectionRefusals, ...refusals],
      }),

    create: <Body extends z.ZodType, ResponseSchema extends z.ZodType = Entity>({
      body,
      response,
      refusals = [],
      ...texts
    }: Call<ResponseSchema> & { body: Body }) =>
      declareCall({
        ...texts,
        method: 'post',
        path: '/',
        request: { ...collection, body: jsonBody(body) },
        responses: { 200: jsonResponse(`The created ${name}`, entityOr(response)) },
        refusals: [...collectionRefusals, 422, ...refusals],
      }),

    read: <ResponseSchema extends z.ZodType = Entity>({ response, ...texts }: Call<ResponseSchema>) =>
      declareCall({
        ...texts,
        method: 'get',
        path: itemPath,
        request: item,
        responses: { 200: jsonResponse(`The ${name}`, entityOr(response)) },
        refusals: [404],
      }),

    update: <Body extends z.ZodType, ResponseSchema extends z.ZodType = Entity>({
      body,
      response,
      refusals = [],
      ...texts
    }: Call<ResponseSchema> & { body: Body }) =>
      declareCall({
        ...texts,
        method: 'patch',
        path: itemPath,
        request: { ...changeInput, body: jsonBody(body) },
        responses: { 200: jsonResponse(`The changed ${name}`, entityOr(response)) },
        refusals: [404, ...changeRefusals, ...refusals],
      }),

    /** Declares a call that replaces a secret with a new one. */
    replaceSecret: <ResponseSchema extends z.ZodType = Entity>({
      response,
      refusals = [],
      ...texts
    }: Call<ResponseSchema>) =>
      declareCall({
        ...texts,
        method: 'post',
        path: `${itemPath}/secret` as const,
        request: item,
        responses: { 200: jsonResponse(`The ${name} with its new secret`, entityOr(response)) },
        refusals: [404, ...refusals],
      }),

    /** Declares a call that adds links between existing entities. */
    link: <Body extends z.ZodType>({ body, refusals = [], ...texts }: Call<never> & { body: Body }) =>
      declareCall({
        ...texts,
        method: 'post',
        path: '/',
        request: { ...collection, body: jsonBody(body) },
        responses: { 201: { description: 'Linked' } },
        refusals: [...collectionRefusals, ...refusals],
      }),

    delete: ({ refusals = [], ...texts }: Call<never>) =>
      declareCall({
        ...texts,
        method: 'delete',
        path: itemPath,
        request: changeInput,
        responses: { 204: { description: 'Deleted' } },
        refusals: [404, ...changeRefusals, ...refusals],
      }),

    audit: (c: ManagementContext, action: AuditAction, about: Record<string, unknown>, fields?: object) =>
      beginManagementAudit(c, `Management.${subject}.${action}`, about, fields),
  }
}
