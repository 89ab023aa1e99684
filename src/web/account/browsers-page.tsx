import { Browsers } from '../../../client/account/browsers.tsx'
import { forgetTrustedBrowser, forgetTrustedBrowsers } from '../../application/sessions/trusted-browsers.ts'
import { deviceOf } from '../../domain/user-agent.ts'
import { trustedBrowsersQuery } from '../../storage/sessions/trusted-browsers.ts'
import type { AccountPage } from './visit.ts'

export const browsersPage: AccountPage = {
  field: 'factors',
  async show({ dependencies: { db, now, tenantSettings }, tenantId, read }) {
    const { secondFactor } = await tenantSettings.get(tenantId)
    const rule = { days: secondFactor.rememberDays, now: now() }
    const { signedIn, rows } = await read((userId) => ({
      browsers: trustedBrowsersQuery(db, { tenantId, userId }, rule),
    }))
    const browsers = rows.browsers.map(({ userAgent, ...browser }) => ({
      ...browser,
      ...deviceOf(userAgent),
    }))
    return { title: 'browsers', user: signedIn.user, body: <Browsers browsers={browsers} /> }
  },
  actions: {
    async forget({ dependencies, tenantId, signedIn, form, message, background, beginAudit }) {
      const id = form.get('id') ?? ''
      const audit = beginAudit('Account.TrustedBrowser.Delete', { trustedBrowserId: id })
      const own = { signedIn, message, background }
      await forgetTrustedBrowser(dependencies, { tenantId, userId: signedIn.user.id, id, audit, own })
      return { message: 'browser_forgotten' }
    },
    async forgetAll({ dependencies, tenantId, signedIn, message, background, beginAudit }) {
      const audit = beginAudit('Account.TrustedBrowser.Delete')
      const own = { signedIn, message, background }
      await forgetTrustedBrowsers(dependencies, { tenantId, audit, own })
      return { message: 'browsers_forgotten' }
    },
  },
}
