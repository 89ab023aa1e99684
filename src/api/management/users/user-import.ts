import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { type ImportOutcome, importUsers } from '../../../application/users/import.ts'
import {
  type ImportResult,
  MAX_IMPORTED_USERS,
  UserImport,
  UserImportAnswer,
} from '../../../contract/users/user-import.schema.ts'
import { bodyOfAtMost } from '../../bodies.ts'
import { describeRefusal } from '../../describe-refusal.ts'
import { jsonAnswer, jsonBody } from '../../guard.ts'
import { requireOwn } from '../authority.ts'
import { beginManagementAudit } from '../change.ts'
import {
  type ManagementContext,
  type ManagementGuard,
  managementCalls,
  managementRouter,
  needsRecentSignIn,
} from '../router.ts'

const declareCall = managementCalls('Users')

const MAX_BYTES = 1024 * 1024 // spec/management#user-import

const importCall = declareCall({
  method: 'post',
  path: '/',
  summary: 'Import users',
  description:
    `Creates up to ${MAX_IMPORTED_USERS} users, each checked by itself, and answers one result for each, in order. A user whose id exists is answered as \`existing\` and left unchanged, so that a call can be ` +
    'repeated; give every user an id for that. It is rejected when its names do not belong to the stored user. Internal roles need `withAdministrators`. A password can come as a hash: PHC strings of ' +
    'argon2, `$2b$…` of bcrypt, `$scrypt$ln=15,r=8,p=1$salt$hash`, `$pbkdf2-sha256$i=600000$salt$hash` (or sha512), and `$sha256$salt$hash` (or sha512) of the salt and the password, with salt and hash ' +
    'in Base64 without padding. At most 20 plain passwords are hashed in one call. `totpSecret` is that of an authenticator app in Base32; a passkey is its id and its public key in COSE, of the domain of the tenant. Nobody is told by a message or a hook. ' +
    needsRecentSignIn(),
  request: { body: jsonBody(UserImport) },
  answers: { 200: jsonAnswer('One result for each user', UserImportAnswer) },
})

export function userImportRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  return managementRouter(dependencies, guard, bodyOfAtMost(MAX_BYTES)).openapi(importCall, async (c) => {
    await requireOperatorStepUp(dependencies, c.var)
    const outcomes = await importUsers(dependencies, {
      tenantId: c.var.tenantId,
      ...c.req.valid('json'),
      refuseRoles: (ids) => requireOwn(dependencies, c, { kind: 'role', ids }),
      beginAudit: (userIds) => beginManagementAudit(c, 'Management.User.Create', { userIds }),
    })
    return c.json(
      { results: await Promise.all(outcomes.map((outcome, index) => resultOf(c, index, outcome))) },
      200,
    )
  })
}

async function resultOf(c: ManagementContext, index: number, outcome: ImportOutcome): Promise<ImportResult> {
  if (outcome.status !== 'rejected') return { index, status: outcome.status, id: outcome.id }
  return { index, status: 'rejected', error: await describeRefusal(c, outcome.refusal) }
}
