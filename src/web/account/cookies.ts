import { z } from 'zod'
import type { Dependencies } from '../../application/dependencies.ts'
import { AccountCookie } from '../../application/sessions/account-session.ts'
import { StoredConnectorSession } from '../../contract/interactions/interaction.schema.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import { HOUR_SECONDS } from '../../contract/time.ts'
import { expireCookie, openSealedCookie, setCookie } from '../cookies.ts'

/** Reads and writes the cookies of the account centre (spec/account-centre#cookies), sealed for their tenant. */

/**
 * A message that the next page shows once, and what was entered into a form before a fresh proof was requested; never a
 * password.
 */
const FlashSchema = z.object({
  /** The user that the message is for; absent on pages for which nobody needs to be signed in. */
  userId: z.string().optional(),
  path: z.string(),
  message: z.string().optional(),
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  typed: z.record(z.string(), z.string()).optional(),
})
/** A provider account that is being linked. */
const Link = z.object({
  userId: z.string(),
  /** The query of the page on which the link was requested. */
  search: z.string().optional(),
  session: StoredConnectorSession,
})
/** The address whose code is pending. */
const Address = z.object({ userId: z.string(), type: z.enum(['email', 'phone']), value: z.string() })
/** The ID token with which the provider signs out without a question. */
const Hint = z.object({ idToken: z.string() })

type Values = {
  _account: AccountCookie
  _account_flash: z.infer<typeof FlashSchema>
  _account_link: z.infer<typeof Link>
  _account_hint: z.infer<typeof Hint>
  _account_address: z.infer<typeof Address>
}
type Kind = keyof Values

const MAX_AGE = HOUR_SECONDS // as long as an interaction

/**
 * The schema and age of each cookie. The session's own cookie ends with the browser, and is valid as long as that of
 * the provider.
 */
const kinds: { readonly [K in Kind]: { schema: z.ZodType<Values[K]>; maxAge: number | undefined } } = {
  _account: { schema: AccountCookie, maxAge: undefined },
  _account_flash: { schema: FlashSchema, maxAge: MAX_AGE },
  _account_link: { schema: Link, maxAge: MAX_AGE },
  _account_hint: { schema: Hint, maxAge: undefined },
  _account_address: { schema: Address, maxAge: MAX_AGE },
}

const labelOf = (kind: Kind, tenantId: string) => `${kind.slice(1).replace('_', '-')}/${tenantId}` as const

/** Returns a sealed cookie as a `Set-Cookie` header. */
export async function accountCookie<K extends Kind>(
  { seals }: Pick<Dependencies, 'seals'>,
  { tenantId, url }: { tenantId: string; url: URL },
  kind: K,
  value: Values[K],
): Promise<string> {
  const sealed = await seals.seal(labelOf(kind, tenantId), value)
  return setCookie(kind, sealed, url, kinds[kind].maxAge)
}

/** Returns the value of a cookie, or null if it is missing, damaged or from another tenant. */
export async function openAccountCookie<K extends Kind>(
  dependencies: Pick<Dependencies, 'seals'>,
  { tenantId, request }: { tenantId: string; request: Request },
  kind: K,
): Promise<Values[K] | null> {
  const cookie = { name: kind, label: labelOf(kind, tenantId) }
  return kinds[kind].schema.safeParse(await openSealedCookie(dependencies, request, cookie)).data ?? null
}

/** Returns a `Set-Cookie` header that deletes a cookie. */
export const forgetAccountCookie = (kind: Kind, url: URL): string => expireCookie(kind, url)

/** Returns `Set-Cookie` headers that delete all cookies of whoever was signed in, except one. */
export const forgetAccountCookies = (url: URL, { except }: { except?: Kind } = {}): string[] =>
  (Object.keys(kinds) as Kind[]).filter((kind) => kind !== except).map((kind) => expireCookie(kind, url))

/** An authorization in progress. Each has a cookie of its own, because several tabs may sign in at once. */
const Flow = z.object({ state: z.string(), verifier: z.string(), to: z.string() })
export type Flow = z.infer<typeof Flow>

type FlowRequest = { tenantId: string; url: URL; request: Request }

const FLOW_PREFIX = '_account_flow_'
const FLOW_STATE_LENGTH = 12 // characters of the state, which are the rest of the name
/** The maximum number of flows in one browser. Many intermediate servers accept 16 kB of request headers. */
const MAX_FLOWS = 5
const MAX_FLOW_CHARACTERS = 8192

const flowName = (state: string): string => FLOW_PREFIX + state.slice(0, FLOW_STATE_LENGTH)
const flowLabel = (tenantId: string) => `account-flow/${tenantId}` as const

/** Returns `Set-Cookie` headers for this flow and, if there are too many, for the deletion of the oldest ones. */
export async function beginFlow(
  { seals }: Pick<Dependencies, 'seals'>,
  { tenantId, url, request }: FlowRequest,
  flow: Flow,
): Promise<string[]> {
  const sealed = await seals.seal(flowLabel(tenantId), flow)
  const cookie = setCookie(flowName(flow.state), sealed, url, MAX_AGE)
  return [cookie, ...oldestFlows(request, sealed.length).map((name) => expireCookie(name, url))]
}

/** Returns the flow of a response, or null if this browser did not start it or started it too long ago. */
export async function openFlow(
  dependencies: Pick<Dependencies, 'seals'>,
  { tenantId, url, request }: FlowRequest,
): Promise<Flow | null> {
  const state = url.searchParams.get('state') ?? ''
  const cookie = { name: flowName(state), label: flowLabel(tenantId) }
  const flow = Flow.safeParse(await openSealedCookie(dependencies, request, cookie)).data
  return flow?.state === state ? flow : null
}

/** Returns a `Set-Cookie` header that deletes a flow. */
export const forgetFlow = ({ state }: Flow, url: URL): string => expireCookie(flowName(state), url)

/** Returns the oldest flows that exceed the limits. A browser sends its oldest cookies first (RFC 6265 §5.4). */
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
