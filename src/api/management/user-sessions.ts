import { createRoute, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { revokeSession } from '../../application/revoke-session.ts'
import { refuseWith } from '../../contract/refused.ts'
import { Session } from '../../contract/sessions.schema.ts'
import { text } from '../../contract/text.schema.ts'
import { readTogether } from '../../storage/batches.ts'
import { existingMembersQuery } from '../../storage/role-links.ts'
import { sessionsQuery } from '../../storage/sessions.ts'
import { answer, guardedRouter, refusals } from '../guard.ts'
import { backgroundOf } from '../request-context.ts'
import type { ManagementVariables } from './authentication.ts'
import { beginAudit } from './change.ts'
import { always, guarded, idParam } from './router.ts'
import { changeUserOf } from './user-change.ts'

const tags = ['Users']

const listCall = createRoute({
  method: 'get',
  path: '/',
  tags,
  ...guarded,
  summary: 'List where a user is signed in, newest first',
  request: { params: idParam },
  responses: {
    200: answer('The sessions', z.array(Session.openapi('Session'))),
    ...always,
    ...refusals(404),
  },
})
const deleteCall = createRoute({
  method: 'delete',
  path: '/{sessionId}',
  tags,
  ...guarded,
  summary: 'End a session, with all that applications were granted in it',
  request: { params: idParam.extend({ sessionId: text(128) }) },
  responses: { 204: { description: 'Ended' }, ...always, ...refusals(404) },
})
const deleteAllCall = createRoute({
  method: 'delete',
  path: '/',
  tags,
  ...guarded,
  summary: 'Sign a user out everywhere',
  request: { params: idParam },
  responses: { 204: { description: 'Signed out' }, ...always, ...refusals(404) },
})

/** Mounted in the routes of users, behind their gate. */
export function userSessionRoutes(dependencies: Dependencies) {
  const { db, deliveries, now } = dependencies

  return guardedRouter<{ Variables: ManagementVariables }>()
    .openapi(listCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      const { found, sessions } = await readTogether(db, {
        found: existingMembersQuery(db, tenantId, 'user', [id]),
        sessions: sessionsQuery(db, tenantId, id, now()),
      })
      return found.length > 0 ? c.json(sessions, 200) : refuseWith('entity.not_found')
    })
    .openapi(deleteCall, async (c) => {
      const { id: userId, sessionId } = c.req.valid('param')
      const { tenantId } = c.var
      const key = { tenantId, userId, sessionId }
      const audit = beginAudit(c, 'Management.User.Update', { userId, sessionId }, { sessions: sessionId })
      const ended = await revokeSession(dependencies, key, { url: c.req.url, audit: audit.success() })
      if (!ended) refuseWith('entity.not_found')
      backgroundOf(c)(() => deliveries.send(tenantId, ended.outboxIds))
      return c.body(null, 204)
    })
    .openapi(deleteAllCall, async (c) => {
      const { id } = c.req.valid('param')
      // As a revocation and not row by row: sign-ins under way end, too (spec/accounts#revocation).
      await changeUserOf(dependencies, c, id, { revokedAt: now() }, { sessions: [] })
      return c.body(null, 204)
    })
}
