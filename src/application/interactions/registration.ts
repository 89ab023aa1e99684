import { USER_ID_LENGTH } from '../../contract/ids.ts'
import { refuseWith } from '../../contract/refused.ts'
import type { SubmitOutcome } from '../../domain/interactions/submit.ts'
import { assignRoleIf } from '../../storage/access/roles.ts'
import { insertDeferralIf } from '../../storage/factors/second-factor-deferrals.ts'
import { placeStatements } from '../../storage/factors/sign-in-places.ts'
import { randomId } from '../../storage/ids.ts'
import { renameBrowserIf, trustBrowserIf } from '../../storage/sessions/trusted-browsers.ts'
import { createUserRow, insertUserIf } from '../../storage/users/user-changes.ts'
import { enrolmentStatements, sealTotpSecret } from '../factors/enrol.ts'
import {
  type EffectContext,
  type EffectDependencies,
  prepareUserColumns,
  type SubmitEffects,
} from './effect.ts'

/**
 * Returns the effects of a registration, which creates a user with the default roles
 * (spec/interaction#register-effects).
 */
export async function prepareRegistrationEffects(
  dependencies: EffectDependencies,
  {
    tenantId,
    condition,
    at,
    authentication,
    defaultRoles,
    signsInWith,
    newAgreement,
    deferral,
    placeFor,
    joinByDomain,
  }: EffectContext,
  { user, enrolment, isDeferred }: Extract<SubmitOutcome, { kind: 'register' }>,
): Promise<SubmitEffects> {
  const { db, now, settings } = dependencies
  if (defaultRoles.length < settings.userDefaultRoleNames.length) refuseWith('role.default_role_missing')
  const userId = randomId(USER_ID_LENGTH)
  const createdAt = now()
  const owner = { tenantId, userId }
  const secret = enrolment && (await sealTotpSecret(dependencies, owner, enrolment))
  const termsAgreement = newAgreement(null)
  const values = {
    ...(await prepareUserColumns(user)),
    identities: user.identities,
    ...(termsAgreement && { termsAgreement }),
    id: userId,
    lastSignInAt: createdAt,
    createdAt,
  }
  const joins = joinByDomain({ userId, email: user.email }, condition, 'new')
  return {
    userId,
    joins,
    user: createUserRow(values),
    revokedAt: undefined,
    addedFactor: enrolment && 'totp',
    termsAgreement,
    result: { login: { accountId: userId, ts: Math.floor(at / 1000), ...authentication } },
    statements: {
      user: insertUserIf(db, tenantId, condition, values),
      roles: defaultRoles.map(({ id }) => assignRoleIf(db, tenantId, condition, { userId, roleId: id })),
      ...(enrolment &&
        secret &&
        enrolmentStatements(db, owner, condition, { enrolment, secret, now: createdAt })),
      deferral: isDeferred
        ? insertDeferralIf(db, owner, condition, { ...deferral, now: createdAt })
        : undefined,
      former: signsInWith.former
        ? renameBrowserIf(db, tenantId, condition, { ...signsInWith, former: signsInWith.former })
        : undefined,
      browser: trustBrowserIf(db, tenantId, condition, { ...signsInWith, userId, now: createdAt }),
      ...placeStatements(db, owner, condition, { place: placeFor(null), now: createdAt }),
      ...joins?.statements,
    },
  }
}
