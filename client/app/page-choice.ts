import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'
import type { PageRow } from './page-row.ts'
import { findPage } from './routes.ts'

/** The name of the file in `pages/` for content that replaces a page, such as an error. */
export const ENDING = 'ending'

/**
 * Returns the page-table row of the page that a document shows, or null if the document shows an error or a sign-out
 * page instead.
 */
export function findPageToShow(boot: BootData): PageRow | null {
  if (boot.error || boot.logout || boot.alreadySignedIn) return null
  const choice = choosePage(boot.path, boot)
  return choice.kind === 'page' ? choice.row : null
}

type PageChoice =
  | { kind: 'page'; row: PageRow }
  | { kind: 'redirect'; path: string }
  | { kind: 'navigationMissing' }
  | { kind: 'notFound' }

/**
 * Decides which page to show at a path, based on the settings and the navigation state. The server responds with 302,
 * 200 or 404 accordingly.
 */
export function choosePage(
  path: string,
  { experience, navigation }: Pick<BootData, 'experience' | 'navigation'>,
): PageChoice {
  const row = findPage(path)
  if (!row || row.isOffered?.(experience) === false) return { kind: 'notFound' }

  const redirect = row.redirectTo?.(experience)
  if (redirect) return { kind: 'redirect', path: redirect }
  if (row.needs !== 'navigation') return { kind: 'page', row }
  if (!navigation?.identifier) return { kind: 'navigationMissing' }
  return row.allowsIdentifier?.(navigation.identifier, experience) === false
    ? { kind: 'notFound' }
    : { kind: 'page', row }
}

/**
 * Returns the path that is `steps` pages before this one in the page table, for a browser whose history lacks
 * that page. Returns null if the table has fewer.
 */
export function findPreviousPath(
  path: string,
  steps: number,
  navigation: NavigationState | null = null,
): string | null {
  const row = findPage(path)
  const back = typeof row?.back === 'function' ? row.back(navigation) : row?.back
  return back && steps > 1 ? findPreviousPath(back, steps - 1, navigation) : (back ?? null)
}
