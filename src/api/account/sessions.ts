import { z } from 'zod'
import type { Dependencies } from '../../application/dependencies.ts'
import { revokeSession } from '../../application/sessions/revoke.ts'
import { OwnSession } from '../../contract/account/account.schema.ts'
import { storableText } from '../../contract/text.schema.ts'
import { sessionsQuery } from '../../storage/sessions/sessions.ts'
import { jsonResponse } from '../guard.ts'
import { accountCallContext, accountRouter, beginAccountAudit, declareAccountCall } from './router.ts'

const listCall = declareAccountCall({
  method: 'get',
  path: '/',
  operationId: 'listMySessions',
  summary: 'List my sessions',
  description:
    'Returns the login sessions of the signed-in user, newest first and at most 100, each with its ' +
    'applications. `isCurrent` marks the session of the access token. Requires the `profile` scope.',
  responses: { 200: jsonResponse('All sessions', z.array(OwnSession.meta({ id: 'OwnSession' }))) },
})
const deleteCall = declareAccountCall({
  method: 'delete',
  path: '/{id}',
  operationId: 'endMySession',
  summary: 'End one of my sessions',
  description:
    'Ends a login session of the signed-in user with the grants and tokens that applications received in ' +
    'it; applications with a back-channel logout URI receive a logout token. The user is notified by a ' +
    'message, at most once in ten minutes. Requires the `profile` scope. Responds with 404 ' +
    '`entity.not_found` if the session belongs to another user.',
  request: { params: z.object({ id: storableText(128) }) },
  responses: { 204: { description: 'Ended' } },
  refusals: [404],
})

export function accountSessionRoutes(dependencies: Dependencies) {
  const { db, now } = dependencies

  return accountRouter(dependencies, 'profile', 'sessions')
    .openapi(listCall, async (c) => {
      const { user, token } = c.var.signedIn
      const sessions = await sessionsQuery(db, c.var.tenantId, user.id, now())
      return c.json(
        sessions.map((session) => ({ ...session, isCurrent: session.id === token.sessionUid })),
        200,
      )
    })
    .openapi(deleteCall, async (c) => {
      const { id: sessionId } = c.req.valid('param')
      const { tenantId } = c.var
      const audit = beginAccountAudit(c, 'Account.Session.Delete', { sessionId })
      const key = { tenantId, userId: c.var.signedIn.user.id, sessionId }
      const own = accountCallContext(c)
      const { background } = own
      await revokeSession(dependencies, key, { url: c.req.url, audit, own, background })
      return c.body(null, 204)
    })
}
