import type { SignInExperience } from '../contract/experience.ts'
import type { TenantSettings } from '../contract/settings.ts'

/** Changes that could let somebody else in: operators sign in before them (spec/management#operator-proof). */

/** They weaken a sign-in, let unknown clients ask users, lead users elsewhere, or open the own network. */
const protectedSettings: ReadonlySet<string> = new Set<keyof TenantSettings>([
  'limits',
  'passkeys',
  'secondFactor',
  'allowPrivateTargets',
  'unregisteredClients',
  'clientRegistration',
  'sessionNotFoundRedirectUrl',
  'changePasswordUrl',
])

export const isProtectedSettingsChange = (patch: Partial<TenantSettings>): boolean =>
  Object.keys(patch).some((name) => protectedSettings.has(name))

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
