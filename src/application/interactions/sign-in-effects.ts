import type { SubmitOutcome } from '../../domain/interactions/submit.ts'
import type { NewUser } from '../../domain/interactions/submit-columns.ts'
import { loginTimeSeconds } from '../../domain/sessions/revocation.ts'
import { insertAddressChangeIf } from '../../storage/account/address-changes.ts'
import { createUndoableChangeId } from '../../storage/account/undoable-addresses.ts'
import { allOf, type Condition } from '../../storage/conditions.ts'
import type { Database } from '../../storage/database.ts'
import { insertDeferralIf, mayDefer } from '../../storage/factors/second-factor-deferrals.ts'
import { placeStatements } from '../../storage/factors/sign-in-places.ts'
import {
  forgetOldestBrowsers,
  isBrowserRememberedFor,
  renameBrowserIf,
  trustBrowserIf,
} from '../../storage/sessions/trusted-browsers.ts'
import {
  replacedPictureQuery,
  type UserChanges,
  updateUserIf,
  withProfileUpdateTime,
} from '../../storage/users/user-changes.ts'
import type { AccountRow } from '../../storage/users/users.ts'
import { enrolmentStatements, hasNoOtherFactor, sealTotpSecret } from '../factors/enrol.ts'
import {
  type EffectContext,
  type EffectDependencies,
  prepareUserColumns,
  type SubmitEffects,
} from './effect.ts'

type SignIn = Extract<SubmitOutcome, { kind: 'signIn' }>

/** Returns the effects of a sign-in, including what it adds to the account (spec/interaction#submit-effects). */
export async function prepareSignInEffects(
  dependencies: EffectDependencies,
  context: EffectContext,
  { userId, changes, factor, isDeferred }: SignIn,
): Promise<SubmitEffects> {
  const { db, now } = dependencies
  const { tenantId, condition: isOpen, at, accounts, authentication, signsInWith, newAgreement } = context
  const stored = accounts.find(({ id }) => id === userId)
  const signedInAt = now()
  const owner = { tenantId, userId }
  const enrolment = factor?.kind === 'missing' ? factor.enrolment : undefined
  const secret = enrolment && (await sealTotpSecret(dependencies, owner, enrolment))
  const unchanged = conditionOf(factor)
  const condition = isDeferred ? allOf(unchanged, mayDefer(owner, context.deferral)) : unchanged
  const termsAgreement = newAgreement(stored?.termsAgreement ?? null)
  const records = { ...(termsAgreement && { termsAgreement }), lastSignInAt: signedInAt }
  const [linked] = Object.entries(changes.identities ?? {})
  const link = linked && context.linkTo(userId, ...linked)
  const account = { ...owner, condition, changes, records: { ...records, ...link?.changes }, now: signedInAt }
  const isProven = stored?.emailVerified || changes.emailVerified
  const email = changes.email ?? (isProven ? stored?.primaryEmail : null)
  const joins = context.joinByDomain({ userId, email }, condition, 'existing')
  const { picture, statements } = await completeAccount(db, account)
  return {
    userId,
    joins,
    revokedAt: undefined,
    addedFactor: enrolment && 'totp',
    user: stored,
    termsAgreement,
    link,
    isUpdate: changesAccount(changes, stored),
    newSignIn: context.noticeOfSignIn(userId),
    result: {
      login: {
        accountId: userId,
        ts: loginTimeSeconds(stored ?? { revokedAt: null }, at),
        ...authentication,
      },
    },
    condition,
    picture,
    statements: {
      ...statements,
      ...(enrolment &&
        secret &&
        enrolmentStatements(db, owner, condition, { enrolment, secret, now: signedInAt })),
      deferral: isDeferred
        ? insertDeferralIf(db, owner, condition, { ...context.deferral, now: signedInAt })
        : undefined,
      former: signsInWith.former
        ? renameBrowserIf(db, tenantId, condition, { ...signsInWith, former: signsInWith.former })
        : undefined,
      browser: trustBrowserIf(db, tenantId, condition, { ...signsInWith, userId, now: signedInAt }),
      olderBrowsers: forgetOldestBrowsers(db, tenantId, userId),
      ...placeStatements(db, owner, condition, { place: context.placeFor(userId), now: signedInAt }),
      ...joins?.statements,
    },
  }

  function conditionOf(factor: SignIn['factor']): Condition {
    switch (factor?.kind) {
      case 'missing':
        // If a factor was added after the facts were read, the user has not verified it, so the sign-in must not
        // complete.
        return allOf(isOpen, hasNoOtherFactor(owner, { ...factor, secret }))
      case 'remembered':
        return allOf(
          isOpen,
          isBrowserRememberedFor(
            tenantId,
            { userId, browserId: signsInWith.browserId },
            context.rememberRule,
          ),
        )
      case 'proven':
      case undefined:
        return isOpen
    }
  }
}

/**
 * Tells whether a sign-in changes what hooks are told of. A provider's name and picture usually equal the stored ones.
 */
function changesAccount({ identities: _identities, name, avatar, ...others }: NewUser, stored?: AccountRow) {
  const isCopied = (value: string | undefined, current: string | null | undefined) =>
    value !== undefined && value !== current
  return Object.keys(others).length > 0 || isCopied(name, stored?.name) || isCopied(avatar, stored?.avatar)
}

type AccountCompletion = {
  tenantId: string
  userId: string
  condition: Condition
  changes: NewUser
  /** The remaining columns that a sign-in updates. */
  records: UserChanges
  now: number
}

/** Returns the statements that add profile data to the account that the user signs in to. */
async function completeAccount(
  db: Database,
  { tenantId, userId, condition, changes, records, now }: AccountCompletion,
) {
  const { avatar } = changes
  const columns = withProfileUpdateTime(await prepareUserColumns(changes), now)
  const values = { ...columns, ...records }
  const added = (['email', 'phone'] as const).filter((type) => changes[type] !== undefined)
  return {
    picture: avatar
      ? { avatar, replaced: replacedPictureQuery(db, tenantId, condition, { id: userId, avatar }) }
      : undefined,
    statements: {
      // These rows record when the addresses were added. Undoing a later change removes recently added addresses
      // (spec/account-centre#undo).
      addresses: added.map((type) => {
        const change = { id: createUndoableChangeId(), userId, type, previous: null, now }
        return insertAddressChangeIf(db, tenantId, condition, change)
      }),
      user: updateUserIf(db, tenantId, condition, userId, values),
    },
  }
}
