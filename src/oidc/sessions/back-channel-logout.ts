import type { Client, Provider } from 'oidc-provider'
import type { DeliveryService } from '../../application/hooks/deliveries.ts'
import type { Database } from '../../storage/database.ts'
import { createDeliveryId, enqueueLogout } from '../../storage/hooks/outbox-events.ts'
import { getProviderRequest } from '../request-context.ts'

/**
 * Sends a logout token to an application whose user has signed out (spec/provider#back-channel-logout). The token's
 * claims are committed with the sign-out, and the outbox delivers the token after the response. The library's own
 * implementation is not used, because it waits for the application and needs sockets that Workers do not have.
 */
export function sendLogoutToken(provider: Provider, db: Database, deliveries: DeliveryService) {
  return async function backchannelLogout(this: Client, sub: string, sid?: string): Promise<void> {
    const { backchannelLogoutUri, backchannelLogoutSessionRequired, clientId } = this
    if (!backchannelLogoutUri) return

    const { work, background, tenantId, now } = getProviderRequest()
    const facts = { issuer: provider.issuer, sub, sid: backchannelLogoutSessionRequired ? sid : undefined }
    const id = createDeliveryId()
    work.add(enqueueLogout(db, { tenantId, id }, { applicationId: clientId, facts, now: now() }))
    background(() => deliveries.send(tenantId, [id]))
  }
}
