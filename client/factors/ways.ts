import type { AddressFactor } from '../../src/contract/interactions/interaction.ts'
import { queryWithoutInteraction } from '../context/paths.ts'
import type { PhraseKey } from '../context/phrases.ts'

/**
 * The kinds of second factors that a user can present. The submit call lists the user's factors in the URL of the
 * second-factor pages (spec/pages#second-factor).
 */
export const factorOptions = ['passkey', 'totp', 'phone', 'email', 'backupCode'] as const
export type FactorOption = (typeof factorOptions)[number]

const paths: Record<FactorOption, string> = {
  passkey: '/second-factor/passkey',
  totp: '/second-factor/app',
  phone: '/second-factor/phone',
  email: '/second-factor/email',
  backupCode: '/second-factor/backup-code',
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
  factorOptions.find((way) => paths[way] === path) ?? readFactorOptions(search)[0] ?? 'totp'

export const linkToFactorOption = (option: FactorOption, search: string): string =>
  paths[option] + queryWithoutInteraction(search)

export const isAddressFactor = (option: string | undefined): option is AddressFactor =>
  option === 'phone' || option === 'email'

/**
 * The phrases about a code that is sent to an address. Each of them names the masked address except `anywhere`, for
 * pages that no longer know it.
 */
export const codePhrases = {
  phone: {
    send: 'vestibule.factor_text_target',
    lead: 'vestibule.factor_text_lead',
    sent: 'vestibule.factor_text_sent',
    anywhere: 'vestibule.factor_use_phone',
  },
  email: {
    send: 'vestibule.factor_email_target',
    lead: 'vestibule.factor_email_lead',
    sent: 'vestibule.factor_email_sent',
    anywhere: 'vestibule.factor_use_email',
  },
} as const satisfies Record<AddressFactor, Record<string, PhraseKey>>

/** Returns the number of backup codes left, or null if more than two are left. */
export function readBackupCodesLeft(search: string): number | null {
  const left = Number(new URLSearchParams(search).get('backupCodesLeft') ?? 'none')
  return Number.isInteger(left) && left > 0 ? left : null
}

/** Checks whether this sign-in is unusual for the account (spec/accounts#unusual-sign-in). */
export const isUnusualSignIn = (search: string): boolean => new URLSearchParams(search).has('unusual')
