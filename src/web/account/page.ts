import type { AccountView } from '../../../client/account/account-view.tsx'
import type { PhraseKey } from '../../../client/context/phrases.ts'
import type { AccountPhraseKey } from '../../contract/account/account-catalogue.ts'
import type { AccountField } from '../../contract/account/account-fields.ts'
import type { PageContent } from './render.tsx'
import type { OpenSubmission } from './submission.ts'
import type { OpenVisit } from './visit.ts'

export type AccountPage = {
  /**
   * The account field on the page. The tenant's setting for this field determines whether the page and its forms exist
   * (spec/account-centre#fields).
   */
  field?: AccountField
  /**
   * True if the page changes how the user signs in. Such pages require a recent sign-in before they are shown, because
   * a sign-in afterwards would lose the user's input.
   */
  needsFreshSignIn?: true
  show(visit: OpenVisit, view: PageView): Promise<PageContent>
  actions: Readonly<Record<string, FormAction>>
}

export type PageView = Pick<AccountView, 'typed' | 'fields'>

/**
 * The action of a form. The value of the submit button selects the action. The action returns what to show next, or a
 * complete response.
 */
export type FormAction = (submission: OpenSubmission) => Promise<FormResult | Response>

/**
 * The result of a form: a message on this page or on the page with the path `to`. If `page` is set, it is rendered as
 * the response, for data that is shown once and never stored in plain text (spec/account-centre#backup-codes).
 */
export type FormResult = {
  message?: AccountPhraseKey | PhraseKey
  values?: Record<string, string | number>
  to?: string
  /** `Set-Cookie` headers. */
  cookies?: readonly string[]
  page?: PageContent
}
