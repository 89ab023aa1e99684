import type { SignInExperience } from '../../contract/experience/experience.ts'
import type { TenantSettings } from '../../contract/tenants/settings.ts'

/** Which changes need more than the scope of their call: a recent sign-in of the operator (spec/management#operator-proof), or an owner. */

/**
 * What a change of a setting needs beside `settings:write` (spec/management#settings-authority). `owner`: the scope `all` and a
 * recent sign-in, because the setting protects the sign-ins of owners, or could lead them to another site. `recentSignIn`: it
 * opens a way in for others. `scope`: nothing more.
 */
const needsOfSettings = {
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

export const isOwnersSetting = (name: keyof TenantSettings): boolean => needsOfSettings[name] === 'owner'

/** The strictest of what the settings in the patch need. */
export function needOfSettings(patch: Partial<TenantSettings>): 'owner' | 'recentSignIn' | 'scope' {
  const needs = Object.keys(patch).map((name) => needsOfSettings[name as keyof TenantSettings])
  if (needs.includes('owner')) return 'owner'
  return needs.includes('recentSignIn') ? 'recentSignIn' : 'scope'
}

/**
 * Which fields of the experience need a recent sign-in: the ways into an account, and what runs beside the fields of a password.
 * Styles read what is typed, HTML asks for it elsewhere.
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

/** What may change without a recent sign-in; everything else of these entities decides who gets in, or what is given to whom. */
const freeFields = {
  /** Addresses and secrets decide who gets tokens, the rest what tokens are good for. */
  application: ['name', 'description'],
  /** New users get default roles by their name, and imports give roles by it. */
  role: ['description'],
  /** Scopes hold at the indicator, so another one moves them to another API; a longer lifetime keeps a stolen token valid. */
  resource: ['name'],
}

export const isProtectedChange = (entity: keyof typeof freeFields, changes: object): boolean =>
  Object.keys(changes).some((name) => !freeFields[entity].includes(name))
