import { postLogoutToken } from '../../outbound/hooks/webhook.ts'
import { type ApplicationRow, getApplication } from '../../storage/applications/applications.ts'
import { logEvent } from '../../storage/event-log.ts'
import type { Delivery } from '../../storage/hooks/outbox.ts'
import type { LogoutFacts } from '../../storage/hooks/outbox-events.ts'
import type { SigningKeys } from '../../storage/tenants/signing-keys.ts'
import type { Dependencies } from '../dependencies.ts'
import type { DeliveryReport } from './deliveries.ts'
import { refusePrivateAddress, reportOf, textOf } from './delivery-report.ts'

export type LogoutPlatform = {
  fetch: typeof fetch
  /** Of the provider, which knows the form of its tokens. */
  logoutToken(
    facts: LogoutFacts,
    application: ApplicationRow,
    keys: SigningKeys,
    now: number,
  ): Promise<string>
}

/** Posts a logout token to an application (spec/provider#back-channel-logout). */
export async function callLogoutAddress(
  dependencies: Pick<Dependencies, 'db' | 'seals' | 'settings' | 'tenantSettings' | 'signingKeys' | 'now'>,
  { fetch, logoutToken }: LogoutPlatform,
  { tenantId, applicationId, payload }: Delivery,
): Promise<DeliveryReport> {
  const { settings, signingKeys, now } = dependencies
  const report = await reportOf(async () => {
    const application =
      applicationId === null ? null : await getApplication(dependencies, tenantId, applicationId)
    const url = application?.customClientMetadata.backchannelLogoutUri
    if (!application || !url) throw new Error('The application has no back-channel logout address any more')
    // In development an application may run on the same machine (domain/applications/application-rules.ts).
    if (settings.environment !== 'development') await refusePrivateAddress(dependencies, tenantId, url)
    const keys = await signingKeys.get(tenantId)
    const token = await logoutToken(logoutFacts(payload), application, keys, now())
    return postLogoutToken(url, token, { fetch })
  })
  const { result, error, response } = report
  logEvent('back_channel_logout', { tenantId, applicationId, result, error, status: response?.statusCode })
  return report
}

function logoutFacts({ issuer, sub, sid }: Record<string, unknown>): LogoutFacts {
  if (typeof issuer !== 'string' || typeof sub !== 'string') {
    throw new Error('The logout names no issuer or user')
  }
  return { issuer, sub, sid: textOf(sid) }
}
