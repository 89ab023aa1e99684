/**
 * Assesses how well an account is protected and what its user should do next (spec/account-centre#protection).
 */
import { LOW_BACKUP_CODE_COUNT } from '../factors/backup-codes.ts'

type Address = 'none' | 'unverified' | 'verified'

export type ProtectionFacts = {
  email: Address
  phone: Address
  /** The number of passkeys that can sign in by themselves. */
  passkeys: number
  /** True if the user has an authenticator app for which sign-ins ask. */
  hasApp: boolean
  /** True if the user has a security key for which sign-ins ask. */
  hasKey: boolean
  backupCodes: number
}

/** The steps that the user may take, because the tenant offers them and lets users edit them. */
export type AllowedSteps = { email: boolean; phone: boolean; passkeys: boolean; app: boolean; codes: boolean }

export type ProtectionLevel = 'weak' | 'fair' | 'strong'
export type Protector = 'passkey' | 'twoStep' | 'backupCodes' | 'email' | 'phone'
export type NextStep =
  | 'verifyEmail'
  | 'verifyPhone'
  | 'addPasskey'
  | 'turnOnTwoStep'
  | 'renewCodes'
  | 'addEmail'
  | 'addPhone'

export type Protection = {
  level: ProtectionLevel
  protectors: readonly Protector[]
  nextSteps: readonly NextStep[]
}

/**
 * An account is strong if its user does not rely on a password alone and can get back in. It is fair if one of these is
 * true, or if the user can do nothing about it.
 */
export function assessProtection(facts: ProtectionFacts, allowed: AllowedSteps): Protection {
  const { email, phone, passkeys, hasApp, hasKey, backupCodes } = facts
  const twoStep = hasApp || hasKey
  const hasCodes = twoStep && backupCodes > LOW_BACKUP_CODE_COUNT
  const hasMoreThanPassword = passkeys > 0 || twoStep
  const isRecoverable = email === 'verified' || phone === 'verified' || hasCodes || passkeys > 1
  const lacksAddress = !isRecoverable && email === 'none' && phone === 'none'
  const nextSteps = keysOf({
    verifyEmail: email === 'unverified' && allowed.email,
    verifyPhone: phone === 'unverified' && allowed.phone,
    addPasskey: !hasMoreThanPassword && allowed.passkeys,
    turnOnTwoStep: !hasMoreThanPassword && allowed.app,
    renewCodes: hasApp && !hasCodes && allowed.codes,
    addEmail: lacksAddress && allowed.email,
    addPhone: lacksAddress && allowed.phone && !allowed.email,
  })
  const isFair = hasMoreThanPassword || isRecoverable || nextSteps.length === 0
  return {
    level: hasMoreThanPassword && isRecoverable ? 'strong' : isFair ? 'fair' : 'weak',
    protectors: keysOf({
      passkey: passkeys > 0,
      twoStep,
      backupCodes: hasCodes,
      email: email === 'verified',
      phone: phone === 'verified',
    }),
    nextSteps,
  }
}

const keysOf = <K extends string>(flags: Record<K, boolean>): K[] =>
  (Object.keys(flags) as K[]).filter((key) => flags[key])
