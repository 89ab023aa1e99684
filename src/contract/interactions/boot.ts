import type { ErrorBody } from '../errors.ts'
import type { Experience } from '../experience/experience.ts'
import type { NavigationState } from './interaction.ts'

export type Phrases = { [key: string]: string | Phrases }

/** The result of a form without script, which its page shows (spec/pages#forms-without-script). */
export type PageNotice =
  | { kind: 'inline'; field: string | null; message: string }
  | { kind: 'alert'; message: string; back: number; button?: string }
  /** Yes is a form that is posted to this page with this intent; no leads `back` pages back. */
  | { kind: 'confirm'; message: string; yes: string; intent: string; back: number; about?: 'terms' }

/** The provider's logout pages (spec/pages#logout). The form is posted to the library with its `xsrf` value. */
export type Logout =
  | { stage: 'asking'; formAction: string; xsrf: string; needsQuestion: boolean }
  | { stage: 'done' }

/** What a user decides about an application of a third party (spec/pages#consent). */
export type ConsentQuestion = {
  application: { name: string; logo: string | null }
  /** Where a client lives that nobody has registered, and whether the answer goes to a program on the machine of the user. */
  unregistered: { host: string; isLocal: boolean } | null
  /** No operator has checked it (spec/provider#client-registration). */
  isSelfRegistered: boolean
  /** The host, or the scheme of an app, that the answer goes to. */
  destination: string
  account: {
    label: string
    avatar: string | null
    /** Where the same request asks who signs in; null where that is not known, or not for the user to say. */
    switchUrl: string | null
  }
  /** What the application does not have yet; all of the request where it has that already. */
  asked: ConsentScopes
  /** What it has; empty where nothing is new. */
  granted: ConsentScopes
}

/** In the words of the page. */
export type ConsentScopes = {
  /** Of OpenID Connect. */
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
  /** The tag for browsers, where it differs. */
  lang?: string
}

/** Origins whose messages may change the preview (spec/experience#preview-messages). */
export type Preview = { origins: readonly string[] }

/** Everything a page is rendered from, on the server and again in the browser (spec/pages#boot-data). Part of the page. */
export type BootData = {
  /** Scheme, host and port. */
  origin: string
  path: string
  search: string
  language: string
  /** The `translation` part of the catalogue. */
  phrases: Phrases
  experience: Experience
  /** The interaction of this page; null without one. */
  interaction: string | null
  navigation: NavigationState | null
  /** The languages to choose from, each under its own name; empty without a choice (spec/experience#language-picker). */
  languages: readonly OfferedLanguage[]
  /** Set for a preview of settings that are not in force (spec/experience#preview). */
  preview: Preview | null
  /** Where a phone can be typed: the upper-case ISO code of the country that the request came from; empty where that is unknown. */
  country?: string | undefined
  /** Which of the two layouts the page has, by the user agent (spec/pages#css-classes). */
  platform: 'web' | 'mobile'
  notice: PageNotice | null
  /** The values of a refused form without script, which the page repeats. Never a password. */
  values: Record<string, string>
  /** Where an expired interaction can start again, if that is known (spec/pages#start-again). */
  restartUrl: string | null
  /** What the error page shows. `description` is that of a library, in English, for a report of the error. */
  error: (Pick<ErrorBody, 'code' | 'message'> & { description?: string | undefined }) | null
  /** Set on the provider's logout pages only. */
  logout: Logout | null
  /** Set on the consent page of a third party only. */
  consent: ConsentQuestion | null
  /** The address after a form without script that no redirect may follow (spec/pages#onward). */
  onward: string | null
}
