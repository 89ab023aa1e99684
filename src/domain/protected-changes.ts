import type { SignInExperience } from '../contract/experience.ts'
import type { TenantSettings } from '../contract/settings.ts'

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

/** The ways into an account, and what runs beside the fields of a password: styles read what is typed, HTML asks for it elsewhere. */
const protectedExperience: ReadonlySet<string> = new Set<keyof SignInExperience>([
  'signIn',
  'signUp',
  'signInMode',
  'socialSignInConnectorTargets',
  'customCss',
  'customContent',
])

export const isProtectedExperienceChange = (patch: object): boolean =>
  Object.keys(patch).some((name) => protectedExperience.has(name))

/** Of an application everything but what it is called: addresses and secrets decide who gets tokens, the rest what they are good for. */
const freeOfApplication = ['name', 'description']

export const isProtectedApplicationChange = (changes: object): boolean =>
  Object.keys(changes).some((name) => !freeOfApplication.includes(name))
