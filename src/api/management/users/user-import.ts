import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { type ImportOutcome, importUsers } from '../../../application/users/import.ts'
import {
  type ImportResult,
  MAX_USERS_PER_IMPORT,
  UserImport,
  UserImportResponse,
} from '../../../contract/users/user-import.schema.ts'
import { limitBodySize } from '../../bodies.ts'
import { describeRefusal } from '../../describe-refusal.ts'
import { jsonBody, jsonResponse } from '../../guard.ts'
import { requireHolderScopes } from '../authority.ts'
import { beginManagementAudit, toHookDispatch } from '../change.ts'
import {
  createManagementCallDeclarer,
  describeRecentSignIn,
  type ManagementContext,
  type ManagementGuard,
  managementRouter,
} from '../router.ts'

const declareCall = createManagementCallDeclarer('Users')

const MAX_BYTES = 1024 * 1024 // spec/management#user-import

const importCall = declareCall({
  method: 'post',
  path: '/',
  operationId: 'importUsers',
  summary: 'Import users',
  description:
    `Creates up to ${MAX_USERS_PER_IMPORT} users, each checked separately, and returns one result for each, in ` +
    'order. A user whose id exists is reported as `existing` and left unchanged, so that the call can be ' +
    'repeated; give every user an id for that. The user is rejected if the names do not match those of ' +
    'the stored user. Internal roles require `withAdministrators`. A password can be given as a hash: ' +
    'PHC strings of argon2, `$2b$…` of bcrypt, `$scrypt$ln=15,r=8,p=1$salt$hash`, ' +
    '`$pbkdf2-sha256$i=600000$salt$hash` (or sha512), and `$sha256$salt$hash` (or sha512) of the salt ' +
    'followed by the password, with salt and hash in Base64 without padding. At most 20 plain passwords ' +
    'are hashed in one call. `totpSecret` is the Base32 secret of an authenticator app; a passkey ' +
    'consists of its id and its public key in COSE format, for the domain of the tenant. No messages are ' +
    'sent to the users. With `withEvents`, hooks receive `User.Created` for each user who is created. ' +
    describeRecentSignIn(),
  request: { body: jsonBody(UserImport) },
  responses: { 200: jsonResponse('One result for each user', UserImportResponse) },
})

export function userImportRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  return managementRouter(dependencies, guard, limitBodySize(MAX_BYTES)).openapi(importCall, async (c) => {
    await requireOperatorStepUp(dependencies, c.var)
    const outcomes = await importUsers(dependencies, {
      tenantId: c.var.tenantId,
      ...c.req.valid('json'),
      refuseRoles: (ids) => requireHolderScopes(dependencies, c, { kind: 'role', ids }),
      ...toHookDispatch(c),
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
