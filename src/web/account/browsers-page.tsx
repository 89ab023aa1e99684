import { Browsers } from '../../../client/account/sign-in/browsers.tsx'
import { forgetTrustedBrowser, forgetTrustedBrowsers } from '../../application/sessions/trusted-browsers.ts'
import { getDeviceKind, parseUserAgent } from '../../domain/user-agent.ts'
import { trustedBrowsersQuery } from '../../storage/sessions/trusted-browsers.ts'
import type { AccountPage } from './page.ts'

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
      ...parseUserAgent(userAgent),
      kind: getDeviceKind(userAgent),
    }))
    return { title: 'browsers', signedIn, body: <Browsers browsers={browsers} /> }
  },
  actions: {
    async forget({ dependencies, form, beginChange }) {
      const id = form.get('id') ?? ''
      const change = beginChange('Account.TrustedBrowser.Delete', { trustedBrowserId: id })
      const { tenantId, audit, ...own } = change
      await forgetTrustedBrowser(dependencies, { tenantId, userId: own.signedIn.user.id, id, audit, own })
      return { message: 'browser_forgotten' }
    },
    async forgetAll({ dependencies, beginChange }) {
      const { tenantId, audit, ...own } = beginChange('Account.TrustedBrowser.Delete')
      await forgetTrustedBrowsers(dependencies, { tenantId, audit, own })
      return { message: 'browsers_forgotten' }
    },
  },
}
