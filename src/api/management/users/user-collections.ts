import { z } from 'zod'
import { jsonResponse } from '../../guard.ts'
import { createManagementCallDeclarer, idParam } from '../router.ts'

/**
 * Declares the two calls on a collection that belongs to a user, such as passkeys: listing all items and deleting one.
 */

const declareCall = createManagementCallDeclarer('Users')

export const declareListCall = <Item extends z.ZodType>(things: string, description: string, item: Item) =>
  declareCall({
    method: 'get',
    path: '/',
    summary: `List the ${things} of a user`,
    description: `${description} Responds with 404 \`entity.not_found\` if the user is unknown.`,
    request: { params: idParam },
    responses: { 200: jsonResponse(`All ${things}`, z.array(item)) },
    refusals: [404],
  })

type Removal<Path, Params> = {
  path: Path
  params: Params
  summary: string
  description: string
  response: string
}

export const declareRemovalCall = <const Path extends `/{${string}}` | '/', Params extends z.ZodRawShape>({
  path,
  params,
  summary,
  description,
  response,
}: Removal<Path, Params>) =>
  declareCall({
    method: 'delete',
    path,
    summary,
    description,
    request: { params: idParam.extend(params) },
    responses: { 204: { description: response } },
    refusals: [404],
  })
