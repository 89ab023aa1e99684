import { USER_ID_LENGTH } from '../contract/ids.ts'
import { refuseWith } from '../contract/refused.ts'
import { loginSecond } from '../domain/revocation.ts'
import type { NewUser, Outcome } from '../domain/submit.ts'
import type { Statements } from '../storage/batches.ts'
import type { Condition } from '../storage/conditions.ts'
import { randomId } from '../storage/ids.ts'
import { giveRoleIf } from '../storage/roles.ts'
import { type AccountRow, insertUserIf, type UserChanges, updateUserIf } from '../storage/users.ts'
import { comparePassword, passwordColumns } from './account-password.ts'
import type { Dependencies } from './dependencies.ts'

/** What a submit does to the account (spec/interaction#submit-effects). */
export type SubmitEffects = {
  userId: string
  /** Epoch milliseconds; after a password reset. */
  revokedAt: number | undefined
  /** Of the interaction. `ts` in epoch seconds; a password reset signs no user in. */
  result: { login: { accountId: string; ts: number } } | { reset: string }
  statements: Statements
}

type EffectContext = {
  tenantId: string
  /** Of all statements: the interaction is still open. */
  condition: Condition
  /** When the submit began, epoch milliseconds. */
  at: number
  accounts: readonly AccountRow[]
  defaultRoles: readonly { id: string }[]
}

type EffectDependencies = Pick<Dependencies, 'db' | 'now' | 'settings'>

export async function effectsOf(
  dependencies: EffectDependencies,
  context: EffectContext,
  outcome: Outcome,
): Promise<SubmitEffects | 'samePassword'> {
  switch (outcome.kind) {
    case 'register':
      return registration(dependencies, context, outcome)
    case 'signIn':
      return signIn(dependencies, context, outcome)
    case 'resetPassword':
      return passwordReset(dependencies, context, outcome)
  }
}

async function registration(
  { db, now, settings }: EffectDependencies,
  { tenantId, condition, at, defaultRoles }: EffectContext,
  { user }: Extract<Outcome, { kind: 'register' }>,
): Promise<SubmitEffects> {
  if (defaultRoles.length < settings.userDefaultRoleNames.length) refuseWith('role.default_role_missing')
  const userId = randomId(USER_ID_LENGTH)
  const values = {
    ...(await columnsOf(user)),
    identities: user.identities,
    id: userId,
    lastSignInAt: now(),
    createdAt: now(),
  }
  return {
    userId,
    revokedAt: undefined,
    result: { login: { accountId: userId, ts: Math.floor(at / 1000) } },
    statements: {
      user: insertUserIf(db, tenantId, condition, values),
      roles: defaultRoles.map(({ id }) => giveRoleIf(db, tenantId, condition, { userId, roleId: id })),
    },
  }
}

async function signIn(
  { db, now }: EffectDependencies,
  { tenantId, condition, at, accounts }: EffectContext,
  { userId, changes }: Extract<Outcome, { kind: 'signIn' }>,
): Promise<SubmitEffects> {
  const account = accounts.find(({ id }) => id === userId)
  const values = {
    ...(await columnsOf(changes)),
    addIdentities: changes.identities,
    lastSignInAt: now(),
  }
  return {
    userId,
    revokedAt: undefined,
    result: { login: { accountId: userId, ts: loginSecond(account ?? { revokedAt: null }, at) } },
    statements: { user: updateUserIf(db, tenantId, condition, userId, values) },
  }
}

async function passwordReset(
  { db, now }: EffectDependencies,
  { tenantId, condition, accounts }: EffectContext,
  { userId, password }: Extract<Outcome, { kind: 'resetPassword' }>,
): Promise<SubmitEffects | 'samePassword'> {
  const account = accounts.find(({ id }) => id === userId)
  if (account?.passwordEncrypted && (await comparePassword(account, password)).ok) return 'samePassword'
  const revokedAt = now()
  const values = { ...(await columnsOf({ password })), revokedAt }
  return {
    userId,
    revokedAt,
    result: { reset: randomId() },
    statements: { user: updateUserIf(db, tenantId, condition, userId, values) },
  }
}

async function columnsOf({
  username,
  email,
  phone,
  password,
  name,
  avatar,
}: NewUser): Promise<Omit<UserChanges, 'addIdentities' | 'removeIdentity'>> {
  return {
    ...(username === undefined ? {} : { username }),
    ...(email === undefined ? {} : { primaryEmail: email }),
    ...(phone === undefined ? {} : { primaryPhone: phone }),
    ...(name === undefined ? {} : { name }),
    ...(avatar === undefined ? {} : { avatar }),
    ...(password === undefined ? {} : await passwordColumns(password)),
  }
}
