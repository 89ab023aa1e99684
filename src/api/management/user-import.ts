import { createRoute } from '@hono/zod-openapi'
import { sql } from 'drizzle-orm'
import type { Dependencies } from '../../application/dependencies.ts'
import { candidateOf, type PreparedUser, prepareUser, rowOf } from '../../application/user-import-rows.ts'
import { type Refusal, refuse } from '../../contract/errors.ts'
import { isRefusal } from '../../contract/refused.ts'
import {
  ImportedUser,
  type ImportResult,
  MOST_IMPORTED,
  UserImport,
  UserImportAnswer,
} from '../../contract/user-import.schema.ts'
import { judgeImport, type Verdict } from '../../domain/user-import.ts'
import { insertImported, readTaken } from '../../storage/user-import.ts'
import { describeRefusal } from '../answer-errors.ts'
import { bodyOfAtMost } from '../bodies.ts'
import { answer, invalidInput, json } from '../guard.ts'
import type { Guard } from './authentication.ts'
import { auditRow, note } from './change.ts'
import { alwaysWithBody, guarded, type ManagementContext, managementRouter } from './router.ts'

/** Two hundred users with some data each fit, and no isolate notices. Ours. */
const MOST_BYTES = 1024 * 1024

const importCall = createRoute({
  method: 'post',
  path: '/',
  tags: ['Users'],
  ...guarded,
  summary: 'Import many users',
  description:
    `Up to ${MOST_IMPORTED} at once, each judged by itself: the answer has one result for each, in order. An id that exists is left as ` +
    'it is, so that a call can be repeated; give every user an id for that. It is refused if the names given with it are not those of ' +
    'whoever has it. Internal roles are refused unless `withAdministrators` is given. Passwords may come as digests: PHC strings of argon2, ' +
    '`$2b$…` of bcrypt, `$scrypt$ln=15,r=8,p=1$salt$hash`, `$pbkdf2-sha256$i=600000$salt$hash` (or sha512), and `$sha256$salt$hash` ' +
    '(or sha512) of the salt and the password; salt and hash in Base64 without padding. Of plain passwords twenty are hashed in one call.',
  request: { body: json(UserImport) },
  responses: { 200: answer('What became of each', UserImportAnswer), ...alwaysWithBody },
})

export function userImportRoutes(dependencies: Dependencies, guard: Guard) {
  const { db, now } = dependencies

  return managementRouter(dependencies, guard, bodyOfAtMost(MOST_BYTES)).openapi(importCall, async (c) => {
    const at = now()
    const { users, withAdministrators } = c.req.valid('json')
    const entries = users.map((given) => prepare(given, at))
    const outcomes = await carryOut(
      c,
      entries.flatMap((entry) => (isRefusal(entry) ? [] : [entry])),
      withAdministrators,
    )
    const results = entries.map((entry, index) =>
      isRefusal(entry)
        ? rejected(c, index, entry)
        : resultOf(c, index, entry, outcomes.get(entry) ?? refuse('server.unavailable')),
    )
    return c.json({ results: await Promise.all(results) }, 200)
  })

  function prepare(given: unknown, at: number): PreparedUser | Refusal {
    const parsed = ImportedUser.safeParse(given)
    return parsed.success ? prepareUser(parsed.data, at) : invalidInput(parsed.error).refusal
  }

  /** One round trip to see who is there, one to insert, and a third only if somebody was faster meanwhile. */
  async function carryOut(c: ManagementContext, users: readonly PreparedUser[], withAdministrators: boolean) {
    const outcomes = new Map<PreparedUser, Verdict>()
    if (users.length === 0) return outcomes

    const { verdicts, roleIds } = await judge(c.var.tenantId, users, withAdministrators)
    const accepted = users.filter((_, index) => verdicts[index]?.kind === 'create')
    for (const [index, user] of users.entries()) outcomes.set(user, verdicts[index] ?? { kind: 'existing' })
    if (accepted.length === 0) return outcomes

    const created = await insert(c, accepted, roleIds)
    const missed = accepted.filter(({ id }) => !created.has(id))
    if (missed.length === 0) return outcomes
    const second = await judge(c.var.tenantId, missed, withAdministrators)
    for (const [index, user] of missed.entries()) {
      const verdict = second.verdicts[index]
      // Free again: whoever was faster is gone already. The caller may repeat the call.
      outcomes.set(user, !verdict || verdict.kind === 'create' ? refuse('server.unavailable') : verdict)
    }
    return outcomes
  }

  async function judge(tenantId: string, users: readonly PreparedUser[], withAdministrators: boolean) {
    const candidates = users.map(candidateOf)
    const { taken, roleIds } = await readTaken(db, tenantId, candidates)
    const knownRoles = new Set(roleIds.keys())
    return { verdicts: judgeImport(candidates, taken, { knownRoles, withAdministrators }), roleIds }
  }

  async function insert(
    c: ManagementContext,
    accepted: readonly PreparedUser[],
    roleIds: ReadonlyMap<string, string>,
  ): Promise<Set<string>> {
    note(c, 'Management.User.Create', { userIds: accepted.map(({ id }) => id) })
    const imported = await Promise.all(accepted.map((user) => rowOf(user, roleIds)))
    const statements = insertImported(db, c.var.tenantId, { imported, now: now() })
    const [, ...answers] = await db.batch([
      auditRow(dependencies, c, sql`true`),
      ...statements.users,
      ...statements.roles,
    ])
    const inserted = answers.slice(0, statements.users.length) as { id: string }[][]
    return new Set(inserted.flat().map(({ id }) => id))
  }
}

async function resultOf(
  c: ManagementContext,
  index: number,
  { id }: PreparedUser,
  verdict: Verdict,
): Promise<ImportResult> {
  switch (verdict.kind) {
    case 'create':
      return { index, status: 'created', id }
    case 'existing':
      return { index, status: 'existing', id }
    case 'refusal':
      return rejected(c, index, verdict)
  }
}

const rejected = async (c: ManagementContext, index: number, refusal: Refusal): Promise<ImportResult> => ({
  index,
  status: 'rejected',
  error: await describeRefusal(c, refusal),
})
