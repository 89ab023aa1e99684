import { ProviderRedirect } from '../../../client/account/leaving.tsx'
import { Identities } from '../../../client/account/sign-in/identities.tsx'
import { beginIdentityLink, unlinkOwnIdentity } from '../../application/social/identities.ts'
import { isRecord } from '../../contract/is-record.ts'
import { ACCOUNT_LINK_STATE, buildCallbackUrl, formatSocialState } from '../../domain/social/social-state.ts'
import { randomId } from '../../storage/ids.ts'
import { sealAccountCookie } from './cookies.ts'
import type { AccountPage } from './page.ts'

export const identitiesPage: AccountPage = {
  field: 'identities',
  async show({ readUser }) {
    const signedIn = await readUser()
    const { user } = signedIn
    const identities = Object.entries(user.identities).map(([target, { userId, details }]) => ({
      target,
      name: nameIn(details) ?? userId,
    }))
    return { title: 'identities', signedIn, body: <Identities identities={identities} /> }
  },
  actions: {
    async link({ dependencies, tenantId, url, link, signedIn, form }) {
      const connectorId = form.get('id') ?? ''
      const { uri, session } = await beginIdentityLink(
        dependencies,
        { tenantId, signedIn, connectorId },
        {
          state: formatSocialState(ACCOUNT_LINK_STATE, randomId()),
          redirectUri: buildCallbackUrl(url.origin, connectorId),
        },
      )
      const { user } = signedIn
      const pendingLink = { userId: user.id, session, search: link?.search }
      const body = <ProviderRedirect connectorId={connectorId} uri={uri} />
      return {
        page: { title: 'identities', signedIn, isCard: true, body, nextUrl: uri },
        cookies: [await sealAccountCookie(dependencies, { tenantId, url }, '_account_link', pendingLink)],
      }
    },
    async unlink({ dependencies, tenantId, signedIn, form, message, background, beginAudit }) {
      const target = form.get('id') ?? ''
      await unlinkOwnIdentity(dependencies, {
        tenantId,
        signedIn,
        target,
        message,
        background,
        beginAudit: () => beginAudit('Account.Identity.Delete', { target }),
      })
      return { message: 'identity_unlinked' }
    },
  },
}

/**
 * Returns the name that a provider account had at its last sign-in. The stored details may have been imported, so they
 * can have any shape.
 */
function nameIn(details: unknown): string | undefined {
  if (!isRecord(details)) return undefined
  return [details.name, details.email, details.phone].find(
    (value): value is string => typeof value === 'string' && value !== '',
  )
}
