import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Dependencies } from '../application/dependencies.ts'
import type { RequestFacts } from '../application/request-facts.ts'
import { refuse } from '../contract/errors.ts'
import { INTERACTION_PARAM } from '../contract/interaction.ts'
import { interactionOfState } from '../domain/social-state.ts'
import { errorPage } from './error-pages.ts'
import { forgetNativeReturn, openNativeReturn } from './native-return.ts'

type Route = Hono<{ Variables: RequestFacts }>

const BODY_MAX_BYTES = 64 * 1024 // decision 10

/** What an answer consists of (RFC 6749 §4.1.2; RFC 9207), and what Apple posts of a visitor's name, the first time only. */
const POSTED = ['code', 'state', 'iss', 'error', 'error_description', 'user'] as const

/**
 * /callback/{connectorId}: where providers send visitors back (contract 10.5). It decides nothing: the state names the
 * interaction to go on with, and there it is compared with what was begun. A fragment goes along by itself, because
 * browsers keep it over a redirect.
 */
export function socialCallbackRoutes(dependencies: Dependencies): Route {
  return new Hono<{ Variables: RequestFacts }>()
    .get('/callback/:connectorId', (c) =>
      goOn(c, c.req.param('connectorId'), new URL(c.req.url).searchParams),
    )
    .post(
      '/callback/:connectorId',
      bodyLimit({
        maxSize: BODY_MAX_BYTES,
        onError: (c) =>
          errorPage(
            dependencies,
            c.get('tenantId'),
            c.req.raw,
            refuse('guard.invalid_input', undefined, 413),
          ),
      }),
      postedBack,
    )

  /** `response_mode=form_post` (decision 38). Posted by another site, it comes without our cookies: as GET it has them. */
  async function postedBack(c: Context<{ Variables: RequestFacts }>): Promise<Response> {
    const form = new URLSearchParams(new TextDecoder().decode(await c.req.arrayBuffer()))
    const given = POSTED.flatMap((name): [string, string][] => {
      const value = form.get(name)
      return value === null ? [] : [[name, value]]
    })
    return seeOther(`${c.req.path}?${new URLSearchParams(given)}`)
  }

  async function goOn(
    c: Context<{ Variables: RequestFacts }>,
    connectorId: string,
    query: URLSearchParams,
  ): Promise<Response> {
    const { tenantId } = c.var
    const native = await openNativeReturn(dependencies, { tenantId, connectorId, request: c.req.raw })
    if (native && native.state === query.get('state')) {
      const answer = seeOther(withQuery(native.callback, query))
      answer.headers.append('set-cookie', forgetNativeReturn(connectorId, c.req.url))
      return answer
    }
    const uid = interactionOfState(query.get('state'))
    const onward = new URLSearchParams(query)
    // Only the state says which it is: the rest of the address is anybody's.
    onward.delete(INTERACTION_PARAM)
    if (uid) onward.set(INTERACTION_PARAM, uid)
    return seeOther(`/sign-in/social/${encodeURIComponent(connectorId)}?${onward}`)
  }
}

/** Behind what the link says already. */
function withQuery(link: string, query: URLSearchParams): string {
  const url = new URL(link)
  for (const [name, value] of query) url.searchParams.append(name, value)
  return url.href
}

const seeOther = (location: string) =>
  new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
