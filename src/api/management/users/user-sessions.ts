import type { Dependencies } from '../../../application/dependencies.ts'
import { revokeSession } from '../../../application/sessions/revoke.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { SessionSchema } from '../../../contract/sessions/sessions.schema.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { existingMembersQuery } from '../../../storage/access/role-links.ts'
import { readTogether } from '../../../storage/batches.ts'
import { sessionsQuery } from '../../../storage/sessions/sessions.ts'
import { createBackgroundRunner } from '../../request-context.ts'
import { beginManagementAudit } from '../change.ts'
import { createManagementCallDeclarer, idParam, managementSubrouter } from '../router.ts'
import { changeAndReturnUser } from './user-change.ts'
import { declareListCall, declareRemovalCall } from './user-collections.ts'

const declareCall = createManagementCallDeclarer('Users')

const listCall = declareListCall({
  operationId: 'listUserSessions',
  things: 'sessions',
  description:
    'Returns the login sessions in which a user is signed in, newest first and at most 100, each with its applications.',
  item: SessionSchema.meta({ id: 'Session' }),
})
const deleteCall = declareRemovalCall({
  path: '/{sessionId}',
  operationId: 'endUserSession',
  summary: 'End one session of a user',
  description:
    'Ends one login session with the grants and tokens that applications received in it; applications ' +
    'with a back-channel logout URI receive a logout token. Other sessions of the user stay. Responds ' +
    'with 404 `entity.not_found` if there is no such session.',
  params: { sessionId: storableText(128) },
  response: 'Ended',
})
const deleteAllCall = declareCall({
  method: 'delete',
  path: '/',
  operationId: 'endUserSessions',
  summary: 'End all sessions of a user',
  description:
    'Signs a user out everywhere: all sessions, grants and tokens are revoked, including those of a ' +
    'sign-in in progress, and applications with a back-channel logout URI receive a logout token. The ' +
    'user can sign in again.',
  request: { params: idParam },
  responses: { 204: { description: 'Revoked' } },
  refusals: [404],
})

/** Creates the routes for a user's sessions. The parent router authorizes the calls. */
export function userSessionRoutes(dependencies: Dependencies) {
  const { db, now } = dependencies

  return managementSubrouter()
    .openapi(listCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      const { users, sessions } = await readTogether(db, {
        users: existingMembersQuery(db, tenantId, 'user', [id]),
        sessions: sessionsQuery(db, tenantId, id, now()),
      })
      return users.length > 0 ? c.json(sessions, 200) : refuseWith('entity.not_found')
    })
    .openapi(deleteCall, async (c) => {
      const { id: userId, sessionId } = c.req.valid('param')
      const { tenantId } = c.var
      const audit = beginManagementAudit(
        c,
        'Management.User.Update',
        { userId, sessionId },
        { sessions: sessionId },
      )
      const key = { tenantId, userId, sessionId }
      await revokeSession(dependencies, key, { url: c.req.url, audit, background: createBackgroundRunner(c) })
      return c.body(null, 204)
    })
    .openapi(deleteAllCall, async (c) => {
      const { id } = c.req.valid('param')
      // All sessions are revoked at once instead of deleted one by one, so that sign-ins in progress end, too
      // (spec/accounts#revocation).
      await changeAndReturnUser(dependencies, c, id, {
        changes: { revokedAt: now() },
        auditedFields: { sessions: [] },
      })
      return c.body(null, 204)
    })
}
