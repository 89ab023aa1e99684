import { Hono } from 'hono'
import type { Dependencies } from '../application/dependencies.ts'
import type { RequestFacts } from '../application/request.ts'
import { tenantOrigins } from '../domain/tenants/hosts.ts'

/** The paths of the account-centre pages on which users manage passkeys (spec/account-centre#passkeys). */
const ACCOUNT_CENTRE_PAGES = { enroll: '/account/passkeys/new', manage: '/account/passkeys' }

/**
 * Serves two documents that browsers and password managers request from the passkey domain
 * (spec/pages#passkey-addresses). One lists the other origins that may use the domain's passkeys (WebAuthn Level 3
 * §5.11). The other lists the pages on which users manage passkeys
 * (https://w3c.github.io/webappsec-passkey-endpoints/).
 */
export function passkeyAddressRoutes({
  tenantSettings,
  settings,
}: Pick<Dependencies, 'tenantSettings' | 'settings'>) {
  return new Hono<{ Variables: RequestFacts }>()
    .get('/.well-known/webauthn', async (c, next) => {
      const { passkeys } = await tenantSettings.get(c.var.tenantId)
      if (!passkeys.enabled) return next()
      const origins = tenantOrigins(c.var.tenantId, new URL(c.req.url), settings.hosting)
      return c.json({ origins }, 200, { 'Cache-Control': 'no-cache' })
    })
    .get('/.well-known/passkey-endpoints', async (c, next) => {
      const { passkeys, accountCentre } = await tenantSettings.get(c.var.tenantId)
      const { enabled, manageUrl } = passkeys
      if (!enabled) return next()
      const own =
        accountCentre.enabled && accountCentre.fields.passkeys === 'edit' ? ACCOUNT_CENTRE_PAGES : null
      const addresses = manageUrl === null ? own : { enroll: manageUrl, manage: manageUrl }
      if (!addresses) return next()
      const absolute = ([name, address]: [string, string]) => [name, new URL(address, c.req.url).href]
      const endpoints = Object.fromEntries(Object.entries(addresses).map(absolute))
      return c.json(endpoints, 200, { 'Cache-Control': 'no-cache' })
    })
}
