import { type Refusal, refuse } from '../../contract/errors.ts'
import { invalidInput } from '../../contract/invalid-input.ts'
import { isRefusal } from '../../contract/refused.ts'
import type { TenantSettings } from '../../contract/tenants/settings.ts'
import { ImportedUser } from '../../contract/users/user-import.schema.ts'
import { checkPasswordPolicy } from '../../domain/passwords/password-refusal.ts'
import { checkImport, type ImportVerdict } from '../../domain/users/user-import.ts'
import { commitChange } from '../../storage/commit.ts'
import { readTakenIdentifiers } from '../../storage/users/duplicate-identifiers.ts'
import { insertImportedUsers, wasImported } from '../../storage/users/user-import.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { prepareFactors } from '../factors/import.ts'
import { dispatchHooks, type HookDispatch, userCreatedEvents } from '../hooks/user-events.ts'
import { type PreparedUser, prepareUser, toImportCandidate, toImportedRow } from './import-rows.ts'

type ImportDependencies = Pick<Dependencies, 'db' | 'deliveries' | 'now' | 'seals' | 'tenantSettings'>

type ImportRequest = HookDispatch & {
  tenantId: string
  /** The users as the caller sent them. Each one is validated separately. */
  users: readonly unknown[]
  withAdministrators: boolean
  /** If true, hooks receive `User.Created` for each created user. */
  withEvents: boolean
  /** Throws if the caller may not assign one of these roles. */
  refuseRoles(roleIds: readonly string[]): Promise<void>
  beginAudit(userIds: string[]): AuditEntry
}

export type ImportOutcome =
  | { status: 'created' | 'existing'; id: string }
  | { status: 'rejected'; refusal: Refusal }

/** Imports users and returns their outcomes in the same order (spec/management#user-import). */
export async function importUsers(
  dependencies: ImportDependencies,
  request: ImportRequest,
): Promise<ImportOutcome[]> {
  const at = dependencies.now()
  const rules = await dependencies.tenantSettings.get(request.tenantId)
  const entries = await Promise.all(request.users.map((user) => prepareEntry(user, at, rules)))
  const prepared = entries.flatMap((entry) => (isRefusal(entry) ? [] : [entry]))
  const verdicts = await importPrepared(dependencies, request, prepared)
  return entries.map((entry) =>
    isRefusal(entry)
      ? { status: 'rejected', refusal: entry }
      : outcomeOf(entry, verdicts.get(entry) ?? refuse('server.unavailable')),
  )
}

/**
 * Checks users in one round trip and inserts them in another. If a concurrent call took one of the names, the users
 * that were not inserted are checked again.
 */
async function importPrepared(
  dependencies: ImportDependencies,
  request: ImportRequest,
  users: readonly PreparedUser[],
): Promise<Map<PreparedUser, ImportVerdict>> {
  const outcomes = new Map<PreparedUser, ImportVerdict>()
  if (users.length === 0) return outcomes

  const { verdicts, roleIds } = await checkUsers(dependencies, request, users)
  await request.refuseRoles([...roleIds.values()])
  const accepted = users.filter((_, index) => verdicts[index]?.kind === 'create')
  for (const [index, user] of users.entries()) outcomes.set(user, verdicts[index] ?? { kind: 'existing' })
  if (accepted.length === 0) return outcomes

  const created = await insertUsers(dependencies, request, accepted, roleIds)
  const missed = accepted.filter(({ id }) => !created.has(id))
  if (missed.length === 0) return outcomes
  const second = await checkUsers(dependencies, request, missed)
  for (const [index, user] of missed.entries()) {
    const verdict = second.verdicts[index]
    // The name was taken during the insert but is free again, so the caller can repeat the call.
    outcomes.set(user, !verdict || verdict.kind === 'create' ? refuse('server.unavailable') : verdict)
  }
  return outcomes
}

async function checkUsers(
  { db }: ImportDependencies,
  { tenantId, withAdministrators }: ImportRequest,
  users: readonly PreparedUser[],
) {
  const candidates = users.map(toImportCandidate)
  const { taken, roleIds } = await readTakenIdentifiers(db, tenantId, candidates)
  const knownRoles = new Set(roleIds.keys())
  return { verdicts: checkImport(candidates, taken, { knownRoles, withAdministrators }), roleIds }
}

/** Inserts the accepted users and returns the ids of those that were inserted. */
async function insertUsers(
  dependencies: ImportDependencies,
  { tenantId, beginAudit, withEvents, actor, background }: ImportRequest,
  accepted: readonly PreparedUser[],
  roleIds: ReadonlyMap<string, string>,
): Promise<Set<string>> {
  const { db, now } = dependencies
  const audit = beginAudit(accepted.map(({ id }) => id))
  const imported = await Promise.all(
    accepted.map((user) => toImportedRow(dependencies, tenantId, user, roleIds)),
  )
  const { users, outboxIds } = await commitChange(db, {
    tenantId,
    audit: audit.success(),
    statements: insertImportedUsers(db, tenantId, { imported, now: now() }),
    outbox: {
      hooks: withEvents
        ? [
            {
              ...userCreatedEvents({ userId: imported.map(({ id }) => id), actor, now: now() }),
              condition: wasImported(imported),
            },
          ]
        : [],
    },
  })
  dispatchHooks(dependencies, { tenantId, outboxIds }, { background })
  return new Set(users.map(({ id }) => id))
}

function outcomeOf({ id }: PreparedUser, verdict: ImportVerdict): ImportOutcome {
  switch (verdict.kind) {
    case 'create':
      return { status: 'created', id }
    case 'existing':
      return { status: 'existing', id }
    case 'refusal':
      return { status: 'rejected', refusal: verdict }
  }
}

type Rules = Pick<TenantSettings, 'passwordPolicy' | 'passkeys'>

/**
 * Validates one imported user: checks the schema, the rules for plain-text passwords, the format of a hash, and the
 * factors.
 */
async function prepareEntry(
  input: unknown,
  at: number,
  { passwordPolicy, passkeys: { rpId } }: Rules,
): Promise<PreparedUser | Refusal> {
  const parsed = ImportedUser.safeParse(input)
  if (!parsed.success) return invalidInput(parsed.error).refusal
  const { password } = parsed.data
  const problem = password === undefined ? null : checkPasswordPolicy(password, passwordPolicy)
  if (problem) return problem
  const factors = await prepareFactors(parsed.data, { at: parsed.data.createdAt ?? at, rpId })
  return 'code' in factors ? factors : prepareUser(parsed.data, factors, at)
}
