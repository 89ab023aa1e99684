import type { IdentifierType } from '../interactions/identifiers.ts'

export const signInModes = ['SignIn', 'Register', 'SignInAndRegister'] as const
export type SignInMode = (typeof signInModes)[number]

/**
 * Determines when users have to agree to the terms explicitly instead of by continuing (spec/experience#terms-policy).
 */
export const agreeToTermsPolicies = ['Automatic', 'ManualRegistrationOnly', 'Manual'] as const
export type AgreeToTermsPolicy = (typeof agreeToTermsPolicies)[number]

export type SignInMethod = {
  identifier: IdentifierType
  password: boolean
  verificationCode: boolean
  isPasswordPrimary: boolean
}

export type SignUp = { identifiers: IdentifierType[]; password: boolean; verify: boolean }

/**
 * Matches the path of a file on this server, which can serve as a logo: one of the product's own files, or a picture of
 * the tenant's brand (spec/connectors#brand-pictures).
 */
export const ASSET_PATH_PATTERN = /^\/(?:assets\/brand\/)?[\w.-]+$/

export type ColorSettings = { primaryColor: string; isDarkModeEnabled: boolean; darkPrimaryColor: string }
export type Branding = {
  /**
   * The name of the service that users see in page titles, messages and texts for screen readers
   * (spec/experience#brand-name).
   */
  name?: string | undefined
  logoUrl?: string | undefined
  darkLogoUrl?: string | undefined
  favicon?: string | undefined
}
/** The layout of the page around the form (spec/experience#layouts). */
export type PageLayout =
  | { type: 'Card' }
  | { type: 'Split'; pictureUrl?: string | undefined }
  | { type: 'Plain' }
export type LanguageInfo = { autoDetect: boolean; fallbackLanguage: string }

/** The settings that an operator edits (spec/experience#fields). */
export type SignInExperience = {
  id: string
  color: ColorSettings
  branding: Branding
  layout: PageLayout
  languageInfo: LanguageInfo
  termsOfUseUrl: string | null
  privacyPolicyUrl: string | null
  /** The email address or URL at which users get help (spec/experience#support-contact). */
  supportContact: string | null
  agreeToTermsPolicy: AgreeToTermsPolicy
  signIn: { methods: SignInMethod[] }
  signUp: SignUp
  socialSignInConnectorTargets: string[]
  signInMode: SignInMode
  customCss: string | null
  customContent: Record<string, string>
}

export type SocialConnector = {
  id: string
  target: string
  platform: 'Web' | 'Native' | 'Universal'
  name: Record<string, string>
  logo: string
  logoDark?: string | undefined
}

/**
 * The settings as the sign-in pages receive them. Some values are derived from the connectors (spec/experience#answer).
 */
export type Experience = Omit<SignInExperience, 'supportContact'> & {
  /** Absent if there is none, because every page contains these settings. */
  supportContact?: string | null | undefined
  socialConnectors: SocialConnector[]
  /**
   * Additional origins from which pages may load images, besides our own and those of the logos. Set only if custom CSS
   * could load images (spec/pages#csp).
   */
  imageOrigins?: readonly string[]
  /** The rules for a new password, or undefined if a password only has to mix character classes. */
  passwordRules?: 'Length'
  forgotPassword: { email: boolean; phone: boolean }
  /** Set if users may sign in with a passkey (spec/accounts#passkeys). */
  passkeys?: true | undefined
  /**
   * The number of days for which a browser may be remembered, or undefined for the default
   * (spec/accounts#remembered-browser).
   */
  rememberDays?: number
}

export const DEFAULT_PRIMARY_COLOR = '#6139F6' // spec/experience#defaults
export const DEFAULT_DARK_PRIMARY_COLOR = '#8768F8' // spec/experience#defaults

/** The experience of a new tenant (spec/experience#defaults). */
export const DEFAULT_EXPERIENCE: SignInExperience = {
  id: 'default',
  color: {
    primaryColor: DEFAULT_PRIMARY_COLOR,
    isDarkModeEnabled: false,
    darkPrimaryColor: DEFAULT_DARK_PRIMARY_COLOR,
  },
  branding: { logoUrl: '/logo.svg', darkLogoUrl: '/logo-dark.svg' },
  layout: { type: 'Card' },
  languageInfo: { autoDetect: true, fallbackLanguage: 'en' },
  termsOfUseUrl: null,
  privacyPolicyUrl: null,
  supportContact: null,
  agreeToTermsPolicy: 'ManualRegistrationOnly',
  signIn: {
    methods: [{ identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true }],
  },
  signUp: { identifiers: ['username'], password: true, verify: false },
  socialSignInConnectorTargets: [],
  signInMode: 'SignInAndRegister',
  customCss: null,
  customContent: {},
}
