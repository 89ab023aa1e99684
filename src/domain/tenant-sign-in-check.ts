import type { SignInExperience } from '../contract/experience.ts'
import type { InstalledConnectors } from './experience-settings.ts'

/**
 * Whether these settings, with these connectors, let anybody in at all. Each of the two may be changed without the
 * other, so that a tenant can lock everybody out step by step without one step being wrong (contract 8.3).
 */
export function hasWayIn(
  {
    signInMode,
    signIn,
    signUp,
    socialSignInConnectorTargets,
  }: Pick<SignInExperience, 'signInMode' | 'signIn' | 'signUp' | 'socialSignInConnectorTargets'>,
  connectors: InstalledConnectors,
): boolean {
  if (socialSignInConnectorTargets.some((target) => connectors.targets.includes(target))) return true
  // Who registers is signed in; where nothing else is offered, that is the way.
  if (signInMode === 'Register')
    return signUp.identifiers.some((type) => type === 'username' || connectors[type])
  return signIn.methods.some(
    ({ identifier, password, verificationCode }) =>
      password || (verificationCode && identifier !== 'username' && connectors[identifier]),
  )
}
