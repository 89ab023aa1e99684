import { createContext, useContext } from 'react'
import type { AccountPhraseKey, AccountPhrases } from '../../src/contract/account/account-catalogue.ts'
import type { AccountField, AccountFieldPolicies } from '../../src/contract/account/account-fields.ts'
import { useT } from '../context/boot.tsx'
import type { PhraseKey, Translate } from '../context/phrases.ts'

/**
 * The data that every account-centre page needs, besides its own data and the boot data. It is rendered into the
 * page but not sent to the page's script.
 */
export type AccountView = {
  texts: AccountPhrases
  /** The user's name, or else their username or email address. */
  name: string | null
  /** The name of what the page is about, such as an organisation, or null. */
  about: string | null
  isSignedIn: boolean
  /** True if the account centre has a section for organisations (spec/organisations#account-centre). */
  hasOrganizations: boolean
  /** True if the user is taking the steps after unknown activity (spec/account-centre#this-wasnt-me). */
  hasSteps: boolean
  /** A message that is shown once after a change. */
  flash: { message: string; values: Readonly<Record<string, string | number>> } | null
  /** The reason why the form was rejected, or null if it was not. */
  problem: { field: string | null; message: string } | null
  /**
   * The submitted values of a form that was rejected, or that could only be processed after the user signed in
   * again.
   */
  typed: Readonly<Record<string, string>>
  /** The time at which the page is rendered, in epoch milliseconds. */
  now: number
  /** The time zone that the user has chosen, or else that of the user's network. Null if both are unknown. */
  timeZone: string | null
  /** The access level of each field: what the tenant lets its users see and change. */
  fields: AccountFieldPolicies
  /**
   * The application that linked to this page, with its return URL and the query that preserves the link across pages
   * (spec/account-centre#linking), or null if the user did not come from an application.
   */
  link: { application: string; back: string; search: string } | null
}

const View = createContext<AccountView | null>(null)
export const ViewProvider = View.Provider

export function useView(): AccountView {
  const view = useContext(View)
  if (!view) throw new Error('rendered outside of <AccountDocument>')
  return view
}

/** Checks whether the tenant lets its users change a field. If not, the field's form is not rendered. */
export const useCanEdit = (field: AccountField): boolean => useView().fields[field] === 'edit'

/** Returns a function that adds the application link's query to the path of another account-centre page. */
export function useLinkWithQuery() {
  const { link } = useView()
  return (path: string) => path + (link?.search ?? '')
}

/** Returns the translator for the phrases of the account centre and the sign-in pages. */
export const useTexts = (): Translate<AccountPhraseKey | PhraseKey> =>
  useT() as Translate<AccountPhraseKey | PhraseKey>

/** Returns the reason why a form was rejected if it concerns this field. */
export function useProblem(field: string): string | undefined {
  const { problem } = useView()
  return problem?.field === field ? problem.message : undefined
}
