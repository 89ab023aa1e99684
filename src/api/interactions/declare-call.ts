import { z } from 'zod'
import { createCallDeclarer, jsonResponse } from '../guard.ts'

/** The parts that the declarations of the sign-in pages' calls share (spec/interaction#calls). */

export const declareCall = createCallDeclarer({ tags: ['Interaction'] }, { always: [400, 403] })

export const done = { 204: { description: 'Done' } }
export const nextUrl = {
  200: jsonResponse(
    'The address to which the browser goes next',
    z.object({ redirectTo: z.string() }).meta({ id: 'NextAddress' }),
  ),
}
