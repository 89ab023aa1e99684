import { Recovery, type RecoveryWay } from '../../../client/account/recovery.tsx'
import { formatPhone } from '../../../client/phones/phones.ts'
import type { AccountUser } from '../../application/sessions/account-session.ts'
import { type AccountField, isFieldVisible } from '../../contract/account/account-fields.ts'
import type { Passkey } from '../../contract/passkeys/passkeys.ts'
import { refuseWith } from '../../contract/refused.ts'
import { HOUR } from '../../contract/time.ts'
import {
  hasResetPassword,
  isStepChecked,
  markedSteps,
  type RecoveryProgress,
  type RecoveryStep,
} from '../../domain/account/recovery-steps.ts'
import { lastResetQuery } from '../../storage/account/activity-list.ts'
import { consentGrantsQuery, consentsQuery, toConsents } from '../../storage/applications/consent-list.ts'
import { totpQuery } from '../../storage/factors/factors.ts'
import { passkeysQuery } from '../../storage/passkeys/passkeys.ts'
import { sessionsQuery } from '../../storage/sessions/sessions.ts'
import type { AccountPage, PageView } from './page.ts'
import { readProgress, startProgress, storeProgress } from './recovery.ts'

/** The steps after activity that the user does not recognize (spec/account-centre#this-wasnt-me). */
export const recoveryPage: AccountPage = {
  async show(visit, { fields }) {
    const { dependencies, tenantId, readList } = visit
    const { db, now } = dependencies
    const stored = await readProgress(dependencies, visit, visit.userId)
    const startedAt = stored?.startedAt ?? now()
    const { signedIn, rows } = await readList((userId) => ({
      sessions: sessionsQuery(db, tenantId, userId, now()),
      passkeys: passkeysQuery(db, tenantId, userId),
      app: totpQuery(db, { tenantId, userId }),
      consents: consentsQuery(db, tenantId, userId),
      consentGrants: consentGrantsQuery(db, tenantId, userId),
      resets: lastResetQuery(db, tenantId, { userId, since: startedAt - HOUR }),
    }))
    const { user, token, methods } = signedIn
    const resetAt = rows.resets[0]?.at ?? null
    const hasReset = hasResetPassword({ startedAt, resetAt, signIn: { at: token.iat, methods } })
    const doneAt: RecoveryProgress['doneAt'] = {
      ...(hasReset && resetAt !== null && { password: resetAt }),
      ...stored?.doneAt,
    }

    const ways = listWays(signedIn, rows.passkeys, fields)
    const sessions = rows.sessions.filter(({ id }) => id !== token.sessionUid)
    const applications = toConsents(rows.consents, rows.consentGrants)
    const newest = {
      ways:
        ways.length === 0
          ? null
          : Math.max(0, ...[...rows.passkeys, ...rows.app].map((each) => each.createdAt)),
      sessions: newestOf(sessions.map(({ signedInAt }) => signedInAt)),
      applications: newestOf(applications.map(({ grantedAt }) => grantedAt)),
    }
    const isAvailable: Record<RecoveryStep, boolean> = {
      password: fields.password === 'edit' && user.passwordEncrypted !== null,
      ways: true,
      sessions: isFieldVisible(fields, 'sessions'),
      applications: isFieldVisible(fields, 'applications'),
    }
    const allSteps = [
      { name: 'password', isDone: doneAt.password !== undefined },
      ...markedSteps.map((name) => ({ name, isDone: isStepChecked(newest[name], doneAt[name]) })),
    ] as const
    const steps = allSteps.filter(({ name }) => isAvailable[name])
    const isFinished = steps.every(({ isDone }) => isDone)
    const progress = { userId: user.id, startedAt, doneAt, isFinished }
    const body = (
      <Recovery
        steps={steps}
        ways={ways}
        sessionsLeft={sessions.length}
        applicationsLeft={applications.length}
        mayAddFactor={
          isFieldVisible(fields, 'factors') && signedIn.offeredFactors.length > 0 && !signedIn.holding.totp
        }
      />
    )
    return { title: 'not_me', signedIn, body, cookies: [await storeProgress(dependencies, visit, progress)] }
  },
  actions: {
    /** Marks a step as done of which only the user knows that. */
    async check({ dependencies, signedIn, form, ...visit }) {
      const step = markedSteps.find((name) => name === form.get('step'))
      if (!step) return refuseWith('guard.invalid_input')
      const { id } = signedIn.user
      const now = dependencies.now()
      const progress = (await readProgress(dependencies, visit, id)) ?? startProgress(id, now)
      const doneAt = { ...progress.doneAt, [step]: now }
      return { cookies: [await storeProgress(dependencies, visit, { ...progress, doneAt })] }
    },
    async restart({ dependencies, signedIn, ...visit }) {
      const progress = startProgress(signedIn.user.id, dependencies.now())
      return { cookies: [await storeProgress(dependencies, visit, progress)] }
    },
  },
}

const newestOf = (times: readonly number[]): number | null => (times.length === 0 ? null : Math.max(...times))

/** Lists what somebody else might have added to the account, each with the page on which it can be removed. */
function listWays(
  { user, holding }: Pick<AccountUser, 'user' | 'holding'>,
  passkeys: readonly Passkey[],
  fields: PageView['fields'],
): RecoveryWay[] {
  const { primaryEmail, primaryPhone, identities } = user
  const namesOf = (isSecondFactor: boolean) =>
    passkeys.filter((passkey) => passkey.isSecondFactor === isSecondFactor).map(({ name }) => name)
  const keys = namesOf(true)
  const ways: (RecoveryWay & { field: AccountField; exists: boolean })[] = [
    { field: 'email', kind: 'email', values: [primaryEmail], exists: primaryEmail !== null },
    {
      field: 'phone',
      kind: 'phone',
      values: [primaryPhone && formatPhone(primaryPhone)],
      exists: primaryPhone !== null,
    },
    { field: 'passkeys', kind: 'passkeys', values: namesOf(false), exists: namesOf(false).length > 0 },
    { field: 'factors', kind: 'factors', values: keys, exists: holding.totp || keys.length > 0 },
    {
      field: 'identities',
      kind: 'identities',
      values: Object.keys(identities),
      exists: Object.keys(identities).length > 0,
    },
  ]
  return ways
    .filter(({ field, exists }) => exists && isFieldVisible(fields, field))
    .map(({ kind, values }) => ({ kind, values }))
}
