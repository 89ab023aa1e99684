import type { ErrorBody } from './errors.ts'
import type { Experience } from './experience.ts'
import type { NavigationState } from './interaction.ts'

export type Phrases = { [key: string]: string | Phrases }

/** Reports what a form without JavaScript, or a page that failed, has to say (design 3). */
export type PageNotice =
  | { kind: 'inline'; field: string | null; message: string }
  | { kind: 'alert'; message: string; back: number; button?: string }
  /** Yes is a form that is posted to this page with this intent; no leads so many pages back. */
  | { kind: 'confirm'; message: string; yes: string; intent: string; back: number; about?: 'terms' }

/** The provider's logout pages (decision 27). The form goes back to the library with its `xsrf` value. */
export type Logout =
  | { stage: 'asking'; formAction: string; xsrf: string; needsQuestion: boolean }
  | { stage: 'done' }

export type OfferedLanguage = {
  tag: string
  name: string
  /** The tag as browsers know it, where that is another one. */
  lang?: string
}

/** Origins whose messages may change what the preview shows (decision 34). */
export type Preview = { origins: readonly string[] }

/** Everything a page needs to be drawn, on the server and again in the browser. Travels inside the page. */
export type BootData = {
  /** Scheme, host and port, for the signature link (product 1). */
  origin: string
  path: string
  search: string
  language: string
  /** The `translation` part of the catalogue. */
  phrases: Phrases
  experience: Experience
  /** The interaction this page belongs to, or null for a visitor who came with nothing. */
  interaction: string | null
  navigation: NavigationState | null
  /** What the visitor may switch to, each under its own name; empty where there is no choice (decision 33). */
  languages: readonly OfferedLanguage[]
  /** Set where an operator looks at settings that are not in force yet (product 2, Preview mode). */
  preview: Preview | null
  /** From the user agent: which of the two layouts the operator's CSS is told about (contract 10.1). */
  platform: 'web' | 'mobile'
  notice: PageNotice | null
  /** Values a form without JavaScript had, given back with its error. Never a password. */
  values: Record<string, string>
  /** Where an expired interaction can be begun again, if that is known (decision 6). */
  restartUrl: string | null
  /** What the error page shows. `description` is a library's, in English: for whoever has to report it. */
  error: (Pick<ErrorBody, 'code' | 'message'> & { description?: string | undefined }) | null
  /** Set on the provider's logout pages only. */
  logout: Logout | null
  /** Where a form without script has led that no redirect may follow (decision record 0043). */
  onward: string | null
}
