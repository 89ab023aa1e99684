import { serialize } from 'hono/utils/cookie'
import { z } from 'zod'
import type { Dependencies } from '../../application/dependencies.ts'
import { AccountCookie } from '../../application/sessions/account-session.ts'
import { hostCookie } from '../../contract/cookie-names.ts'
import { StoredConnectorSession } from '../../contract/interactions/interaction.schema.ts'
import { requestCookies } from '../../contract/request-cookies.ts'

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

export type Flash = z.infer<typeof Flash>

type Values = {
  _account: AccountCookie
  _account_flash: Flash
  _account_link: z.infer<typeof Link>
  _account_hint: { idToken: string }
  _account_address: z.infer<typeof Address>
}
type Kind = keyof Values

/** As long as an interaction. The session's own cookie ends with the browser, and counts as long as that of the provider. */
const kinds: { readonly [K in Kind]: { schema: z.ZodType<Values[K]>; maxAge: number | undefined } } = {
  _account: { schema: AccountCookie, maxAge: undefined },
  _account_flash: { schema: Flash, maxAge: 60 * 60 },
  _account_link: { schema: Link, maxAge: 60 * 60 },
  _account_hint: { schema: Hint, maxAge: undefined },
  _account_address: { schema: Address, maxAge: 60 * 60 },
}

type Place = { tenantId: string; url: URL }

const label = (kind: Kind, tenantId: string) => `${kind.slice(1).replace('_', '-')}/${tenantId}` as const

/** As a `Set-Cookie` header. */
export async function accountCookie<K extends Kind>(
  { seals }: Pick<Dependencies, 'seals'>,
  { tenantId, url }: Place,
  kind: K,
  value: Values[K],
): Promise<string> {
  const { maxAge } = kinds[kind]
  const sealed = await seals.seal(label(kind, tenantId), value)
  return serialize(hostCookie(kind, url), sealed, { ...cookieAttributes(url), ...(maxAge && { maxAge }) })
}

/** Null for a cookie that is missing, of another tenant or damaged. */
export async function openAccountCookie<K extends Kind>(
  { seals }: Pick<Dependencies, 'seals'>,
  { tenantId, request }: { tenantId: string; request: Request },
  kind: K,
): Promise<Values[K] | null> {
  const sealed = requestCookies(request)[kind]
  const opened = sealed ? await seals.open(label(kind, tenantId), sealed) : null
  return kinds[kind].schema.safeParse(opened).data ?? null
}

/** Of whoever was signed in, as `Set-Cookie` headers. */
export const forgetAccountCookies = (url: URL, { kept }: { kept?: Kind } = {}): string[] =>
  (Object.keys(kinds) as Kind[]).filter((kind) => kind !== kept).map((kind) => forgetAccountCookie(url, kind))

/** As a `Set-Cookie` header. */
export const forgetAccountCookie = (url: URL, kind: Kind): string =>
  serialize(hostCookie(kind, url), '', { ...cookieAttributes(url), maxAge: 0 })

export const cookieAttributes = ({ protocol }: URL) => ({
  path: '/',
  httpOnly: true,
  sameSite: 'Lax' as const,
  secure: protocol === 'https:',
})
