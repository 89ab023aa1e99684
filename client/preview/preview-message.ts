import {
  agreeToTermsPolicies,
  type Experience,
  type PageLayout,
  type SocialConnector,
  signInModes,
} from '../../src/contract/experience/experience.ts'
import type { Phrases } from '../../src/contract/interactions/boot.ts'
import { identifierTypes } from '../../src/contract/interactions/identifiers.ts'

/** The settings that the console wants to preview (spec/experience#preview-messages). */
export type PreviewConfig = {
  /** The settings that differ from the current ones. */
  signInExperience: Partial<Experience>
  language?: string | undefined
  /** The operator's custom phrases in this language, replacing the current ones. */
  phrases?: Phrases | undefined
  mode?: 'light' | 'dark' | undefined
  platform?: 'web' | 'mobile' | undefined
  isNative?: boolean | undefined
  /** If true, the preview shows an error instead of the page. */
  hasFailed?: boolean | undefined
}

/** Returns the settings in a preview message. Returns null for any other message, and for invalid settings. */
export function readPreviewMessage(data: unknown): PreviewConfig | null {
  return isMessage(data) ? data.config : null
}

// The schema is checked without a library, so that the browser's scripts stay small (spec/budgets#scripts).
type Check<T> = (value: unknown) => value is T

const text: Check<string> = (value) => typeof value === 'string'
const yesOrNo: Check<boolean> = (value) => typeof value === 'boolean'
const color: Check<string> = (value): value is string =>
  text(value) && /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(value)

const either =
  <T extends string>(...values: readonly T[]): Check<T> =>
  (value): value is T =>
    values.some((each) => each === value)

const maybe =
  <T>(check: Check<T>): Check<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || check(value)

const orNull =
  <T>(check: Check<T>): Check<T | null> =>
  (value): value is T | null =>
    value === null || check(value)

const list =
  <T>(check: Check<T>): Check<T[]> =>
  (value): value is T[] =>
    Array.isArray(value) && value.every(check)

const isObject: Check<Record<string, unknown>> = (value): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Checks the properties of an object and ignores any others. */
const record =
  <T extends object>(checks: { [Key in keyof T]-?: Check<T[Key]> }): Check<T> =>
  (value): value is T =>
    isObject(value) &&
    Object.entries<Check<unknown>>(checks).every(([key, check]) =>
      check(Object.hasOwn(value, key) ? value[key] : undefined),
    )

const texts: Check<Record<string, string>> = (value): value is Record<string, string> =>
  isObject(value) && Object.values(value).every(text)

/** The nesting depth of phrases that the API accepts (spec/experience#custom-phrases). */
const MAX_DEPTH = 32

const phrases =
  (depth: number): Check<Phrases> =>
  (value): value is Phrases =>
    depth > 0 &&
    isObject(value) &&
    Object.values(value).every((each) => text(each) || phrases(depth - 1)(each))

const method = record<Experience['signIn']['methods'][number]>({
  identifier: either(...identifierTypes),
  password: yesOrNo,
  verificationCode: yesOrNo,
  isPasswordPrimary: yesOrNo,
})

const connector = record<SocialConnector>({
  id: text,
  target: text,
  platform: either('Web', 'Native', 'Universal'),
  name: texts,
  logo: text,
  logoDark: maybe(text),
})

const layout: Check<PageLayout> = (value): value is PageLayout =>
  record<{ type: PageLayout['type'] }>({ type: either('Card', 'Split', 'Plain') })(value) &&
  (value.type !== 'Split' || record<{ pictureUrl?: string | undefined }>({ pictureUrl: maybe(text) })(value))

const experience = record<Partial<Experience>>({
  id: maybe(text),
  color: maybe(record({ primaryColor: color, isDarkModeEnabled: yesOrNo, darkPrimaryColor: color })),
  branding: maybe(
    record({ name: maybe(text), logoUrl: maybe(text), darkLogoUrl: maybe(text), favicon: maybe(text) }),
  ),
  layout: maybe(layout),
  languageInfo: maybe(record({ autoDetect: yesOrNo, fallbackLanguage: text })),
  termsOfUseUrl: maybe(orNull(text)),
  privacyPolicyUrl: maybe(orNull(text)),
  supportContact: maybe(orNull(text)),
  agreeToTermsPolicy: maybe(either(...agreeToTermsPolicies)),
  signIn: maybe(record({ methods: list(method) })),
  signUp: maybe(
    record({ identifiers: list(either(...identifierTypes)), password: yesOrNo, verify: yesOrNo }),
  ),
  socialSignInConnectorTargets: maybe(list(text)),
  signInMode: maybe(either(...signInModes)),
  customCss: maybe(orNull(text)),
  customContent: maybe(texts),
  socialConnectors: maybe(list(connector)),
  imageOrigins: maybe(list(text)),
  forgotPassword: maybe(record({ email: yesOrNo, phone: yesOrNo })),
  passwordRules: maybe(either('Length')),
  passkeys: maybe((value): value is true => value === true),
  rememberDays: maybe((value): value is number => typeof value === 'number'),
})

const isMessage = record<{ sender: 'vestibule_preview'; config: PreviewConfig }>({
  sender: either('vestibule_preview'),
  config: record<PreviewConfig>({
    signInExperience: experience,
    language: maybe(text),
    phrases: maybe(phrases(MAX_DEPTH)),
    mode: maybe(either('light', 'dark')),
    platform: maybe(either('web', 'mobile')),
    isNative: maybe(yesOrNo),
    hasFailed: maybe(yesOrNo),
  }),
})
