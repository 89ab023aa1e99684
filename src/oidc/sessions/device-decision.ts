import { type AdapterPayload, errors } from 'oidc-provider'
import type { ModelWrite } from '../../storage/interactions/oidc-models.ts'
import type { UnitOfWork } from '../persistence/unit-of-work.ts'

/** The error if another browser has already decided about the device (spec/provider#device-decision). */
export class DeviceAlreadyDecided extends errors.OIDCProviderError {
  constructor() {
    super(400, 'invalid_request')
    this.error_description = 'the code has already been used'
  }
}

/**
 * Stores the user's decision, which can be made only once. Entering the code is not yet a decision: the user may
 * abandon the sign-in that follows and enter the code again. For every error, the device is told only that access was
 * denied (RFC 8628 §3.5).
 */
export function recordDeviceDecision(
  work: Pick<UnitOfWork, 'decide'>,
  { payload, ...write }: Omit<ModelWrite, 'tenantId'>,
): void {
  const { inFlight: _inFlight, ...rest }: AdapterPayload = payload
  if (rest.accountId === undefined && rest.error === undefined) return
  const decision = rest.error === undefined ? rest : { ...rest, error: 'access_denied' }
  work.decide({ ...write, payload: decision }, { error: new DeviceAlreadyDecided() })
}
