import type { z } from 'zod'
import type { FactorsSchema } from '../../../src/contract/factors/factors.schema.ts'
import type { TenantSettings } from '../../../src/contract/tenants/settings.ts'

/**
 * Checks whether an administrator with these factors has one that the switch for administrators accepts: an
 * authenticator app, or a passkey if the tenant accepts passkeys. Codes that are sent to an address do not count
 * (spec/accounts#administrators-policy).
 */
export const hasAcceptedFactor = (
  { totp, passkeys }: Pick<z.infer<typeof FactorsSchema>, 'totp' | 'passkeys'>,
  settings: {
    secondFactor: Pick<TenantSettings['secondFactor'], 'factors'>
    passkeys: Pick<TenantSettings['passkeys'], 'enabled'>
  },
): boolean =>
  totp !== null ||
  (passkeys > 0 && settings.passkeys.enabled && settings.secondFactor.factors.includes('passkey'))
