import type { ErrorBody } from '../errors.ts'
import type { Experience } from '../experience/experience.ts'
import type { NavigationState } from './interaction.ts'

export type Phrases = { [key: string]: string | Phrases }

/** The result of a form without JavaScript, which its page shows (spec/pages#forms-without-script). */
export type PageNotice =
  | { kind: 'inline'; field: string | null; message: string }
  | { kind: 'alert'; message: string; back: number; button?: string }
  /** "Yes" is a form that posts this intent to the page; "no" goes `back` pages back. */
  | { kind: 'confirm'; message: string; yes: string; intent: string; back: number; about?: 'terms' }

/** The provider's logout pages (spec/pages#logout). The library receives the form, with its `xsrf` value. */
export type Logout =
  | { stage: 'asking'; formAction: string; xsrf: string; needsQuestion: boolean }
  | { stage: 'done' }

/** The question of whether a third-party application may have access (spec/pages#consent). */
export type ConsentQuestion = {
  application: { name: string; logo: string | null }
  /** The host of an unregistered client, and whether the response goes to a program on the user's own machine. */
  unregistered: { host: string; isLocal: boolean } | null
  /**
   * Whether the application registered itself, so that no operator has checked it (spec/provider#client-registration).
   */
  isSelfRegistered: boolean
  /** The host, or the scheme of an app, to which the response goes. */
  destination: string
  account: {
    label: string
    avatar: string | null
    /** The address that repeats the request and asks who signs in; null if unknown, or if the user has no choice. */
    switchUrl: string | null
  }
  /** The scopes that the application does not have yet, or the whole request if it has them all. */
  asked: ConsentScopes
  /** The scopes that the application already has; empty if the request adds nothing. */
  granted: ConsentScopes
}

/** Scopes as the consent page shows them. */
export type ConsentScopes = {
  /** Scopes of OpenID Connect. */
  scopes: readonly string[]
  resources: readonly {
    indicator: string
    name: string
    scopes: readonly { name: string; description: string | null }[]
  }[]
}

export type OfferedLanguage = {
  tag: string
  name: string
  /** The language tag for browsers, if it differs. */
  lang?: string
}

/** The origins whose messages may change the preview (spec/experience#preview-messages). */
export type Preview = { origins: readonly string[] }

/**
 * Everything a page is rendered from, on the server and again in the browser (spec/pages#boot-data). It is embedded in
 * the page.
 */
export type BootData = {
  /** Scheme, host and port. */
  origin: string
  path: string
  search: string
  language: string
  /** The `translation` part of the catalogue. */
  phrases: Phrases
  experience: Experience
  /** The id of the interaction, or null without one. */
  interaction: string | null
  navigation: NavigationState | null
  /**
   * The languages to choose from, each under its own name; empty if there is no choice
   * (spec/experience#language-picker).
   */
  languages: readonly OfferedLanguage[]
  /** Set for a preview of settings that are not in force (spec/experience#preview). */
  preview: Preview | null
  /**
   * The upper-case ISO code of the country that the request came from, on pages with a phone field; empty if unknown.
   */
  country?: string | undefined
  /** The layout of the page, chosen by user agent (spec/pages#css-classes). */
  platform: 'web' | 'mobile'
  notice: PageNotice | null
  /** The values of a rejected form without JavaScript, to fill the form again. Never contains a password. */
  values: Record<string, string>
  /** The address at which an expired interaction can start again, if known (spec/pages#start-again). */
  restartUrl: string | null
  /** The contents of the error page. `description` is the library's own text in English, for bug reports. */
  error: (Pick<ErrorBody, 'code' | 'message'> & { description?: string | undefined }) | null
  /** Set only on the provider's logout pages. */
  logout: Logout | null
  /** Set only on the consent page for a third party. */
  consent: ConsentQuestion | null
  /** Where to continue after a form without JavaScript, if a redirect must not lead there (spec/pages#onward). */
  onward: string | null
}
