import type { ExecutionContext, ScheduledController } from '@cloudflare/workers-types'
import type { Bindings } from '../../src/bindings.ts'
import worker from '../../src/worker.ts'
import '../kit/repeated-keys.ts'
import { hostilePlatform, onHostilePlatform, type VisibleFault, visibleFaults } from './hostile-platform.ts'
import { withPublishedClient } from './published-client.ts'

/**
 * The Worker on the hostile platform, for browser tests (tests/journeys/hostile-server.ts). Its responses
 * contain this header, so that tests recognise them. In a request, the header asks for a visible fault.
 */
const HOSTILE = 'x-hostile-platform'

globalThis.fetch = withPublishedClient(globalThis.fetch)

const hostile = new WeakMap<Bindings, Bindings>()

function hostileOf(env: Bindings): Bindings {
  const known = hostile.get(env)
  if (known) return known
  const bindings = { ...env, ...hostilePlatform(env) }
  hostile.set(env, bindings)
  return bindings
}

function faultOf({ headers }: Request): VisibleFault | null {
  const requested = headers.get(HOSTILE)
  return visibleFaults.find((fault) => fault === requested) ?? null
}

export default {
  async fetch(request: Request, env: Bindings, context: ExecutionContext) {
    const bindings = hostileOf(env)
    const response = await onHostilePlatform(() => worker.fetch(request, bindings, context), faultOf(request))
    const answer = new Response(response.body, response)
    answer.headers.set(HOSTILE, 'yes')
    return answer
  },
  scheduled: (controller: ScheduledController, env: Bindings) => worker.scheduled(controller, hostileOf(env)),
}
