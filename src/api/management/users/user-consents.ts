import { withdrawConsent } from '../../../application/applications/withdraw-consent.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { Consent } from '../../../contract/applications/consents.schema.ts'
import { MAX_CLIENT_URL_LENGTH } from '../../../contract/applications/unregistered-clients.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { existingMembersQuery } from '../../../storage/access/role-links.ts'
import { consentGrantsQuery, consentsQuery, toConsents } from '../../../storage/applications/consent-list.ts'
import { readTogether } from '../../../storage/batches.ts'
import { beginManagementAudit } from '../change.ts'
import { managementSubrouter } from '../router.ts'
import { declareListCall, declareRemovalCall } from './user-collections.ts'

const listCall = declareListCall({
  operationId: 'listUserConsents',
  things: 'consents',
  description:
    'Returns what a user has granted to third-party applications, by application, newest first and at ' +
    'most 100: OpenID Connect scopes, scopes of resources, when the first of them was granted, and when ' +
    'the application last received tokens for the user, as far back as the audit log goes. First-party ' +
    'applications request no consent.',
  item: Consent.meta({ id: 'Consent' }),
})
const deleteCall = declareRemovalCall({
  path: '/{applicationId}',
  operationId: 'withdrawUserConsent',
  summary: 'Withdraw a consent of a user',
  description:
    'Revokes everything a user has granted to an application, with its grants, codes, access tokens and ' +
    'refresh tokens; the next sign-in to it asks for consent again. The user stays signed in. Access ' +
    'tokens that are JWTs remain valid until they expire. Responds with 404 `entity.not_found` if ' +
    'nothing was granted.',
  params: { applicationId: storableText(MAX_CLIENT_URL_LENGTH) },
  response: 'Withdrawn',
})

/** Creates the routes for a user's consents. The parent router authorizes the calls. */
export function userConsentRoutes(dependencies: Dependencies) {
  const { db } = dependencies

  return managementSubrouter()
    .openapi(listCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      const { users, consents, consentGrants } = await readTogether(db, {
        users: existingMembersQuery(db, tenantId, 'user', [id]),
        consents: consentsQuery(db, tenantId, id),
        consentGrants: consentGrantsQuery(db, tenantId, id),
      })
      return users.length > 0
        ? c.json(toConsents(consents, consentGrants), 200)
        : refuseWith('entity.not_found')
    })
    .openapi(deleteCall, async (c) => {
      const { id: userId, applicationId } = c.req.valid('param')
      const audit = beginManagementAudit(c, 'Management.Consent.Delete', { userId, applicationId })
      await withdrawConsent(dependencies, { tenantId: c.var.tenantId, userId, applicationId, audit })
      return c.body(null, 204)
    })
}
