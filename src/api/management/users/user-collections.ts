import { createRoute, z } from '@hono/zod-openapi'
import { declaredRefusals, jsonAnswer } from '../../guard.ts'
import { idParam, managementRefusals, managementSecurity } from '../router.ts'

/** Declarations of what a user has several of: one call lists all of it, one takes a single thing away. */

const common = { tags: ['Users'], ...managementSecurity }
const refusals = { ...managementRefusals, ...declaredRefusals(404) }

export const listCallOf = <Item extends z.ZodType>(things: string, description: string, item: Item) =>
  createRoute({
    method: 'get',
    path: '/',
    ...common,
    summary: `List the ${things} of a user`,
    description: `${description} An unknown user is refused with 404 \`entity.not_found\`.`,
    request: { params: idParam },
    responses: { 200: jsonAnswer(`All ${things}`, z.array(item)), ...refusals },
  })

type Removal<Path, Params> = {
  path: Path
  params: Params
  summary: string
  description: string
  answer: string
}

export const removalCallOf = <const Path extends `/{${string}}` | '/', Params extends z.ZodRawShape>({
  path,
  params,
  summary,
  description,
  answer,
}: Removal<Path, Params>) =>
  createRoute({
    method: 'delete',
    path,
    ...common,
    summary,
    description,
    request: { params: idParam.extend(params) },
    responses: { 204: { description: answer }, ...refusals },
  })
