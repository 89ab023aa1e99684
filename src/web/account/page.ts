import type { AccountView } from '../../../client/account/account-view.tsx'
import type { PhraseKey } from '../../../client/context/phrases.ts'
import type { AccountText } from '../../contract/account/account-catalogue.ts'
import type { AccountField } from '../../contract/account/account-fields.ts'
import type { PageContent } from './render.tsx'
import type { OpenSubmission } from './submission.ts'
import type { OpenVisit } from './visit.ts'

export type AccountPage = {
  /** What the page is about, where the tenant decides whether it is there and whether its forms are (spec/account-centre#fields). */
  field?: AccountField
  /** Changes how its user signs in: what is typed there would be lost on the way to a proof, which is asked for first. */
  needsFreshSignIn?: true
  show(visit: OpenVisit, view: PageView): Promise<PageContent>
  actions: Readonly<Record<string, FormAction>>
}

export type PageView = Pick<AccountView, 'typed' | 'fields'>

/** A form of a page, by the value of its button. It answers what the page says next, or an answer of its own. */
export type FormAction = (submission: OpenSubmission) => Promise<FormResult | Response>

/**
 * What the page says next, or that of `to`, a path of ours. A `page` is the answer itself: for what is shown once and stored nowhere
 * (spec/account-centre#backup-codes).
 */
export type FormResult = {
  message?: AccountText | PhraseKey
  values?: Record<string, string | number>
  to?: string
  /** `Set-Cookie` headers. */
  cookies?: readonly string[]
  page?: PageContent
}
