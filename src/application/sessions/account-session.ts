import { z } from 'zod'
import { ACCOUNT_APP_ID } from '../../contract/product.ts'
import type { SecondFactorKind } from '../../contract/tenants/settings.ts'
import { acceptedFactors, type FactorHolding } from '../../domain/factors/second-factor.ts'
import { reachesLevel } from '../../domain/interactions/authentication.ts'
import { isRevoked } from '../../domain/sessions/revocation.ts'
import { type OwnRows, readOwnSession } from '../../storage/account/account-reads.ts'
import type { Statements } from '../../storage/batches.ts'
import type { Dependencies } from '../dependencies.ts'
import type { SignedInUser } from './access-token.ts'
import { needsTwoFactors } from './step-up.ts'

/** By which session of the provider a user is signed in to the account centre: what its cookie holds. */
export const AccountCookie = z.object({
  userId: z.string(),
  sessionUid: z.string(),
  grantId: z.string(),
  /** Epoch seconds of the sign-in that the cookie was made after. */
  signedInAt: z.number(),
})
export type AccountCookie = z.infer<typeof AccountCookie>

const Session = z.object({
  accountId: z.string(),
  loginTs: z.number(),
  exemptedAt: z.number().optional(),
  acr: z.string().optional(),
})

/** A user of the account centre, in the form that the functions behind `/api/me` take. */
export type AccountUser = SignedInUser & {
  /** The key of the provider's session: the digest of its cookie. */
  sessionKey: string
  holding: FactorHolding
  /** Whether a proof of presence has to be one of two factors. */
  needsTwoFactors: boolean
  /** Which second factors there are to set up: none where no policy asks anybody. */
  offeredFactors: readonly SecondFactorKind[]
}

export type AccountRead<S extends Statements> = { signedIn: AccountUser; rows: OwnRows<S>['rows'] }

/**
 * The user of a cookie with what a page reads, in one round trip. Null for a session that has ended or is another user's by now,
 * and for a user who was deleted, suspended or signed out since (spec/accounts#revocation).
 */
export async function readAccount<const S extends Statements>(
  { db, now, tenantSettings }: Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>,
  { tenantId, cookie }: { tenantId: string; cookie: AccountCookie },
  more: S,
): Promise<AccountRead<S> | null> {
  const settings = await tenantSettings.get(tenantId)
  const key = { tenantId, ...cookie, clientId: ACCOUNT_APP_ID }
  const { user, rows, ...levelRows } = await readOwnSession(db, key, more)
  const isOpen = levelRows.session !== undefined && levelRows.session.expiresAt > now()
  const session = isOpen ? Session.safeParse(levelRows.session?.payload).data : undefined
  const [holding] = levelRows.holdings
  if (!user || !holding || session?.accountId !== user.id) return null
  const { loginTs: madeAt, exemptedAt } = session
  // A copy of the cookie from before a later sign-in in this session is over, too.
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
      // These pages ask for a recent sign-in themselves, and no application has their cookie (ADR-0090).
      freshSignInAt: isProof ? iat * 1000 : undefined,
      level: session.acr,
      mayChangeCredentials: true,
    },
  }
}
