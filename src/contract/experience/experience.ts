import type { IdentifierType } from '../interactions/identifiers.ts'

export const signInModes = ['SignIn', 'Register', 'SignInAndRegister'] as const
export type SignInMode = (typeof signInModes)[number]

/** Where users agree to the terms by continuing, and where they are asked (spec/experience#terms-policy). */
export const agreeToTermsPolicies = ['Automatic', 'ManualRegistrationOnly', 'Manual'] as const
export type AgreeToTermsPolicy = (typeof agreeToTermsPolicies)[number]

export type SignInMethod = {
  identifier: IdentifierType
  password: boolean
  verificationCode: boolean
  isPasswordPrimary: boolean
}

export type SignUp = { identifiers: IdentifierType[]; password: boolean; verify: boolean }

/** The path of a file of this server, which can be a logo. */
export const OWN_FILE = /^\/[\w.-]+$/

export type Color = { primaryColor: string; isDarkModeEnabled: boolean; darkPrimaryColor: string }
export type Branding = {
  /** What users know the service by: for screen readers, titles and messages (spec/experience#brand-name). */
  name?: string | undefined
  logoUrl?: string | undefined
  darkLogoUrl?: string | undefined
  favicon?: string | undefined
}
/** What stands around the form (spec/experience#layouts). */
export type PageLayout =
  | { type: 'Card' }
  | { type: 'Split'; pictureUrl?: string | undefined }
  | { type: 'Plain' }
export type LanguageInfo = { autoDetect: boolean; fallbackLanguage: string }

/** The settings that an operator edits (spec/experience#fields). */
export type SignInExperience = {
  id: string
  color: Color
  branding: Branding
  layout: PageLayout
  languageInfo: LanguageInfo
  termsOfUseUrl: string | null
  privacyPolicyUrl: string | null
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

/** The settings as the sign-in pages receive them, with what follows from the connectors (spec/experience#answer). */
export type Experience = SignInExperience & {
  socialConnectors: SocialConnector[]
  /** Where pictures may come from beside our own origin and the logos: told where custom CSS could ask for any (spec/pages#csp). */
  imageOrigins?: readonly string[]
  /** Of a new password; absent where character classes are asked for. */
  passwordRules?: 'Length'
  forgotPassword: { email: boolean; phone: boolean }
  /** Set where users may sign in with a passkey (spec/accounts#passkeys). */
  passkeys?: true | undefined
  /** For how many days a browser may be remembered; absent for the default (spec/accounts#remembered-browser). */
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
