import { choosePage } from '../../client/routes.ts'
import type { Dependencies } from '../application/dependencies.ts'
import type { PageContext } from './page-context.ts'

/** What to do with a visitor who asks for a page. */
export type GuardDecision =
  | { kind: 'enter' }
  | { kind: 'notFound' }
  /** The interaction is over, but what it began with is known (decision 6). */
  | { kind: 'beginAgain' }
  /** They came with nothing (decision 6). */
  | { kind: 'unknownSession' }
  | { kind: 'redirect'; to: string }

/** Pages that make no sense outside an interaction (contract 4.8). */
const GUARDED = ['/sign-in', '/register', '/social/register', '/reset-password', '/forgot-password']

const UNKNOWN_SESSION = '/unknown-session'
export const FIRST_PAGE = '/sign-in'

/** Decides by the address, the sealed cookies and the settings alone (decision 5). */
export function guardPage({ url, interaction, experience }: PageContext): GuardDecision {
  const { pathname, search, searchParams } = url
  const isGuarded = pathname === '/' || GUARDED.some((prefix) => pathname.startsWith(prefix))
  if (isGuarded && !searchParams.get('preview')) {
    if (!interaction) return { kind: 'unknownSession' }
    if (interaction.isOver) return { kind: 'beginAgain' }
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

/** Where visitors who came with nothing are sent: where the operator wants them, else to our own page that says so (contract 4.8). */
export async function unknownSessionUrl(
  { tenantSettings }: Pick<Dependencies, 'tenantSettings'>,
  tenantId: string,
): Promise<string> {
  return (await tenantSettings.get(tenantId)).sessionNotFoundRedirectUrl ?? UNKNOWN_SESSION
}
