import { z } from 'zod'
import { ACCOUNT_APP_ID } from '../../contract/product.ts'
import type { SecondFactorKind } from '../../contract/tenants/settings.ts'
import { type EnrolledFactors, factorsFor } from '../../domain/factors/second-factor.ts'
import { reachesLevel } from '../../domain/interactions/authentication.ts'
import { isRevoked } from '../../domain/sessions/revocation.ts'
import { type AccountSessionRows, readAccountSession } from '../../storage/account/account-reads.ts'
import type { Statements } from '../../storage/batches.ts'
import type { Dependencies } from '../dependencies.ts'
import type { SignedInUser } from './access-token.ts'
import { needsTwoFactors, userFactorFacts } from './step-up.ts'

/** The content of the account centre's cookie. It names the provider session of the signed-in user. */
export const AccountCookie = z.object({
  userId: z.string(),
  sessionUid: z.string(),
  grantId: z.string(),
  /** The time of the sign-in after which the cookie was issued, in epoch seconds. */
  signedInAt: z.number(),
})
export type AccountCookie = z.infer<typeof AccountCookie>

const Session = z.object({
  accountId: z.string(),
  loginTs: z.number(),
  exemptedAt: z.number().optional(),
  acr: z.string().optional(),
  amr: z.array(z.string()).optional(),
})

/** A user of the account centre, in the form that the functions behind `/api/me` expect. */
export type AccountUser = SignedInUser & {
  /** The key of the provider session, which is the digest of its cookie. */
  sessionKey: string
  /** The methods of the sign-in (RFC 8176). */
  methods: readonly string[]
  holding: EnrolledFactors
  /** True if a recent verification requires two factors. */
  needsTwoFactors: boolean
  /** The second factors that the user can set up. Empty if no policy asks for a second factor. */
  offeredFactors: readonly SecondFactorKind[]
  /** True if the user is a member of an organisation or could become one (spec/organisations#account-centre). */
  usesOrganizations: boolean
}

export type AccountRead<S extends Statements> = { signedIn: AccountUser; rows: AccountSessionRows<S>['rows'] }

/**
 * Reads the cookie's user, together with the rows that a page needs, in one round trip. Returns null if the session has
 * ended or now belongs to another user, or if the user has been deleted, suspended or signed out
 * (spec/accounts#revocation).
 */
export async function readAccount<const S extends Statements>(
  { db, now, tenantSettings }: Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>,
  { tenantId, cookie }: { tenantId: string; cookie: AccountCookie },
  more: S,
): Promise<AccountRead<S> | null> {
  const settings = await tenantSettings.get(tenantId)
  const key = { tenantId, ...cookie, clientId: ACCOUNT_APP_ID, now: now() }
  const { user, rows, ...levelRows } = await readAccountSession(db, key, more)
  const isOpen = levelRows.session !== undefined && levelRows.session.expiresAt > now()
  const session = isOpen ? Session.safeParse(levelRows.session?.payload).data : undefined
  const [holding] = levelRows.holdings
  if (!user || !holding || session?.accountId !== user.id) return null
  const { loginTs: madeAt, exemptedAt } = session
  // A later sign-in in the same session also invalidates the cookie.
  if (madeAt !== cookie.signedInAt || isRevoked(user, { madeAt, exemptedAt })) return null

  const needsTwo = needsTwoFactors(settings, user, levelRows)
  const isProof = !needsTwo || reachesLevel(session.acr, 'urn:vestibule:acr:2fa')
  const isAsked = settings.secondFactor.policy !== 'off' || levelRows.asked[0]?.isAsked === 1
  const { grantId, sessionUid, signedInAt: iat } = cookie
  return {
    rows,
    signedIn: {
      user,
      usesOrganizations: levelRows.organizations[0]?.isUsed === 1,
      sessionKey: levelRows.session?.id ?? '',
      methods: session.amr ?? [],
      holding,
      needsTwoFactors: needsTwo,
      offeredFactors: isAsked ? factorsFor(user, userFactorFacts(settings, levelRows)) : [],
      token: { accountId: user.id, clientId: ACCOUNT_APP_ID, grantId, sessionUid, iat, scope: '' },
      scopes: new Set(),
      // The account centre requests recent sign-ins itself, and no application can obtain its cookie (ADR-0090).
      freshSignInAt: isProof ? iat * 1000 : undefined,
      level: session.acr,
      mayChangeCredentials: true,
    },
  }
}
