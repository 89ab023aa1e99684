import type { SignInExperience } from '../../contract/experience/experience.ts'
import type { InstalledConnectors } from '../experience/experience-settings.ts'

/**
 * Whether any user can sign in with these settings and connectors. Each of the two may be changed without the other, so
 * that a tenant can lock all users out in steps of which each is valid (spec/experience#lockout).
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
  // A registration signs the user in.
  if (signInMode === 'Register')
    return signUp.identifiers.some((type) => type === 'username' || connectors[type])
  return signIn.methods.some(
    ({ identifier, password, verificationCode }) =>
      password || (verificationCode && identifier !== 'username' && connectors[identifier]),
  )
}
