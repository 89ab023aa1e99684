import { z } from 'zod'
import {
  IDENTIFIER_MAX_LENGTH,
  type Identifier,
  identifierTypes,
} from '../../contract/interactions/identifiers.ts'
import { DAY_SECONDS } from '../../contract/time.ts'
import {
  findRememberedIdentifier,
  isStillRemembered,
  keepAccounts,
  NOTHING_REMEMBERED,
  REMEMBERED_DAYS,
  type RememberedBrowser,
  withoutExpired,
} from '../../domain/sessions/remembered-accounts.ts'
import type { SealLabel } from '../../storage/seal.ts'
import { rememberedUsersQuery } from '../../storage/sessions/remembered-users.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import type { CookieChange } from '../request.ts'

/**
 * The cookie of the accounts that a browser remembers. It is sealed for one tenant, and contains no identifier
 * (spec/accounts#remembered-account).
 */
export const REMEMBERED_ACCOUNTS_COOKIE = '_returning'

const Content: z.ZodType<RememberedBrowser> = z.object({
  accounts: z.array(
    z.object({
      id: z.string(),
      userId: z.string(),
      identifier: z.object({ type: z.enum(identifierTypes), mask: z.string() }).nullable(),
      method: z.union([
        z.object({ kind: z.enum(['password', 'code', 'passkey']) }),
        z.object({ kind: z.literal('social'), connectorId: z.string() }),
      ]),
      at: z.number(),
    }),
  ),
  applications: z.array(z.string()),
})

type Sources = Pick<Dependencies, 'seals' | 'now'>

/** Returns what the browser remembers. A missing, damaged or foreign cookie means nothing. */
export async function readRememberedBrowser(
  { seals, now }: Sources,
  tenantId: string,
  sealed: string | undefined,
): Promise<RememberedBrowser> {
  if (!sealed) return NOTHING_REMEMBERED
  const content = Content.safeParse(await seals.open(labelOf(tenantId), sealed)).data
  return content ? withoutExpired(content, now()) : NOTHING_REMEMBERED
}

/** Returns the cookie, which is deleted if there is nothing left to remember. */
export async function sealRememberedBrowser(
  { seals }: Pick<Sources, 'seals'>,
  tenantId: string,
  browser: RememberedBrowser,
): Promise<CookieChange> {
  const name = REMEMBERED_ACCOUNTS_COOKIE
  const isEmpty = browser.accounts.length === 0 && browser.applications.length === 0
  if (isEmpty) return { name, value: '', maxAgeSeconds: 0 }
  const value = await seals.seal(labelOf(tenantId), browser)
  return { name, value, maxAgeSeconds: REMEMBERED_DAYS * DAY_SECONDS }
}

const labelOf = (tenantId: string): SealLabel => `accounts/${tenantId}`

type OpenedAccount =
  | { kind: 'account'; identifier: Identifier & { account: string } }
  /** The account has ended or lost the identifier. `cookie` no longer contains it. */
  | { kind: 'ended'; cookie: CookieChange }

/**
 * Opens a remembered account for an interaction: returns its masked identifier, and the identifier itself sealed for
 * this interaction. The account is read in the round trip that reads the interaction.
 */
export async function openRememberedAccount(
  dependencies: Pick<Dependencies, 'db' | 'seals'>,
  { tenantId, open }: Pick<InteractionCall, 'tenantId' | 'open'>,
  { id, browser }: { id: string; browser: RememberedBrowser },
): Promise<OpenedAccount> {
  const account = browser.accounts.find((each) => each.id === id)
  const { results } = await open.readWith({
    users: account ? [rememberedUsersQuery(dependencies.db, tenantId, [account.userId])] : [],
  })
  const [user] = results.users
  const identifier =
    account && user && isStillRemembered(account, user) ? findRememberedIdentifier(account, user) : null
  if (account?.identifier && identifier) {
    const sealed = await sealIdentifier(dependencies, { tenantId, uid: open.uid }, identifier)
    return {
      kind: 'account',
      identifier: { type: identifier.type, value: account.identifier.mask, account: sealed },
    }
  }
  const remaining = keepAccounts(browser, (each) => each !== account)
  return { kind: 'ended', cookie: await sealRememberedBrowser(dependencies, tenantId, remaining) }
}

type InteractionKey = { tenantId: string; uid: string }

const identifierLabel = ({ tenantId, uid }: InteractionKey): SealLabel => `account/${tenantId}/${uid}`

const SealedIdentifier = z.object({ type: z.enum(identifierTypes), value: z.string() })

/** Seals an identifier for one interaction. The padding hides its length. */
const sealIdentifier = (
  { seals }: Pick<Sources, 'seals'>,
  key: InteractionKey,
  { type, value }: Identifier,
) =>
  seals.seal(identifierLabel(key), { type, value, padding: ' '.repeat(IDENTIFIER_MAX_LENGTH - value.length) })

/** Returns the identifier that `openRememberedAccount` has sealed for this interaction, or null. */
export const unsealIdentifier = async (
  { seals }: Pick<Sources, 'seals'>,
  key: InteractionKey,
  sealed: string,
): Promise<Identifier | null> =>
  SealedIdentifier.safeParse(await seals.open(identifierLabel(key), sealed)).data ?? null
