import type { ExecutionContext, ScheduledController } from '@cloudflare/workers-types'
import type { Bindings } from '../../src/bindings.ts'
import worker from '../../src/worker.ts'
import { hostilePlatform, meeting, type Trouble, troubles } from './hostile-platform.ts'

/**
 * The Worker on a bad day of its platform, for the journeys: `wrangler dev` takes this file in place of the Worker. Its
 * answers have this header, by which the journeys know that they are in the right place; a request may ask for trouble by it.
 */
const HOSTILE = 'x-hostile-platform'

const hostile = new WeakMap<Bindings, Bindings>()

function hostileOf(env: Bindings): Bindings {
  const known = hostile.get(env)
  if (known) return known
  const bindings = { ...env, ...hostilePlatform(env) }
  hostile.set(env, bindings)
  return bindings
}

function troubleOf({ headers }: Request): Trouble | null {
  const asked = headers.get(HOSTILE)
  return troubles.find((trouble) => trouble === asked) ?? null
}

export default {
  async fetch(request: Request, env: Bindings, context: ExecutionContext) {
    const response = await meeting(troubleOf(request), () => worker.fetch(request, hostileOf(env), context))
    const answer = new Response(response.body, response)
    answer.headers.set(HOSTILE, 'yes')
    return answer
  },
  scheduled: (controller: ScheduledController, env: Bindings) => worker.scheduled(controller, hostileOf(env)),
}
