import { z } from 'zod'
import type { Dependencies } from '../../application/dependencies.ts'
import { AccountCookie } from '../../application/sessions/account-session.ts'
import { StoredConnectorSession } from '../../contract/interactions/interaction.schema.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import { HOUR_SECONDS, SECOND } from '../../contract/time.ts'
import {
  RECOVERY_LIFETIME,
  type RecoveryProgress,
  recoverySteps,
} from '../../domain/account/recovery-steps.ts'
import { expireCookie, formatSetCookie, unsealCookie } from '../cookies.ts'

/**
 * Reads and writes the account centre's cookies (spec/account-centre#cookies). They are sealed for one tenant, so a
 * cookie from another tenant cannot be decrypted.
 */

/**
 * A message that the next page shows once. If a form has to be shown again after a new sign-in, this also contains the
 * form's values without passwords.
 */
const FlashSchema = z.object({
  /** The user for whom the message is intended. Absent for pages that require no sign-in. */
  userId: z.string().optional(),
  path: z.string(),
  message: z.string().optional(),
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  typed: z.record(z.string(), z.string()).optional(),
})
/** A request to link a provider account. */
const Link = z.object({
  userId: z.string(),
  /** The query of the page on which the user started linking the account. */
  search: z.string().optional(),
  session: StoredConnectorSession,
})
/** The new address that the user has to confirm with a code. */
const Address = z.object({ userId: z.string(), type: z.enum(['email', 'phone']), value: z.string() })
/** The user's progress after activity that somebody else may have caused. */
const Progress = z.object({
  userId: z.string(),
  startedAt: z.number(),
  doneAt: z.partialRecord(z.enum(recoverySteps), z.number()),
  isFinished: z.boolean(),
})
/** The ID token with which the provider signs the user out without asking for confirmation. */
const Hint = z.object({ idToken: z.string() })

type Values = {
  _account: AccountCookie
  _account_flash: z.infer<typeof FlashSchema>
  _account_link: z.infer<typeof Link>
  _account_hint: z.infer<typeof Hint>
  _account_address: z.infer<typeof Address>
  _account_steps: RecoveryProgress
}
type Kind = keyof Values

export const ACCOUNT_COOKIE_SECONDS = HOUR_SECONDS // the lifetime of an interaction

/**
 * The schema and lifetime of each cookie. The session cookie expires when the browser session or the provider's session
 * ends, whichever is earlier.
 */
export const accountCookies: {
  readonly [K in Kind]: { schema: z.ZodType<Values[K]>; maxAge: number | undefined }
} = {
  _account: { schema: AccountCookie, maxAge: undefined },
  _account_flash: { schema: FlashSchema, maxAge: ACCOUNT_COOKIE_SECONDS },
  _account_link: { schema: Link, maxAge: ACCOUNT_COOKIE_SECONDS },
  _account_hint: { schema: Hint, maxAge: undefined },
  _account_address: { schema: Address, maxAge: ACCOUNT_COOKIE_SECONDS },
  _account_steps: { schema: Progress, maxAge: RECOVERY_LIFETIME / SECOND },
}

const labelOf = (kind: Kind, tenantId: string) => `${kind.slice(1).replace('_', '-')}/${tenantId}` as const

/** Seals a value and returns a `Set-Cookie` header for it. */
export async function sealAccountCookie<K extends Kind>(
  { seals }: Pick<Dependencies, 'seals'>,
  { tenantId, url }: { tenantId: string; url: URL },
  kind: K,
  value: Values[K],
): Promise<string> {
  const sealed = await seals.seal(labelOf(kind, tenantId), value)
  return formatSetCookie(kind, sealed, url, accountCookies[kind].maxAge)
}

/** Returns the value of a cookie, or null if it is missing, damaged or from another tenant. */
export async function unsealAccountCookie<K extends Kind>(
  dependencies: Pick<Dependencies, 'seals'>,
  { tenantId, request }: { tenantId: string; request: Request },
  kind: K,
): Promise<Values[K] | null> {
  const cookie = { name: kind, label: labelOf(kind, tenantId) }
  return accountCookies[kind].schema.safeParse(await unsealCookie(dependencies, request, cookie)).data ?? null
}

/** Returns a `Set-Cookie` header that deletes a cookie. */
export const deleteAccountCookie = (kind: Kind, url: URL): string => expireCookie(kind, url)

/** Returns `Set-Cookie` headers that delete all cookies of the signed-in user, with one possible exception. */
export const deleteAccountCookies = (url: URL, { except }: { except?: Kind } = {}): string[] =>
  (Object.keys(accountCookies) as Kind[])
    .filter((kind) => kind !== except)
    .map((kind) => expireCookie(kind, url))

/**
 * A sign-in in progress. Each sign-in has a separate cookie, because users may sign in in several tabs at the same
 * time.
 */
const SignInFlow = z.object({ state: z.string(), verifier: z.string(), to: z.string() })
export type SignInFlow = z.infer<typeof SignInFlow>

type FlowRequest = { tenantId: string; url: URL; request: Request }

export const ACCOUNT_FLOW_PREFIX = '_account_flow_'
const FLOW_STATE_LENGTH = 12 // the number of characters of the state that the cookie's name contains
/** The maximum number of sign-ins in progress in one browser. Many proxies accept only 16 kB of request headers. */
const MAX_FLOWS = 5
const MAX_FLOW_CHARACTERS = 8192

const flowName = (state: string): string => ACCOUNT_FLOW_PREFIX + state.slice(0, FLOW_STATE_LENGTH)
const flowLabel = (tenantId: string) => `account-flow/${tenantId}` as const

/**
 * Returns the `Set-Cookie` header for a sign-in in progress and, if the browser has too many of them, headers that
 * delete the oldest ones.
 */
export async function beginFlow(
  { seals }: Pick<Dependencies, 'seals'>,
  { tenantId, url, request }: FlowRequest,
  flow: SignInFlow,
): Promise<string[]> {
  const sealed = await seals.seal(flowLabel(tenantId), flow)
  const cookie = formatSetCookie(flowName(flow.state), sealed, url, ACCOUNT_COOKIE_SECONDS)
  return [cookie, ...oldestFlows(request, sealed.length).map((name) => expireCookie(name, url))]
}

/**
 * Returns the sign-in to which a provider response belongs, or null if this browser did not start it or started it too
 * long ago.
 */
export async function unsealFlow(
  dependencies: Pick<Dependencies, 'seals'>,
  { tenantId, url, request }: FlowRequest,
): Promise<SignInFlow | null> {
  const state = url.searchParams.get('state') ?? ''
  const cookie = { name: flowName(state), label: flowLabel(tenantId) }
  const flow = SignInFlow.safeParse(await unsealCookie(dependencies, request, cookie)).data
  return flow?.state === state ? flow : null
}

/** Returns a `Set-Cookie` header that deletes the cookie of a sign-in. */
export const deleteFlow = ({ state }: SignInFlow, url: URL): string => expireCookie(flowName(state), url)

/**
 * Returns the oldest sign-ins, whose cookies must be deleted to stay within the limits. Browsers send their oldest
 * cookies first (RFC 6265 §5.4).
 */
function oldestFlows(request: Request, newLength: number): string[] {
  const newestFirst = Object.entries(requestCookies(request))
    .filter(([name]) => name.startsWith(ACCOUNT_FLOW_PREFIX))
    .reverse()
  let characters = newLength
  return newestFirst.flatMap(([name, { length }], index) => {
    characters += length
    return index + 1 >= MAX_FLOWS || characters > MAX_FLOW_CHARACTERS ? [name] : []
  })
}
