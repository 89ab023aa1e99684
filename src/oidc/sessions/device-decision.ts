import { type AdapterPayload, errors } from 'oidc-provider'
import type { ModelWrite } from '../../storage/interactions/oidc-models.ts'
import type { UnitOfWork } from '../persistence/unit-of-work.ts'

/**
 * The error if two browsers have decided about the same device and this one was second (spec/provider#device-decision).
 */
export class DeviceAlreadyDecided extends errors.OIDCProviderError {
  constructor() {
    super(400, 'invalid_request')
    this.error_description = 'the code has already been used'
  }
}

/**
 * Stores the user's decision, which can be made only once. Confirming a page is not a decision: the sign-in that
 * follows may be abandoned, and then the code can be entered again. Whatever the error, the device learns only that
 * access was denied (RFC 8628 §3.5).
 */
export function decideDevice(
  work: Pick<UnitOfWork, 'decide'>,
  { payload, ...write }: Omit<ModelWrite, 'tenantId'>,
): void {
  const { inFlight: _inFlight, ...rest }: AdapterPayload = payload
  if (rest.accountId === undefined && rest.error === undefined) return
  const decision = rest.error === undefined ? rest : { ...rest, error: 'access_denied' }
  work.decide({ ...write, payload: decision }, { error: new DeviceAlreadyDecided() })
}
