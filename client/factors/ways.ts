import { queryWithoutInteraction } from '../context/paths.ts'
import type { PhraseKey } from '../context/phrases.ts'

/**
 * The kinds of second factors that a user can present. The submit call lists the user's factors in the URL of the
 * second-factor pages (spec/pages#second-factor).
 */
export const factorOptions = ['passkey', 'totp', 'phone', 'email', 'backupCode'] as const
export type FactorOption = (typeof factorOptions)[number]

const pages: Record<FactorOption, { path: string; phrase: PhraseKey }> = {
  passkey: { path: '/second-factor/passkey', phrase: 'vestibule.factor_use_key' },
  totp: { path: '/second-factor/app', phrase: 'vestibule.factor_use_app' },
  phone: { path: '/second-factor/phone', phrase: 'vestibule.factor_use_phone' },
  email: { path: '/second-factor/email', phrase: 'vestibule.factor_use_email' },
  backupCode: { path: '/second-factor/backup-code', phrase: 'vestibule.factor_use_backup_code' },
}

type Here = { path: string; search: string }

/**
 * Returns the second factors listed in the query, best first. If the query has no list, returns an authenticator app
 * and backup codes.
 */
export function readFactorOptions(search: string): FactorOption[] {
  const names = new URLSearchParams(search).get('factors')?.split(',') ?? []
  const listedWays = factorOptions.filter((way) => names.includes(way))
  return listedWays.length > 0 ? listedWays : ['totp', 'backupCode']
}

/** Returns the second factor that a page asks for: the one named in its path, or else the best available one. */
export const currentFactorOption = ({ path, search }: Here): FactorOption =>
  factorOptions.find((way) => pages[way].path === path) ?? readFactorOptions(search)[0] ?? 'totp'

export const linkToFactorOption = (option: FactorOption, search: string) => ({
  to: pages[option].path + queryWithoutInteraction(search),
  phrase: pages[option].phrase,
})

/** Returns the number of backup codes left, or null if more than two are left. */
export function readBackupCodesLeft(search: string): number | null {
  const left = Number(new URLSearchParams(search).get('backupCodesLeft') ?? 'none')
  return Number.isInteger(left) && left > 0 ? left : null
}

/** Checks whether this sign-in is unusual for the account (spec/accounts#unusual-sign-in). */
export const isUnusualSignIn = (search: string): boolean => new URLSearchParams(search).has('unusual')
