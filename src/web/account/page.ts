import type { AccountView } from '../../../client/account/account-view.tsx'
import type { PhraseKey } from '../../../client/context/phrases.ts'
import type { AccountText } from '../../contract/account/account-catalogue.ts'
import type { AccountField } from '../../contract/account/account-fields.ts'
import type { PageContent } from './render.tsx'
import type { OpenSubmission } from './submission.ts'
import type { OpenVisit } from './visit.ts'

export type AccountPage = {
  /**
   * The field that the page is about, for which the tenant decides whether the page and its forms exist
   * (spec/account-centre#fields).
   */
  field?: AccountField
  /**
   * Whether the page changes how the user signs in. If so, the proof is requested before the page is shown; otherwise,
   * what the user had entered would be lost.
   */
  needsFreshSignIn?: true
  show(visit: OpenVisit, view: PageView): Promise<PageContent>
  actions: Readonly<Record<string, FormAction>>
}

export type PageView = Pick<AccountView, 'typed' | 'fields'>

/** The action of a form, selected by the value of its button. It returns what is shown next, or a complete response. */
export type FormAction = (submission: OpenSubmission) => Promise<FormResult | Response>

/**
 * The message that the next page shows, which is this page or the one at the path `to`. A `page` is rendered as the
 * response, for data that is shown once and never stored in plain text (spec/account-centre#backup-codes).
 */
export type FormResult = {
  message?: AccountText | PhraseKey
  values?: Record<string, string | number>
  to?: string
  /** `Set-Cookie` headers. */
  cookies?: readonly string[]
  page?: PageContent
}
