import { createRoute, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { revokeSession } from '../../application/revoke-session.ts'
import { OwnSession } from '../../contract/account.schema.ts'
import { refuseWith } from '../../contract/refused.ts'
import { text } from '../../contract/text.schema.ts'
import { sessionsQuery } from '../../storage/sessions.ts'
import { answer, refusals } from '../guard.ts'
import { backgroundOf } from '../request-context.ts'
import { accountRouter, always, note, signedIn } from './router.ts'

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
      const audit = note(c, 'Account.Session.Delete', { sessionId })
      const ended = await revokeSession(dependencies, key, { url: c.req.url, audit: audit.success() })
      if (!ended) return refuseWith('entity.not_found')
      backgroundOf(c)(() => deliveries.send(tenantId, ended.outboxIds))
      return c.body(null, 204)
    })
}
