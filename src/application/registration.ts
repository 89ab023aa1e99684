import { USER_ID_LENGTH } from '../contract/ids.ts'
import { refuseWith } from '../contract/refused.ts'
import type { SubmitOutcome } from '../domain/submit.ts'
import { randomId } from '../storage/ids.ts'
import { giveRoleIf } from '../storage/roles.ts'
import { trustBrowserIf } from '../storage/trusted-browsers.ts'
import { insertUserIf } from '../storage/user-changes.ts'
import type { EffectContext, EffectDependencies, SubmitEffects } from './submit-effect.ts'
import { userColumnsOf } from './user-columns.ts'

/** A new user with the default roles (spec/interaction#register-effects). */
export async function registrationEffects(
  { db, now, settings }: EffectDependencies,
  { tenantId, condition, at, defaultRoles, signsInWith, newAgreement }: EffectContext,
  { user }: Extract<SubmitOutcome, { kind: 'register' }>,
): Promise<SubmitEffects> {
  if (defaultRoles.length < settings.userDefaultRoleNames.length) refuseWith('role.default_role_missing')
  const userId = randomId(USER_ID_LENGTH)
  const createdAt = now()
  const termsAgreement = newAgreement(null)
  const values = {
    ...(await userColumnsOf(user)),
    identities: user.identities,
    ...(termsAgreement && { termsAgreement }),
    id: userId,
    lastSignInAt: createdAt,
    createdAt,
  }
  return {
    userId,
    revokedAt: undefined,
    termsAgreement,
    result: { login: { accountId: userId, ts: Math.floor(at / 1000) } },
    statements: {
      user: insertUserIf(db, tenantId, condition, values),
      roles: defaultRoles.map(({ id }) => giveRoleIf(db, tenantId, condition, { userId, roleId: id })),
      browser: trustBrowserIf(db, tenantId, condition, { ...signsInWith, userId, now: createdAt }),
    },
  }
}
