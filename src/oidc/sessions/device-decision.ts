import { type AdapterPayload, errors } from 'oidc-provider'
import type { ModelWrite } from '../../storage/interactions/oidc-models.ts'
import type { UnitOfWork } from '../persistence/unit-of-work.ts'

/** Two browsers have decided about the same device, and this one was second (spec/provider#device-decision). */
export class DeviceDecided extends errors.OIDCProviderError {
  constructor() {
    super(400, 'invalid_request')
    this.error_description = 'the code has already been used'
  }
}

/**
 * Writes the answer of the user, which is given once. That a page was confirmed is no answer: its sign-in may be given up, and then
 * the code can be entered again. Whatever went wrong, the device hears that it gets no access (RFC 8628 §3.5).
 */
export function decideDevice(
  work: Pick<UnitOfWork, 'decide'>,
  { payload, ...write }: Omit<ModelWrite, 'tenantId'>,
): void {
  const { inFlight: _inFlight, ...rest }: AdapterPayload = payload
  if (rest.accountId === undefined && rest.error === undefined) return
  const answer = rest.error === undefined ? rest : { ...rest, error: 'access_denied' }
  work.decide({ ...write, payload: answer }, { error: new DeviceDecided() })
}
