import type { ErrorBody } from '../errors.ts'
import type { Experience } from '../experience/experience.ts'
import type { ReturningAccount } from '../sessions/remembered-accounts.ts'
import type { MessageTone, NavigationState } from './interaction.ts'

/** The names of form fields that can have an error message. */
export type FieldName =
  | 'identifier'
  | 'password'
  | 'newPassword'
  | 'confirmPassword'
  | 'termsAgreement'
  /** The boxes of a code, which are one field. */
  | 'passcode'
  /** The code of a second factor. */
  | 'totpCode'
  | 'backupCode'

export type Phrases = { [key: string]: string | Phrases }

/** The name of a phrase: its key, without the category of a plural form. */
export type PhraseName<Key extends string> = Key extends `${infer Name}_one` ? Name : Key

/**
 * The result of a form that was submitted without JavaScript, as shown on its page (spec/pages#forms-without-script).
 */
export type PageNotice =
  | { kind: 'inline'; field: FieldName | null; message: string; tone?: MessageTone | undefined }
  /** `back` is the number of pages to go back, or the path of the page to go to. */
  | { kind: 'alert'; message: string; back: number | string; button?: string }
  /**
   * A question to the user. "Yes" submits a form with this `intent` to the page; "No" goes back `back` pages in the
   * history.
   */
  | { kind: 'confirm'; message: string; yes: string; intent: string; back: number; about?: 'terms' }

/**
 * The provider's logout pages (spec/pages#logout). The form is submitted to the provider library, together with its
 * `xsrf` value.
 */
export type Logout =
  | { stage: 'asking'; formAction: string; xsrf: string; needsQuestion: boolean }
  | { stage: 'done' }

/**
 * The data of the consent page, which asks whether a third-party application or a device may have access
 * (spec/pages#consent).
 */
export type ConsentQuestion = {
  application: {
    name: string
    logo: string | null
    /** The URLs of the application's own terms and privacy policy, if it has any. */
    termsUrl: string | null
    policyUrl: string | null
  }
  /**
   * The host of an unregistered client, and whether the response goes to a program on the user's own machine. Null for
   * a registered client.
   */
  unregistered: { host: string; isLocal: boolean } | null
  /**
   * True if the application registered itself, which means that no operator has vetted it
   * (spec/provider#client-registration).
   */
  isSelfRegistered: boolean
  /**
   * The code of the device that requests access, and where, with what and when it was requested, in words. Null for an
   * application in a browser or an app.
   */
  device: { code: string; origin: readonly string[] } | null
  /** The name of the organisation for which the application will act, or null if for none. */
  organization: string | null
  /** The destination of the authorization response: a host, or the URL scheme of an app. */
  destination: string
  account: {
    label: string
    avatar: string | null
    /**
     * The URL that repeats the request so that another user can sign in, or null if the URL is unknown or users cannot
     * switch accounts here.
     */
    switchUrl: string | null
  }
  /** The requested scopes that have not been granted yet or, if all of them have been granted, all requested scopes. */
  asked: ConsentScopes
  /** The scopes that have been granted before. Empty if the request adds no scopes. */
  granted: ConsentScopes
}

/** The data of the page that asks for which organisation the user acts (spec/organisations#page). */
export type OrganizationChoice = {
  /** The name of the application, or null if it has none here. */
  application: string | null
  account: ConsentQuestion['account']
  /** The user's organisations, the last used first. */
  organizations: readonly { id: string; name: string }[]
  lastUsedId: string | null
  /** True if the user may also act for no organisation. */
  allowsPersonal: boolean
}

/** The scopes and claims that the consent page lists. */
export type ConsentScopes = {
  /** The OpenID Connect scopes. */
  scopes: readonly string[]
  /** The claims that are requested by themselves, without their scopes. */
  claims: readonly string[]
  resources: readonly {
    indicator: string
    name: string
    scopes: readonly { name: string; description: string | null }[]
  }[]
}

export type OfferedLanguage = {
  tag: string
  name: string
  /** The language tag for browsers, if it differs from `tag`. */
  lang?: string
}

/** The origins whose messages may change the preview (spec/experience#preview-messages). */
export type Preview = { origins: readonly string[] }

/**
 * The data from which a page is rendered, on the server and again in the browser (spec/pages#boot-data). It is embedded
 * in the page.
 */
export type BootData = {
  /** The origin of the page: scheme, host and port. */
  origin: string
  path: string
  search: string
  language: string
  /** The `translation` part of the catalogue. */
  phrases: Phrases
  experience: Experience
  /** The id of the interaction, or null if the page belongs to none. */
  interaction: string | null
  navigation: NavigationState | null
  /**
   * The languages in the language picker, each under its own name. Empty if users cannot choose
   * (spec/experience#language-picker).
   */
  languages: readonly OfferedLanguage[]
  /** Set when previewing settings that have not been saved (spec/experience#preview). */
  preview: Preview | null
  /**
   * The upper-case ISO code of the country that the request came from. Set on pages with a phone field; empty if
   * unknown.
   */
  country?: string | undefined
  /** The platform for which the page is laid out, determined from the user agent (spec/pages#css-classes). */
  platform: 'web' | 'mobile'
  notice: PageNotice | null
  /**
   * The values of a rejected form that was submitted without JavaScript, with which the page fills in the form again.
   * Never contains a password.
   */
  values: Record<string, string>
  /** The URL at which an expired interaction can start again, if known (spec/pages#start-again). */
  restartUrl: string | null
  /** The URL of the account centre. Set only on final pages, and only if the tenant has an account centre. */
  accountUrl?: string | undefined
  /** The accounts that the browser remembers. Only their own page has them (spec/pages#returning). */
  accounts?: readonly ReturningAccount[] | undefined
  /**
   * Set if the user opens a page of an interaction that ended with a sign-in. `application` is the name of the
   * application, or null if it has none.
   */
  alreadySignedIn?: { application: string | null } | undefined
  /** The contents of the error page. `description` is the library's own English text, for bug reports. */
  error: (Pick<ErrorBody, 'code' | 'message'> & { description?: string | undefined }) | null
  /** Set only on the provider's logout pages. */
  logout: Logout | null
  /** Set only on the consent page for a third party. */
  consent: ConsentQuestion | null
  /** Set only on the page that asks for an organisation. */
  organizationChoice?: OrganizationChoice | undefined
  /**
   * The URL at which to continue after a form that was submitted without JavaScript. Set if the page must not redirect
   * to it (spec/pages#onward).
   */
  onward: string | null
}
