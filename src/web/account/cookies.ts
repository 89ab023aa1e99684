import { z } from 'zod'
import type { Dependencies } from '../../application/dependencies.ts'
import { AccountCookie } from '../../application/sessions/account-session.ts'
import { StoredConnectorSession } from '../../contract/interactions/interaction.schema.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import { HOUR_SECONDS } from '../../contract/time.ts'
import { expireCookie, openSealedCookie, setCookie } from '../cookies.ts'

/** The cookies of the account centre (spec/account-centre#cookies), sealed for their tenant. */

/** What the next page says once, and what was typed into a form before a fresh proof was asked for; never a password. */
const Flash = z.object({
  /** Whose it is; of a page that nobody is signed in for, there is none. */
  userId: z.string().optional(),
  path: z.string(),
  message: z.string().optional(),
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  typed: z.record(z.string(), z.string()).optional(),
})
/** An account at a provider that is being linked. */
const Link = z.object({
  userId: z.string(),
  /** The query of the page, with which it was asked for. */
  search: z.string().optional(),
  session: StoredConnectorSession,
})
/** The address that waits for its code. */
const Address = z.object({ userId: z.string(), type: z.enum(['email', 'phone']), value: z.string() })
/** By which the provider signs out without a question. */
const Hint = z.object({ idToken: z.string() })

type Values = {
  _account: AccountCookie
  _account_flash: z.infer<typeof Flash>
  _account_link: z.infer<typeof Link>
  _account_hint: z.infer<typeof Hint>
  _account_address: z.infer<typeof Address>
}
type Kind = keyof Values

const MAX_AGE = HOUR_SECONDS // as long as an interaction

/** The session's own cookie ends with the browser, and counts as long as that of the provider. */
const kinds: { readonly [K in Kind]: { schema: z.ZodType<Values[K]>; maxAge: number | undefined } } = {
  _account: { schema: AccountCookie, maxAge: undefined },
  _account_flash: { schema: Flash, maxAge: MAX_AGE },
  _account_link: { schema: Link, maxAge: MAX_AGE },
  _account_hint: { schema: Hint, maxAge: undefined },
  _account_address: { schema: Address, maxAge: MAX_AGE },
}

const labelOf = (kind: Kind, tenantId: string) => `${kind.slice(1).replace('_', '-')}/${tenantId}` as const

/** As a `Set-Cookie` header. */
export async function accountCookie<K extends Kind>(
  { seals }: Pick<Dependencies, 'seals'>,
  { tenantId, url }: { tenantId: string; url: URL },
  kind: K,
  value: Values[K],
): Promise<string> {
  const sealed = await seals.seal(labelOf(kind, tenantId), value)
  return setCookie(kind, sealed, url, kinds[kind].maxAge)
}

/** Null for a cookie that is missing, of another tenant or damaged. */
export async function openAccountCookie<K extends Kind>(
  dependencies: Pick<Dependencies, 'seals'>,
  { tenantId, request }: { tenantId: string; request: Request },
  kind: K,
): Promise<Values[K] | null> {
  const cookie = { name: kind, label: labelOf(kind, tenantId) }
  return kinds[kind].schema.safeParse(await openSealedCookie(dependencies, request, cookie)).data ?? null
}

/** As a `Set-Cookie` header. */
export const forgetAccountCookie = (kind: Kind, url: URL): string => expireCookie(kind, url)

/** All cookies of whoever was signed in but for one, as `Set-Cookie` headers. */
export const forgetAccountCookies = (url: URL, { except }: { except?: Kind } = {}): string[] =>
  (Object.keys(kinds) as Kind[]).filter((kind) => kind !== except).map((kind) => expireCookie(kind, url))

/** Authorizations that are under way, each with a cookie of its own: several tabs may sign in at once. */
const Flow = z.object({ state: z.string(), verifier: z.string(), to: z.string() })
export type Flow = z.infer<typeof Flow>

type Requested = { tenantId: string; url: URL; request: Request }

const FLOW_PREFIX = '_account_flow_'
const FLOW_STATE_LENGTH = 12 // characters of the state, which are the rest of the name
/** Of a browser. A request has room for 16 kB of headers on many servers in between. */
const MAX_FLOWS = 5
const MAX_FLOW_CHARACTERS = 8192

const flowName = (state: string): string => FLOW_PREFIX + state.slice(0, FLOW_STATE_LENGTH)
const flowLabel = (tenantId: string) => `account-flow/${tenantId}` as const

/** As `Set-Cookie` headers: this one, and the oldest go where there are too many. */
export async function beginFlow(
  { seals }: Pick<Dependencies, 'seals'>,
  { tenantId, url, request }: Requested,
  flow: Flow,
): Promise<string[]> {
  const sealed = await seals.seal(flowLabel(tenantId), flow)
  const cookie = setCookie(flowName(flow.state), sealed, url, MAX_AGE)
  return [cookie, ...oldestFlows(request, sealed.length).map((name) => expireCookie(name, url))]
}

/** The flow of an answer; null for one that this browser did not ask for, or asked for too long ago. */
export async function openFlow(
  dependencies: Pick<Dependencies, 'seals'>,
  { tenantId, url, request }: Requested,
): Promise<Flow | null> {
  const state = url.searchParams.get('state') ?? ''
  const cookie = { name: flowName(state), label: flowLabel(tenantId) }
  const flow = Flow.safeParse(await openSealedCookie(dependencies, request, cookie)).data
  return flow?.state === state ? flow : null
}

/** As a `Set-Cookie` header. */
export const forgetFlow = ({ state }: Flow, url: URL): string => expireCookie(flowName(state), url)

/** A browser sends its oldest cookies first (RFC 6265 §5.4). */
function oldestFlows(request: Request, newLength: number): string[] {
  const newestFirst = Object.entries(requestCookies(request))
    .filter(([name]) => name.startsWith(FLOW_PREFIX))
    .reverse()
  let characters = newLength
  return newestFirst.flatMap(([name, { length }], index) => {
    characters += length
    return index + 1 >= MAX_FLOWS || characters > MAX_FLOW_CHARACTERS ? [name] : []
  })
}
