import { z } from 'zod'
import { withdrawConsent } from '../../application/applications/withdraw-consent.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { Consent } from '../../contract/applications/consents.schema.ts'
import { MAX_CLIENT_URL_LENGTH } from '../../contract/applications/unregistered-clients.ts'
import { storableText } from '../../contract/text.schema.ts'
import { consentGrantsQuery, consentsQuery, toConsents } from '../../storage/applications/consent-list.ts'
import { readTogether } from '../../storage/batches.ts'
import { jsonResponse } from '../guard.ts'
import { accountCallContext, accountRouter, beginAccountAudit, declareAccountCall } from './router.ts'

const listCall = declareAccountCall({
  method: 'get',
  path: '/',
  operationId: 'listMyConsents',
  summary: 'List my consents',
  description:
    'Returns what the signed-in user has granted to third-party applications, by application, newest ' +
    'first and at most 100, with when each consent was first granted and when the application last ' +
    'received tokens, as far back as the audit log goes. Requires the `profile` scope.',
  responses: { 200: jsonResponse('All consents', z.array(Consent.meta({ id: 'Consent' }))) },
})
const deleteCall = declareAccountCall({
  method: 'delete',
  path: '/{applicationId}',
  operationId: 'withdrawMyConsent',
  summary: 'Withdraw one of my consents',
  description:
    'Revokes everything the signed-in user has granted to an application, with its grants, codes, access ' +
    'tokens and refresh tokens; the next sign-in to it asks for consent again. The user is notified by a ' +
    'message, at most once in ten minutes. Access tokens that are JWTs remain valid until they expire. ' +
    'Requires the `profile` scope. Responds with 404 `entity.not_found` if nothing was granted.',
  request: { params: z.object({ applicationId: storableText(MAX_CLIENT_URL_LENGTH) }) },
  responses: { 204: { description: 'Withdrawn' } },
  refusals: [404],
})

export function accountConsentRoutes(dependencies: Dependencies) {
  return accountRouter(dependencies, 'profile', 'applications')
    .openapi(listCall, async (c) => {
      const { user } = c.var.signedIn
      const { db } = dependencies
      const { tenantId } = c.var
      const { consents, consentGrants } = await readTogether(db, {
        consents: consentsQuery(db, tenantId, user.id),
        consentGrants: consentGrantsQuery(db, tenantId, user.id),
      })
      return c.json(toConsents(consents, consentGrants), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { applicationId } = c.req.valid('param')
      await withdrawConsent(dependencies, {
        tenantId: c.var.tenantId,
        userId: c.var.signedIn.user.id,
        applicationId,
        audit: beginAccountAudit(c, 'Account.Consent.Delete', { withdrawnApplicationId: applicationId }),
        own: accountCallContext(c),
      })
      return c.body(null, 204)
    })
}
