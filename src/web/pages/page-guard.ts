import { choosePage } from '../../../client/app/page-choice.ts'
import { ORGANIZATION_PATH } from '../../contract/organisations/organizations.ts'
import { NEW_PASSKEY_PATH } from '../../contract/product.ts'
import { RETURNING_PATH } from '../../contract/sessions/remembered-accounts.ts'
import type { PageContext } from './page-context.ts'

/** The page guard's decision about a request. */
type GuardDecision =
  | { kind: 'enter' }
  | { kind: 'notFound' }
  /** The interaction has ended. It can be restarted, because its original request is known (spec/pages#start-again). */
  | { kind: 'startAgain' }
  /** There is no interaction (spec/pages#unknown-session). */
  | { kind: 'unknownSession' }
  | { kind: 'redirect'; to: string }

/** The pages that need an interaction (spec/pages#guard). */
const GUARDED = [
  '/sign-in',
  ORGANIZATION_PATH,
  '/second-factor',
  '/register',
  '/social/register',
  '/reset-password',
  '/forgot-password',
]

export const UNKNOWN_SESSION_PATH = '/unknown-session'
export const FIRST_PAGE_PATH = '/sign-in'

/** Decides whether a page may be shown, using only the URL, the sealed cookies and the settings (spec/pages#guard). */
export function guardPage({ url, interaction, experience, accounts = [] }: PageContext): GuardDecision {
  const { pathname, search, searchParams } = url
  const isGuarded = pathname === '/' || GUARDED.some((prefix) => pathname.startsWith(prefix))
  if (isGuarded && !searchParams.get('preview')) {
    if (!interaction) return { kind: 'unknownSession' }
    // The page between the sign-in and the application is shown even though the interaction has ended.
    const isOnwardPage = pathname === NEW_PASSKEY_PATH && interaction.navigation?.onward !== undefined
    if (interaction.isOver && !isOnwardPage) return { kind: 'startAgain' }
  }
  const isWelcome = pathname === RETURNING_PATH && !searchParams.get('preview')
  if (isWelcome && accounts.length === 0) return { kind: 'redirect', to: FIRST_PAGE_PATH + search }
  const path = pathname === '/' ? FIRST_PAGE_PATH : pathname
  const choice = choosePage(path, { experience, navigation: interaction?.navigation ?? null })
  switch (choice.kind) {
    case 'redirect':
      return { kind: 'redirect', to: choice.path + search }
    case 'notFound':
      return { kind: 'notFound' }
    case 'page':
    case 'navigationMissing':
      return path === pathname ? { kind: 'enter' } : { kind: 'redirect', to: path + search }
  }
}
