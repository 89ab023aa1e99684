import { z } from 'zod'
import { jsonAnswer } from '../../guard.ts'
import { idParam, managementCalls } from '../router.ts'

/** Declarations of what a user has several of: one call lists all of it, one takes a single thing away. */

const declareCall = managementCalls('Users')

export const listCallOf = <Item extends z.ZodType>(things: string, description: string, item: Item) =>
  declareCall({
    method: 'get',
    path: '/',
    summary: `List the ${things} of a user`,
    description: `${description} An unknown user is refused with 404 \`entity.not_found\`.`,
    request: { params: idParam },
    answers: { 200: jsonAnswer(`All ${things}`, z.array(item)) },
    refusals: [404],
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
  declareCall({
    method: 'delete',
    path,
    summary,
    description,
    request: { params: idParam.extend(params) },
    answers: { 204: { description: answer } },
    refusals: [404],
  })
