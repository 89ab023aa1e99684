import type { SignInExperience } from '../../contract/experience/experience.ts'
import type { InstalledConnectors } from '../experience/experience-settings.ts'

/**
 * Checks whether any user can sign in with these settings and connectors. Settings and connectors are changed
 * separately, so a series of changes that are each valid could lock all users out (spec/experience#lockout).
 */
export function allowsSignIn(
  {
    signInMode,
    signIn,
    signUp,
    socialSignInConnectorTargets,
  }: Pick<SignInExperience, 'signInMode' | 'signIn' | 'signUp' | 'socialSignInConnectorTargets'>,
  connectors: InstalledConnectors,
): boolean {
  if (socialSignInConnectorTargets.some((target) => connectors.targets.includes(target))) return true
  // A tenant that only allows registration passes the check, because registering also signs the user in.
  if (signInMode === 'Register')
    return signUp.identifiers.some((type) => type === 'username' || connectors[type])
  return signIn.methods.some(
    ({ identifier, password, verificationCode }) =>
      password || (verificationCode && identifier !== 'username' && connectors[identifier]),
  )
}
