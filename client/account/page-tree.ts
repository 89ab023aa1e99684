import type { AccountPhraseKey } from '../../src/contract/account/account-catalogue.ts'
import type { PhraseKey } from '../context/phrases.ts'

/** The pages whose parent does not follow from their path. */
const parents: Readonly<Record<string, string | undefined>> = {
  '/account/picture': '/account/profile',
  '/account/email': '/account/sign-in',
  '/account/phone': '/account/sign-in',
  '/account/password': '/account/sign-in',
  '/account/passkeys': '/account/sign-in',
  '/account/factors': '/account/sign-in',
  '/account/browsers': '/account/sign-in',
  '/account/identities': '/account/sign-in',
  '/account/not-me': '/account/activity',
}

/** The titles of the pages that have others below them. */
export const pageTitles: Readonly<Record<string, AccountPhraseKey | PhraseKey | undefined>> = {
  '/account': 'title',
  '/account/profile': 'profile',
  '/account/sign-in': 'sign_in',
  '/account/activity': 'activity',
  '/account/email': 'input.email',
  '/account/phone': 'input.phone_number',
  '/account/passkeys': 'passkeys',
  '/account/factors': 'factors',
  '/account/organizations': 'organizations',
}

/** Returns the path of the page above a page, or null for the overview (spec/account-centre#frame). */
export function parentOf(path: string): string | null {
  if (path === '/account') return null
  const parent = parents[path] ?? path.slice(0, path.lastIndexOf('/'))
  return parent.startsWith('/account/') ? parent : '/account'
}

/** Checks whether a page is somewhere below a section. Every page is below the overview, which is never marked. */
export function isBelow(path: string, section: string): boolean {
  const parent = parentOf(path)
  return parent !== null && section !== '/account' && (parent === section || isBelow(parent, section))
}
