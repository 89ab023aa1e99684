import { choosePage } from '../../../client/app/page-choice.ts'
import { NEW_PASSKEY_PATH } from '../../contract/product.ts'
import type { PageContext } from './page-context.ts'

/** How a request for a page is answered. */
type GuardDecision =
  | { kind: 'enter' }
  | { kind: 'notFound' }
  /** The interaction is over, but the request it came from is known (spec/pages#start-again). */
  | { kind: 'startAgain' }
  /** There is no interaction (spec/pages#unknown-session). */
  | { kind: 'unknownSession' }
  | { kind: 'redirect'; to: string }

/** Pages that need an interaction (spec/pages#guard). */
const GUARDED = [
  '/sign-in',
  '/second-factor',
  '/register',
  '/social/register',
  '/reset-password',
  '/forgot-password',
]

export const UNKNOWN_SESSION = '/unknown-session'
export const FIRST_PAGE = '/sign-in'

/** Decides by the address, the sealed cookies and the settings alone (spec/pages#guard). */
export function guardPage({ url, interaction, experience }: PageContext): GuardDecision {
  const { pathname, search, searchParams } = url
  const isGuarded = pathname === '/' || GUARDED.some((prefix) => pathname.startsWith(prefix))
  if (isGuarded && !searchParams.get('preview')) {
    if (!interaction) return { kind: 'unknownSession' }
    // The page between a sign-in and the application is of an interaction that is over.
    const isOnItsWay = pathname === NEW_PASSKEY_PATH && interaction.navigation?.onward !== undefined
    if (interaction.isOver && !isOnItsWay) return { kind: 'startAgain' }
  }
  const path = pathname === '/' ? FIRST_PAGE : pathname
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
