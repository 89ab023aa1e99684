import { Applications } from '../../../client/account/applications.tsx'
import { withdrawConsent } from '../../application/applications/withdraw-consent.ts'
import { consentGrantsQuery, consentsQuery, toConsents } from '../../storage/applications/consent-list.ts'
import type { AccountPage } from './page.ts'

export const applicationsPage: AccountPage = {
  field: 'applications',
  async show({ dependencies: { db }, tenantId, readList }) {
    const { signedIn, rows } = await readList((userId) => ({
      consents: consentsQuery(db, tenantId, userId),
      consentGrants: consentGrantsQuery(db, tenantId, userId),
    }))
    const consents = toConsents(rows.consents, rows.consentGrants)
    return { title: 'applications', signedIn, body: <Applications consents={consents} /> }
  },
  actions: {
    async withdraw({ dependencies, form, beginChange }) {
      const applicationId = form.get('id') ?? ''
      const change = beginChange('Account.Consent.Delete', { withdrawnApplicationId: applicationId })
      const { tenantId, audit, ...own } = change
      const key = { tenantId, userId: own.signedIn.user.id, applicationId }
      await withdrawConsent(dependencies, { ...key, audit, own })
      return { message: 'withdrawn' }
    },
  },
}
