import { createRoute, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { revokeSession } from '../../application/session-revocation.ts'
import { OwnSession } from '../../contract/account.schema.ts'
import { refuseWith } from '../../contract/refused.ts'
import { text } from '../../contract/text.schema.ts'
import { afterAnswer } from '../../storage/background.ts'
import { isSession, sessionsQuery } from '../../storage/sessions.ts'
import { answer, refusals } from '../guard.ts'
import { accountRouter, always, auditRow, note, signedIn } from './router.ts'

const listCall = createRoute({
  method: 'get',
  path: '/',
  ...signedIn,
  summary: 'List where I am signed in, newest first',
  responses: { 200: answer('The sessions', z.array(OwnSession.openapi('OwnSession'))), ...always },
})
const deleteCall = createRoute({
  method: 'delete',
  path: '/{id}',
  ...signedIn,
  summary: 'Sign me out there, with all that applications were granted in it',
  request: { params: z.object({ id: text(128) }) },
  responses: { 204: { description: 'Signed out' }, ...always, ...refusals(404) },
})

export function accountSessionRoutes(dependencies: Dependencies) {
  const { db, deliveries, now } = dependencies

  return accountRouter(dependencies, 'profile')
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
      const key = { tenantId, userId: c.var.signedIn.user.id, sessionId }
      note(c, 'Account.Session.Delete', { sessionId })
      const row = auditRow(dependencies, c, isSession(key))
      const ended = await revokeSession(dependencies, key, { url: c.req.url, auditRow: row })
      if (!ended) return refuseWith('entity.not_found')
      const ids = ended.waiting.map(({ id }) => id)
      afterAnswer(c.executionCtx, c.var, () => deliveries.send(tenantId, ids))
      return c.body(null, 204)
    })
}
