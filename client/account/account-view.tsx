import { createContext, useContext } from 'react'
import type { AccountText, AccountTexts } from '../../src/contract/account/account-catalogue.ts'
import type { AccountField, AccountFields } from '../../src/contract/account/account-fields.ts'
import { useT } from '../context/boot.tsx'
import type { PhraseKey, Translate } from '../context/phrases.ts'

/** The data that every page of the account centre needs besides its own data and the boot data. No script reads it. */
export type AccountView = {
  texts: AccountTexts
  /** The user's name, or the username or e-mail address if there is none. */
  name: string | null
  isSignedIn: boolean
  /** A message that is shown once, after a change. */
  flash: { message: string; values: Readonly<Record<string, string | number>> } | null
  /** Why a form was rejected, or null if none was. */
  problem: { field: string | null; message: string } | null
  /** The values of a form that was rejected, or that had to wait until the user had signed in again. */
  typed: Readonly<Record<string, string>>
  timeZone: string | null
  /** What the tenant lets its users see and change. */
  fields: AccountFields
  /**
   * The application that linked to this page, the URL that leads back to it, and the query that carries the link from
   * page to page (spec/account-centre#linking); null without such an application.
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

/** Checks whether the tenant lets its users change a field. If not, its form is not rendered. */
export const useCanEdit = (field: AccountField): boolean => useView().fields[field] === 'edit'

/** Returns a function that adds the link's query to the path of another page of the same task. */
export function useContinueUrl() {
  const { link } = useView()
  return (path: string) => path + (link?.search ?? '')
}

/** Returns the translator for the texts of the account centre and of the sign-in pages. */
export const useTexts = (): Translate<AccountText | PhraseKey> => useT() as Translate<AccountText | PhraseKey>

/** Returns why a form was rejected, if this field was the reason. */
export function useProblem(field: string): string | undefined {
  const { problem } = useView()
  return problem?.field === field ? problem.message : undefined
}
