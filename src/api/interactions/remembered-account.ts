import type { Context } from 'hono'
import type { Dependencies } from '../../application/dependencies.ts'
import type { CompletedSignIn } from '../../application/interactions/completed-sign-in.ts'
import type { InteractionCall } from '../../application/interactions/interaction-call.ts'
import { extractAddress } from '../../application/interactions/start.ts'
import {
  openRememberedAccount,
  REMEMBERED_ACCOUNTS_COOKIE,
  readRememberedBrowser,
  sealRememberedBrowser,
  unsealIdentifier,
} from '../../application/sessions/remembered-accounts.ts'
import { type Identifier, withPassword } from '../../contract/interactions/identifiers.ts'
import { refuseWith } from '../../contract/refused.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import type { VerifiedAddress } from '../../domain/codes/verification-codes.ts'
import {
  keepAccounts,
  type RememberedBrowser,
  rememberAccount,
  rememberApplication,
} from '../../domain/sessions/remembered-accounts.ts'
import { writeCookies } from '../cookies.ts'
import type { InteractionVariables } from './open-interaction.ts'

/** The accounts that a browser remembers, in the calls of the sign-in pages (spec/interaction#remembered-account). */

type InteractionContext = Context<{ Variables: InteractionVariables }>
type Sources = Pick<Dependencies, 'db' | 'seals' | 'now'>

const readBrowser = (sources: Sources, c: InteractionContext): Promise<RememberedBrowser> =>
  readRememberedBrowser(sources, c.var.tenantId, requestCookies(c.req.raw)[REMEMBERED_ACCOUNTS_COOKIE])

async function writeBrowser(sources: Sources, c: InteractionContext, browser: RememberedBrowser) {
  writeCookies(c, [await sealRememberedBrowser(sources, c.var.tenantId, browser)])
}

/** Remembers the account of a completed sign-in, or forgets it if it must not be remembered. */
export async function rememberSignIn(
  sources: Sources,
  c: InteractionContext,
  { applicationId, remembrance, ...account }: CompletedSignIn,
): Promise<void> {
  if (remembrance === 'keep') return
  const before = await readBrowser(sources, c)
  const after =
    remembrance === 'add'
      ? rememberApplication(rememberAccount(before, account), applicationId)
      : keepAccounts(before, ({ userId }) => userId !== account.userId)
  if (after !== before) await writeBrowser(sources, c, after)
}

export async function openAccount(
  sources: Sources,
  c: InteractionContext,
  call: InteractionCall,
  id: string,
) {
  const opened = await openRememberedAccount(sources, call, { id, browser: await readBrowser(sources, c) })
  if (opened.kind === 'account') return opened.identifier
  writeCookies(c, [opened.cookie])
  return refuseWith('entity.not_found')
}

export async function forgetAccount(sources: Sources, c: InteractionContext, id: string): Promise<void> {
  const browser = await readBrowser(sources, c)
  await writeBrowser(
    sources,
    c,
    keepAccounts(browser, (account) => account.id !== id),
  )
}

/** Replaces a sealed identifier by the identifier that it contains. Everything after this treats both alike. */
export async function withIdentifier<Payload extends object>(
  sources: Sources,
  c: InteractionContext,
  payload: Payload | { account: string; password: string } | { account: string; verificationCode: string },
) {
  if (!isSealed(payload)) return payload as Exclude<Payload, { account: string }>
  const identifier = await openIdentifier(sources, c, payload.account)
  if ('password' in payload) return withPassword(identifier, payload.password)
  const { type, value } = identifier
  const { verificationCode } = payload
  return type === 'phone' ? { phone: value, verificationCode } : { email: value, verificationCode }
}

const isSealed = (
  payload: object,
): payload is { account: string; password: string } | { account: string; verificationCode: string } =>
  'account' in payload

/** Returns the address to which a code is sent. */
export async function withAddress(
  sources: Sources,
  c: InteractionContext,
  request: { email: string } | { phone: string } | { account: string },
): Promise<VerifiedAddress> {
  if (!('account' in request)) return extractAddress(request)
  const { type, value } = await openIdentifier(sources, c, request.account)
  return type === 'username' ? refuseWith('guard.invalid_input') : { type, value }
}

async function openIdentifier(sources: Sources, c: InteractionContext, sealed: string): Promise<Identifier> {
  const key = { tenantId: c.var.tenantId, uid: c.var.interaction.uid }
  return (await unsealIdentifier(sources, key, sealed)) ?? refuseWith('guard.invalid_input')
}
