import type { AddedSecondFactorPolicy, SecondFactorKind } from '../../contract/tenants/settings.ts'
import type { InstalledConnectors } from '../../domain/experience/experience-settings.ts'
import type { SignInPlace } from '../../domain/factors/sign-in-place.ts'
import { originsOf, relatedLabels } from '../../domain/tenants/hosts.ts'
import type { Dependencies } from '../dependencies.ts'

type Facts = {
  origin: string
  place: SignInPlace
  codes: Pick<InstalledConnectors, 'email' | 'phone'>
  /** Of applications and roles. */
  added: readonly AddedSecondFactorPolicy[]
  hasBackupCodes: boolean
}

/** What the report of the server says of passkeys and second factors (spec/management#doctor). */
export async function factorReport(
  { settings, tenantSettings }: Pick<Dependencies, 'settings' | 'tenantSettings'>,
  tenantId: string,
  { origin, place, codes, added, hasBackupCodes }: Facts,
) {
  const { passkeys, secondFactor } = await tenantSettings.get(tenantId)
  const { policy, factors } = secondFactor
  const isAvailable: Record<SecondFactorKind, boolean> = {
    totp: true,
    passkey: passkeys.enabled,
    email: codes.email,
    phone: codes.phone,
  }
  const origins = originsOf(tenantId, new URL(origin), settings.hosting)
  return {
    passkeys: { relatedLabels: passkeys.enabled ? relatedLabels(origins) : 0 },
    secondFactor: {
      policy,
      added: [...added],
      factors,
      unavailable: factors.filter((factor) => !isAvailable[factor]),
      hasBackupCodes,
      sendsCodes: codes.email || codes.phone,
      isPlaceKnown: place.country !== null,
    },
  }
}
