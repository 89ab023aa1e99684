import { serialize } from 'hono/utils/cookie'
import { z } from 'zod'
import type { Dependencies } from '../../application/dependencies.ts'
import { hostCookie } from '../../contract/cookie-names.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import { cookieAttributes } from './cookies.ts'
import type { Asked } from './redirect.ts'

/** Authorizations that are under way, each with a cookie of its own: several tabs may sign in at once (spec/account-centre#cookies). */

const Flow = z.object({ state: z.string(), verifier: z.string(), to: z.string() })
export type Flow = z.infer<typeof Flow>

const PREFIX = '_account_flow_'
const NAMED_BY = 12 // characters of the state
const MAX_AGE = 60 * 60 // as long as an interaction
/** Of a browser. A request has room for 16 kB of headers on many servers in between. */
const MOST_FLOWS = 5
const MOST_CHARACTERS = 8192

const nameOf = (state: string): string => PREFIX + state.slice(0, NAMED_BY)
const label = (tenantId: string) => `account-flow/${tenantId}` as const

/** As `Set-Cookie` headers: this one, and the oldest go where there are too many. */
export async function beginFlow(
  { seals }: Pick<Dependencies, 'seals'>,
  { tenantId, url, request }: Asked,
  flow: Flow,
): Promise<string[]> {
  const sealed = await seals.seal(label(tenantId), flow)
  const cookie = serialize(hostCookie(nameOf(flow.state), url), sealed, {
    ...cookieAttributes(url),
    maxAge: MAX_AGE,
  })
  return [cookie, ...oldestOf(request, sealed.length).map((name) => forget(url, name))]
}

/** The flow of an answer; null for one that this browser did not ask for, or asked for too long ago. */
export async function openFlow(
  { seals }: Pick<Dependencies, 'seals'>,
  { tenantId, url, request }: Asked,
): Promise<Flow | null> {
  const state = url.searchParams.get('state') ?? ''
  const sealed = requestCookies(request)[nameOf(state)]
  const opened = Flow.safeParse(sealed ? await seals.open(label(tenantId), sealed) : null).data
  return opened?.state === state ? opened : null
}

/** As a `Set-Cookie` header. */
export const forgetFlow = (url: URL, { state }: Flow): string => forget(url, nameOf(state))

/** A browser sends its oldest cookies first (RFC 6265 §5.4). */
function oldestOf(request: Request, added: number): string[] {
  const newestFirst = Object.entries(requestCookies(request))
    .filter(([name]) => name.startsWith(PREFIX))
    .reverse()
  let characters = added
  return newestFirst.flatMap(([name, { length }], index) => {
    characters += length
    return index + 1 >= MOST_FLOWS || characters > MOST_CHARACTERS ? [name] : []
  })
}

const forget = (url: URL, name: string): string =>
  serialize(hostCookie(name, url), '', { ...cookieAttributes(url), maxAge: 0 })
