import { createRoute, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { withdrawConsent } from '../../application/withdraw-consent.ts'
import { Consent } from '../../contract/consents.schema.ts'
import { refuseWith } from '../../contract/refused.ts'
import { storableText } from '../../contract/text.schema.ts'
import { readTogether } from '../../storage/batches.ts'
import { consentsQuery, toConsents } from '../../storage/consent-list.ts'
import { existingMembersQuery } from '../../storage/role-links.ts'
import { declaredRefusals, jsonAnswer } from '../guard.ts'
import { beginManagementAudit } from './change.ts'
import { idParam, managementRefusals, managementSecurity, mountedRouter } from './router.ts'

const tags = ['Users']

const listCall = createRoute({
  method: 'get',
  path: '/',
  tags,
  ...managementSecurity,
  summary: 'List the consents of a user',
  description:
    'Answers what a user has granted to applications of third parties, by application, newest first and 100 at most: scopes of OpenID Connect, scopes of resources, when the first of them was granted, and when the application ' +
    'last got tokens for the user, as far back as the audit log knows. First parties ask for no consent. An unknown user is refused with 404 `entity.not_found`.',
  request: { params: idParam },
  responses: {
    200: jsonAnswer('All consents', z.array(Consent.openapi('Consent'))),
    ...managementRefusals,
    ...declaredRefusals(404),
  },
})
const deleteCall = createRoute({
  method: 'delete',
  path: '/{applicationId}',
  tags,
  ...managementSecurity,
  summary: 'Withdraw a consent of a user',
  description:
    'Takes back everything a user has granted to an application, with its grants, codes, access tokens and refresh tokens; the next sign-in to it asks again. The user stays signed in. Tokens of resources that are JWTs ' +
    'are valid until they expire. 404 `entity.not_found` when nothing was granted.',
  request: { params: idParam.extend({ applicationId: storableText(128) }) },
  responses: { 204: { description: 'Withdrawn' }, ...managementRefusals, ...declaredRefusals(404) },
})

/** Mounted below a user, behind the guard of its router. */
export function userConsentRoutes(dependencies: Dependencies) {
  const { db } = dependencies

  return mountedRouter()
    .openapi(listCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      const { users, consents } = await readTogether(db, {
        users: existingMembersQuery(db, tenantId, 'user', [id]),
        consents: consentsQuery(db, tenantId, id),
      })
      return users.length > 0 ? c.json(toConsents(consents), 200) : refuseWith('entity.not_found')
    })
    .openapi(deleteCall, async (c) => {
      const { id: userId, applicationId } = c.req.valid('param')
      const audit = beginManagementAudit(c, 'Management.Consent.Delete', { userId, applicationId })
      await withdrawConsent(dependencies, { tenantId: c.var.tenantId, userId, applicationId, audit })
      return c.body(null, 204)
    })
}
