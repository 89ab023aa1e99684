import type { BatchItem } from 'drizzle-orm/batch'
import { z } from 'zod'
import type { AuditTrail } from '../api/audit-trail.ts'
import type { OpenInteraction } from '../api/open-interaction.ts'
import { type Refusal, refuse } from '../contract/errors.ts'
import type { Experience } from '../contract/experience.ts'
import type { Interaction } from '../contract/interaction.ts'
import { Refused, refuseWith } from '../contract/refused.ts'
import { loginSecond } from '../domain/revocation.ts'
import { type NewUser, type Outcome, submit } from '../domain/submit.ts'
import { lookupsFor } from '../domain/submit-facts.ts'
import { conclude, isOpen } from '../storage/conclusions.ts'
import { randomId } from '../storage/ids.ts'
import { insertLogIf } from '../storage/logs.ts'
import { CURRENT_METHOD, hashPassword, verifyPassword } from '../storage/password-hash.ts'
import { giveRoleIf, rolesNamedQuery } from '../storage/roles.ts'
import {
  type AccountRow,
  accountsQuery,
  insertUserIf,
  toAccount,
  type UserChanges,
  updateUserIf,
} from '../storage/users.ts'
import type { Dependencies } from './dependencies.ts'
import { afterSubmit, outboxEventsOf } from './submit-outbox-events.ts'
import { asTaken } from './uniqueness-refusal.ts'

type Submission = {
  open: OpenInteraction
  tenantId: string
  audit: AuditTrail
  experience(): Promise<Experience>
  userAgent: string | undefined
  /** For what does not decide the answer (design 5). */
  background(task: () => Promise<unknown>): void
}

const USER_ID_LENGTH = 12 // contract 2.7

/** POST /interaction/submit (contract 2.4 to 2.7): one batch of facts, one decision, one batch of effects. */
export async function submitInteraction(
  dependencies: Dependencies,
  { open, tenantId, audit, experience, userAgent, background }: Submission,
): Promise<{ kind: 'reset' } | { kind: 'onward'; redirectTo: string; userId: string }> {
  const { db, now, tenantSettings } = dependencies
  const peeked = await open.peek()
  const targets = await socialTargets(dependencies, tenantId, peeked)
  const lookups = peeked ? lookupsFor(peeked, targets) : []
  // Before anything is read: a sign-in is no younger than what it was decided on (decision 15).
  const at = now()
  const { userDefaultRoleNames: roleNames } = dependencies.settings
  const { row, answers } = await open.rowAnd([
    accountsQuery(db, tenantId, lookups),
    rolesNamedQuery(db, tenantId, peeked?.event === 'Register' ? roleNames : []),
  ])
  const [accounts, defaultRoles] = answers
  const interaction = await open.record(row)
  audit.append(`Interaction.${interaction.event}.Submit`, interaction)

  const decision = submit(interaction, {
    experience: await experience(),
    accountExistence: (await tenantSettings.get(tenantId)).accountExistence,
    accounts: accounts.map(toAccount),
    targets,
  })
  if ('code' in decision.outcome) return refusePinned(decision.outcome)

  const condition = isOpen(tenantId, open.uid, row.reset, now())
  const effects = await effectsOf(decision.outcome)
  const result = effects.login ? { ...row.lastSubmission, login: effects.login } : { reset: randomId() }
  const logs = audit
    .take({ userId: effects.userId })
    .map((entry) => insertLogIf(db, tenantId, condition, entry))
  const submitted = { ...effects, tenantId, event: interaction.event, row, userAgent }
  const outboxEvents = outboxEventsOf(dependencies, submitted, condition)
  // If the interaction was no longer open, none of it happened.
  const results =
    (await conclude(db, { tenantId, uid: open.uid, result, condition }, [
      ...effects.statements,
      ...logs,
      ...outboxEvents,
    ]).catch(asTaken)) ?? refuseWith('session.verification_session_not_found')
  const waiting = results.slice(-outboxEvents.length).flatMap(idsIn)
  if (waiting.length > 0 || effects.revokedAt !== undefined)
    background(() => afterSubmit(dependencies, submitted, waiting))

  await open.conclude({ isOver: effects.login !== undefined })
  return effects.login
    ? { kind: 'onward', redirectTo: row.returnTo, userId: effects.userId }
    : { kind: 'reset' }

  async function effectsOf(outcome: Outcome): Promise<Effects> {
    switch (outcome.kind) {
      case 'register': {
        if (defaultRoles.length < roleNames.length) refuseWith('role.default_role_missing')
        const userId = randomId(USER_ID_LENGTH)
        const { identities } = outcome.user
        const values = {
          ...(await columnsOf(outcome.user)),
          identities,
          id: userId,
          lastSignInAt: now(),
          createdAt: now(),
        }
        return {
          userId,
          revokedAt: undefined,
          login: { accountId: userId, ts: Math.floor(at / 1000) },
          statements: [
            insertUserIf(db, tenantId, condition, values),
            ...defaultRoles.map(({ id }) => giveRoleIf(db, tenantId, condition, { userId, roleId: id })),
          ],
        }
      }
      case 'signIn': {
        const { userId, changes } = outcome
        const account = accounts.find(({ id }) => id === userId)
        const values = {
          ...(await columnsOf(changes)),
          addIdentities: changes.identities,
          lastSignInAt: now(),
        }
        return {
          userId,
          revokedAt: undefined,
          login: { accountId: userId, ts: loginSecond(account ?? { revokedAt: null }, at) },
          statements: [updateUserIf(db, tenantId, condition, userId, values)],
        }
      }
      case 'resetPassword': {
        const { userId, password } = outcome
        const account = accounts.find(({ id }) => id === userId)
        if (await hasPassword(account, password)) await refusePinned(refuse('user.same_password'))
        const revokedAt = now()
        const values = { ...(await columnsOf({ password })), revokedAt }
        return { userId, revokedAt, statements: [updateUserIf(db, tenantId, condition, userId, values)] }
      }
    }
  }

  /** The account is pinned even if the rest is refused (contract 2.4.6). */
  async function refusePinned(refusal: Refusal): Promise<never> {
    if (decision.interaction !== interaction) await open.save(decision.interaction)
    throw new Refused(refusal)
  }
}

/** By connector id; one that is not installed is not there. Read only for those who came by one. */
async function socialTargets({ social }: Dependencies, tenantId: string, interaction: Interaction | null) {
  if (!interaction?.proofs.some(({ kind }) => kind === 'social')) return {}
  return Object.fromEntries((await social.get(tenantId)).map((connector) => [connector.id, connector]))
}

/** Of the rows a statement of the batch answered. */
const idsIn = (rows: unknown): { id: string }[] => z.array(z.object({ id: z.string() })).parse(rows)

type Effects = {
  userId: string
  /** Epoch milliseconds; after a password reset. */
  revokedAt: number | undefined
  /** `ts` in epoch seconds. Absent after a password reset, which signs nobody in. */
  login?: { accountId: string; ts: number }
  statements: BatchItem<'sqlite'>[]
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
    ...(password === undefined
      ? {}
      : { passwordEncrypted: await hashPassword(password), passwordEncryptionMethod: CURRENT_METHOD }),
  }
}

async function hasPassword(account: AccountRow | undefined, password: string): Promise<boolean> {
  if (!account?.passwordEncrypted) return false
  const stored = { encoded: account.passwordEncrypted, method: account.passwordEncryptionMethod ?? 'Argon2i' }
  return (await verifyPassword(stored, password)).ok
}
