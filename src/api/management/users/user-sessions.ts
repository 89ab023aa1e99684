import type { Dependencies } from '../../../application/dependencies.ts'
import { revokeSession } from '../../../application/sessions/revoke.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { SessionSchema } from '../../../contract/sessions/sessions.schema.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { existingMembersQuery } from '../../../storage/access/role-links.ts'
import { readTogether } from '../../../storage/batches.ts'
import { sessionsQuery } from '../../../storage/sessions/sessions.ts'
import { backgroundOf } from '../../request-context.ts'
import { beginManagementAudit } from '../change.ts'
import { idParam, managementCalls, mountedRouter } from '../router.ts'
import { changeAndAnswerUser } from './user-change.ts'
import { listCallOf, removalCallOf } from './user-collections.ts'

const declareCall = managementCalls('Users')

const listCall = listCallOf(
  'sessions',
  'Answers the login sessions in which a user is signed in, newest first and 100 at most, each with its applications.',
  SessionSchema.meta({ id: 'Session' }),
)
const deleteCall = removalCallOf({
  path: '/{sessionId}',
  summary: 'End one session of a user',
  description:
    'Ends one login session with the grants and tokens that applications got in it; applications with a back-channel logout URI receive a logout token. Other sessions of the user stay. ' +
    '404 `entity.not_found` when there is no such session.',
  params: { sessionId: storableText(128) },
  answer: 'Ended',
})
const deleteAllCall = declareCall({
  method: 'delete',
  path: '/',
  summary: 'End all sessions of a user',
  description:
    'Signs a user out everywhere: all sessions, grants and tokens are revoked, those of a sign-in under way included, and applications with a back-channel logout URI receive a logout token. ' +
    'The user can sign in again.',
  request: { params: idParam },
  answers: { 204: { description: 'Revoked' } },
  refusals: [404],
})

/** Mounted below a user, behind the guard of its router. */
export function userSessionRoutes(dependencies: Dependencies) {
  const { db, now } = dependencies

  return mountedRouter()
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
      await revokeSession(dependencies, key, { url: c.req.url, audit, background: backgroundOf(c) })
      return c.body(null, 204)
    })
    .openapi(deleteAllCall, async (c) => {
      const { id } = c.req.valid('param')
      // As a revocation and not row by row: sign-ins under way end, too (spec/accounts#revocation).
      await changeAndAnswerUser(dependencies, c, id, {
        changes: { revokedAt: now() },
        audited: { sessions: [] },
      })
      return c.body(null, 204)
    })
}
