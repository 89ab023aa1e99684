import { plainRoleName } from '../../src/domain/access/administration.ts'
import { failFinding, okFinding, type Report, type ReportFinding, warnFinding } from './findings.ts'

/** Checks of what end users and administrators sign in with. */

/** Explains the rules, because the two standards for them contradict each other (ADR-0168). */
export function passwords({ passwords: { rules, checksBreaches } }: Report): ReportFinding {
  const check = 'passwords'
  const breaches = checksBreaches ? 'breached ones are rejected' : "breached ones aren't looked up"
  return rules === 'Length'
    ? okFinding(
        check,
        `new ones have at least 8 characters of any kind, as NIST SP 800-63B advises; ${breaches}`,
      )
    : okFinding(
        check,
        `new ones have at least 8 characters of two types (letters, digits, punctuation); ${breaches}`,
        'NIST SP 800-63B advises against requiring types of characters. To require only the length, set settings.passwordPolicy.rules to Length.',
      )
}

/**
 * The number of labels that every browser supports. Some browsers support no more than this (WebAuthn Level 3
 * §5.11.1).
 */
const MAX_LABELS = 5

/** Only reports problems, because passkeys are optional. */
export function passkeys({ passkeys: { relatedLabels } }: Report): ReportFinding[] {
  return relatedLabels > MAX_LABELS
    ? [
        warnFinding(
          'passkeys',
          `the hosts of the tenant are below ${relatedLabels} different domain names, but browsers accept passkeys for only ${MAX_LABELS}`,
          'Use hosts below fewer domains for the tenant in HOSTS, and deploy.',
        ),
      ]
    : []
}

export function secondFactor({ secondFactor }: Report): ReportFinding[] {
  const { policy, added, factors, unavailable, isPlaceKnown, sendsCodes } = secondFactor
  const policies = [policy, ...added]
  const warn = (says: string, todo: string) => [warnFinding('second factor', says, todo)]
  if (policies.every((each) => each === 'off')) return []
  if (policies.includes('adaptive') && !isPlaceKnown)
    return warn(
      "adaptive, but requests don't contain their country, so every sign-in after the first is unusual",
      'Route users to the Worker through Cloudflare, or choose another settings.secondFactor.policy.',
    )
  if (policies.includes('adaptive') && !sendsCodes)
    return warn(
      "adaptive, but we can't send codes, so we reject unusual sign-ins of users without a factor",
      'Install an email or SMS connector.',
    )
  if (policies.includes('required') && !factors.includes('totp'))
    return warn(
      `required, but users without ${factors.join(', ')} can't set up a factor that counts`,
      'Add totp to settings.secondFactor.factors.',
    )
  const advice = unavailable.map((factor) => adviceOnUnavailable[factor]).join(' ')
  const usable = factors.filter((factor) => !unavailable.includes(factor))
  if (usable.length === 0) return warn(`nobody can use ${unavailable.join(', ')}`, advice)
  return unavailable.length > 0
    ? [okFinding('second factor', `users can use ${usable.join(', ')}`, advice)]
    : []
}

/** The advice about a factor that users may choose but nobody can use. */
const adviceOnUnavailable: Record<Report['secondFactor']['factors'][number], string> = {
  totp: 'Untick authenticator apps under Settings > Security.',
  passkey:
    'Passkeys are switched off, so nobody can use one as a second factor. Turn passkeys on, or untick them under Settings > Security.',
  email:
    'There is no email connector, so nobody can use a code by email as a second factor. Install one, or untick these codes under Settings > Security.',
  phone:
    'There is no text message connector, so nobody can use a code by text message as a second factor. Install one, or untick these codes under Settings > Security.',
}

export function administrators({
  secondFactor: { uncoveredAdministratorRoles: roles },
}: Report): ReportFinding {
  const check = 'administrators'
  return roles.length === 0
    ? okFinding(check, 'all need a second factor')
    : warnFinding(
        check,
        `users with these roles can sign in without a second factor: ${roles.map(plainRoleName).join(', ')}`,
        'Set settings.administratorsNeedSecondFactor to true, or turn it on in the console under Roles and APIs > Administrators.',
      )
}

export function signIn({ signIn: { hasWayIn, problem } }: Report): ReportFinding {
  if (!hasWayIn)
    return failFinding(
      'sign-in',
      "users can't sign in, because no sign-in method has a factor that works",
      'Install a connector, or allow passwords in the experience.',
    )
  return problem
    ? warnFinding(
        'sign-in',
        `the experience breaks the rule ${problem}, for example because a connector was deleted`,
        'Change the experience, or install the missing connector.',
      )
    : okFinding('sign-in', 'users can sign in')
}
