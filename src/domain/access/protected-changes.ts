import type { SignInExperience } from '../../contract/experience/experience.ts'
import type { TenantSettings } from '../../contract/tenants/settings.ts'

/**
 * Changes that need more than the scope of their call: a recent sign-in of the operator, or an owner
 * (spec/management#operator-proof).
 */

/**
 * What a change of a setting requires besides `settings:write` (spec/management#settings-authority). `owner` is the
 * scope `all` and a recent sign-in, because the setting protects the owners' sign-ins or could lead owners to another
 * site. `recentSignIn` is for settings that open a way in for others. `scope` requires nothing more.
 */
const settingRequirements = {
  limits: 'owner',
  passwordPolicy: 'owner',
  passkeys: 'owner',
  secondFactor: 'owner',
  accountExistence: 'owner',
  previewOrigins: 'owner',
  imageOrigins: 'owner',
  sessionNotFoundRedirectUrl: 'owner',
  changePasswordUrl: 'owner',
  accountCentre: 'recentSignIn',
  allowPrivateTargets: 'recentSignIn',
  unregisteredClients: 'recentSignIn',
  clientRegistration: 'recentSignIn',
  smsCountries: 'scope',
  storageProvider: 'scope',
  demoSocial: 'scope',
} as const satisfies Record<keyof TenantSettings, 'owner' | 'recentSignIn' | 'scope'>

export const isOwnerSetting = (name: keyof TenantSettings): boolean => settingRequirements[name] === 'owner'

/** Returns the strictest requirement of the settings in a patch. */
export function settingsRequirement(patch: Partial<TenantSettings>): 'owner' | 'recentSignIn' | 'scope' {
  const requirements = Object.keys(patch).map((name) => settingRequirements[name as keyof TenantSettings])
  if (requirements.includes('owner')) return 'owner'
  return requirements.includes('recentSignIn') ? 'recentSignIn' : 'scope'
}

/**
 * The fields of the experience whose change needs a recent sign-in: the ways into an account, and whatever runs next to
 * a password field. CSS can read what users type, and HTML can ask for it elsewhere.
 */
const protectedExperience: Readonly<Record<keyof SignInExperience, boolean>> = {
  signIn: true,
  signUp: true,
  signInMode: true,
  socialSignInConnectorTargets: true,
  customCss: true,
  customContent: true,
  id: false,
  color: false,
  branding: false,
  layout: false,
  languageInfo: false,
  termsOfUseUrl: false,
  privacyPolicyUrl: false,
  agreeToTermsPolicy: false,
}

export const isProtectedExperienceChange = (patch: Partial<SignInExperience>): boolean =>
  Object.keys(patch).some((name) => protectedExperience[name as keyof SignInExperience])

/**
 * The fields that can change without a recent sign-in. All other fields of these entities decide who gets access and to
 * what.
 */
const freeFields = {
  /** Addresses and secrets decide who gets tokens, and the other fields what the tokens permit. */
  application: ['name', 'description'],
  /** The name matters, because default roles and imports refer to roles by name. */
  role: ['description'],
  /**
   * Scopes belong to the indicator, so another indicator moves them to another API; a longer lifetime keeps stolen
   * tokens valid.
   */
  resource: ['name'],
}

export const isProtectedChange = (entity: keyof typeof freeFields, changes: object): boolean =>
  Object.keys(changes).some((name) => !freeFields[entity].includes(name))
