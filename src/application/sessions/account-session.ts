import { z } from 'zod'
import { ACCOUNT_APP_ID } from '../../contract/product.ts'
import type { SecondFactorKind } from '../../contract/tenants/settings.ts'
import { acceptedFactors, type FactorHolding } from '../../domain/factors/second-factor.ts'
import { reachesLevel } from '../../domain/interactions/authentication.ts'
import { isRevoked } from '../../domain/sessions/revocation.ts'
import { type AccountSessionRows, readAccountSession } from '../../storage/account/account-reads.ts'
import type { Statements } from '../../storage/batches.ts'
import type { Dependencies } from '../dependencies.ts'
import type { SignedInUser } from './access-token.ts'
import { needsTwoFactors } from './step-up.ts'

/** The content of the cookie of the account centre, which names the provider session by which the user is signed in. */
export const AccountCookie = z.object({
  userId: z.string(),
  sessionUid: z.string(),
  grantId: z.string(),
  /** The time of the sign-in for which the cookie was created, in epoch seconds. */
  signedInAt: z.number(),
})
export type AccountCookie = z.infer<typeof AccountCookie>

const Session = z.object({
  accountId: z.string(),
  loginTs: z.number(),
  exemptedAt: z.number().optional(),
  acr: z.string().optional(),
})

/** A user of the account centre, in the form that the functions for `/api/me` take. */
export type AccountUser = SignedInUser & {
  /** The key of the provider session, which is the digest of its cookie. */
  sessionKey: string
  holding: FactorHolding
  /** Whether a recent verification needs two factors. */
  needsTwoFactors: boolean
  /** The second factors that can be set up, or none if no policy ever asks for one. */
  offeredFactors: readonly SecondFactorKind[]
}

export type AccountRead<S extends Statements> = { signedIn: AccountUser; rows: AccountSessionRows<S>['rows'] }

/**
 * Reads the user of a cookie together with the rows of a page, in one round trip. Returns null if the session has ended
 * or now belongs to another user, or if the user was deleted, suspended or signed out since (spec/accounts#revocation).
 */
export async function readAccount<const S extends Statements>(
  { db, now, tenantSettings }: Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>,
  { tenantId, cookie }: { tenantId: string; cookie: AccountCookie },
  more: S,
): Promise<AccountRead<S> | null> {
  const settings = await tenantSettings.get(tenantId)
  const key = { tenantId, ...cookie, clientId: ACCOUNT_APP_ID }
  const { user, rows, ...levelRows } = await readAccountSession(db, key, more)
  const isOpen = levelRows.session !== undefined && levelRows.session.expiresAt > now()
  const session = isOpen ? Session.safeParse(levelRows.session?.payload).data : undefined
  const [holding] = levelRows.holdings
  if (!user || !holding || session?.accountId !== user.id) return null
  const { loginTs: madeAt, exemptedAt } = session
  // A copy of the cookie from before a later sign-in in this session is no longer valid either.
  if (madeAt !== cookie.signedInAt || isRevoked(user, { madeAt, exemptedAt })) return null

  const needsTwo = needsTwoFactors(settings, user, levelRows)
  const isProof = !needsTwo || reachesLevel(session.acr, 'urn:vestibule:acr:2fa')
  const isAsked = settings.secondFactor.policy !== 'off' || levelRows.asked[0]?.isAsked === 1
  const { grantId, sessionUid, signedInAt: iat } = cookie
  return {
    rows,
    signedIn: {
      user,
      sessionKey: levelRows.session?.id ?? '',
      holding,
      needsTwoFactors: needsTwo,
      offeredFactors: isAsked ? acceptedFactors(settings) : [],
      token: { accountId: user.id, clientId: ACCOUNT_APP_ID, grantId, sessionUid, iat, scope: '' },
      scopes: new Set(),
      // These pages ask for a recent sign-in themselves, and no application can obtain their cookie (ADR-0090).
      freshSignInAt: isProof ? iat * 1000 : undefined,
      level: session.acr,
      mayChangeCredentials: true,
    },
  }
}
