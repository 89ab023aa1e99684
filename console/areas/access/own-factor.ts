import type { z } from 'zod'
import type { FactorsSchema } from '../../../src/contract/factors/factors.schema.ts'
import type { TenantSettings } from '../../../src/contract/tenants/settings.ts'

/**
 * Checks whether a user with these factors can meet a policy that requires one. Codes that are sent to an address need
 * no setup, so users count as having a factor if the tenant accepts such codes.
 */
export function hasAcceptedFactor(
  { totp, passkeys }: Pick<z.infer<typeof FactorsSchema>, 'totp' | 'passkeys'>,
  settings: {
    secondFactor: Pick<TenantSettings['secondFactor'], 'factors'>
    passkeys: Pick<TenantSettings['passkeys'], 'enabled'>
  },
): boolean {
  const isUsable = {
    totp: totp !== null,
    passkey: settings.passkeys.enabled && passkeys > 0,
    email: true,
    phone: true,
  }
  return settings.secondFactor.factors.some((kind) => isUsable[kind])
}
