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
   * Whether the page changes how its user signs in. The proof is then requested before the page is shown, because what
   * was entered would otherwise be lost.
   */
  needsFreshSignIn?: true
  show(visit: OpenVisit, view: PageView): Promise<PageContent>
  actions: Readonly<Record<string, FormAction>>
}

export type PageView = Pick<AccountView, 'typed' | 'fields'>

/**
 * A form of a page, selected by the value of its button. It returns what the page shows next, or a response of its own.
 */
export type FormAction = (submission: OpenSubmission) => Promise<FormResult | Response>

/**
 * The message that this page or the page at `to`, a path of ours, shows next. A `page` is itself the response, for what
 * is shown once and stored nowhere (spec/account-centre#backup-codes).
 */
export type FormResult = {
  message?: AccountText | PhraseKey
  values?: Record<string, string | number>
  to?: string
  /** `Set-Cookie` headers. */
  cookies?: readonly string[]
  page?: PageContent
}
