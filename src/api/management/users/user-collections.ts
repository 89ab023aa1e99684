import { z } from 'zod'
import { jsonResponse } from '../../guard.ts'
import { createManagementCallDeclarer, idParam } from '../router.ts'

/**
 * Declares the two calls on a collection that belongs to a user, such as passkeys: listing all items and deleting one.
 */

const declareCall = createManagementCallDeclarer('Users')

type List<Item> = {
  operationId: string
  /** The name of the items in running text, such as "passkeys". */
  things: string
  description: string
  item: Item
}

export const declareListCall = <Item extends z.ZodType>({
  operationId,
  things,
  description,
  item,
}: List<Item>) =>
  declareCall({
    method: 'get',
    path: '/',
    operationId,
    summary: `List the ${things} of a user`,
    description: `${description} Responds with 404 \`entity.not_found\` if the user is unknown.`,
    request: { params: idParam },
    responses: { 200: jsonResponse(`All ${things}`, z.array(item)) },
    refusals: [404],
  })

type Removal<Path, Params> = {
  path: Path
  params: Params
  operationId: string
  summary: string
  description: string
  response: string
}

export const declareRemovalCall = <const Path extends `/{${string}}` | '/', Params extends z.ZodRawShape>({
  path,
  params,
  operationId,
  summary,
  description,
  response,
}: Removal<Path, Params>) =>
  declareCall({
    method: 'delete',
    path,
    operationId,
    summary,
    description,
    request: { params: idParam.extend(params) },
    responses: { 204: { description: response } },
    refusals: [404],
  })
