import type { SignInExperience } from '../../contract/experience/experience.ts'
import type { TenantSettings } from '../../contract/tenants/settings.ts'

/**
 * Decides which changes require more than a scope: a recent sign-in by the operator, or an owner
 * (spec/management#operator-proof).
 */

/**
 * The requirement for changing each setting, in addition to `settings:write` (spec/management#settings-authority).
 * `owner` means the scope `all` and a recent sign-in. It protects settings that secure the owners' sign-ins or could
 * redirect owners to another site. `recentSignIn` protects settings that could give others access. `scope` means no
 * further requirement.
 */
const settingRequirements = {
  limits: 'owner',
  passwordPolicy: 'owner',
  passkeys: 'owner',
  secondFactor: 'owner',
  administratorsNeedSecondFactor: 'owner',
  accountExistence: 'owner',
  newSignInNotices: 'owner',
  previewOrigins: 'owner',
  imageOrigins: 'owner',
  sessionNotFoundRedirectUrl: 'owner',
  changePasswordUrl: 'owner',
  accountCentre: 'recentSignIn',
  allowPrivateTargets: 'recentSignIn',
  unregisteredClients: 'recentSignIn',
  clientRegistration: 'recentSignIn',
  organizations: 'recentSignIn',
  rememberAccounts: 'scope',
  smsCountries: 'scope',
  storageProvider: 'scope',
  demoSocial: 'scope',
} as const satisfies Record<keyof TenantSettings, 'owner' | 'recentSignIn' | 'scope'>

export const isOwnerSetting = (name: keyof TenantSettings): boolean => settingRequirements[name] === 'owner'

/** Returns the strictest requirement of the settings in a patch. */
export function getSettingsRequirement(patch: Partial<TenantSettings>): 'owner' | 'recentSignIn' | 'scope' {
  const requirements = Object.keys(patch).map((name) => settingRequirements[name as keyof TenantSettings])
  if (requirements.includes('owner')) return 'owner'
  return requirements.includes('recentSignIn') ? 'recentSignIn' : 'scope'
}

/**
 * For each field of the experience, tells whether a change requires a recent sign-in. Changing the sign-in methods
 * does, and so does changing custom content: on a page with a password field, custom CSS can read what users type, and
 * custom HTML can lure them to another site.
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
  supportContact: false,
  agreeToTermsPolicy: false,
}

export const isProtectedExperienceChange = (patch: Partial<SignInExperience>): boolean =>
  Object.keys(patch).some((name) => protectedExperience[name as keyof SignInExperience])

/**
 * The fields that can be changed without a recent sign-in. All other fields of these entities affect who gets access,
 * and to what.
 */
const unprotectedFields = {
  /**
   * The URLs and secrets of an application determine who gets tokens, and its other fields determine what the tokens
   * permit.
   */
  application: ['name', 'description'],
  /** A role's name is protected, because default roles and imports refer to roles by name. */
  role: ['description'],
  /**
   * Changing the indicator moves a resource's scopes to another API, and a longer token lifetime keeps stolen tokens
   * valid.
   */
  resource: ['name'],
  /** The policy decides how members have to sign in. */
  organization: ['name', 'description', 'customData', 'brand'],
  /** The permissions of a role decide what its members may do. */
  organizationRole: ['name', 'description'],
  /** A scope with another name gives its holders another permission. */
  organizationScope: ['description'],
}

/**
 * Reports whether a change of an application or a resource requires an owner: a template of claims can send the data of
 * all users, including owners, to an API, and APIs decide by its claims who may do what (ADR-0177).
 */
export const requiresOwner = ({ claims }: { claims?: object | null | undefined }): boolean =>
  claims !== undefined

export const isProtectedChange = (entity: keyof typeof unprotectedFields, changes: object): boolean =>
  Object.keys(changes).some((name) => !unprotectedFields[entity].includes(name))
