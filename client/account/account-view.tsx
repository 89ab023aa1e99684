import { createContext, useContext } from 'react'
import type { AccountText, AccountTexts } from '../../src/contract/account/account-catalogue.ts'
import type { AccountField, AccountFields } from '../../src/contract/account/account-fields.ts'
import { useT } from '../context/boot.tsx'
import type { PhraseKey, Translate } from '../context/phrases.ts'

/** What a page of the account centre is drawn from, beside its own data and the boot data. No script reads it. */
export type AccountView = {
  texts: AccountTexts
  /** Of the user: a name, or what there is in place of one. */
  name: string | null
  isSignedIn: boolean
  /** Said once, after a change. */
  flash: { message: string; values: Readonly<Record<string, string | number>> } | null
  /** Why a form was refused. */
  problem: { field: string | null; message: string } | null
  /** What was typed into a form that was refused, or that waited for a fresh proof. */
  typed: Readonly<Record<string, string>>
  timeZone: string | null
  /** What the tenant leaves to its users. */
  fields: AccountFields
  /** The application that has linked to the page, and the way back to it; `search` is the query that keeps it (spec/account-centre#linking). */
  link: { application: string; back: string; search: string } | null
}

const View = createContext<AccountView | null>(null)
export const ViewProvider = View.Provider

export function useView(): AccountView {
  const view = useContext(View)
  if (!view) throw new Error('rendered outside of <AccountDocument>')
  return view
}

/** Whether the tenant leaves it to its users; the form is not drawn elsewhere. */
export const useMayChange = (field: AccountField): boolean => useView().fields[field] === 'edit'

/** To another page of the same task. */
export function useContinueUrl() {
  const { link } = useView()
  return (path: string) => path + (link?.search ?? '')
}

/** The texts of the account centre, beside those of the sign-in pages. */
export const useTexts = (): Translate<AccountText | PhraseKey> => useT() as Translate<AccountText | PhraseKey>

/** Why a form was refused, if it was because of this field. */
export function useProblem(field: string): string | undefined {
  const { problem } = useView()
  return problem?.field === field ? problem.message : undefined
}
