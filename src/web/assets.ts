import manifest from '../../build/manifest.json'

import type { PageStyles } from '../domain/experience/style-sheet.ts'

/** What the build made for the browser (`vite.config.ts`): addresses of files, and the styles themselves. */
export type Assets = {
  entry: string
  preload: readonly string[]
  /** What a page needs beyond that, by the name of its file (`client/app/routes.ts`). */
  pages: Readonly<Record<string, readonly string[]>>
  /** What the first call needs beyond that. */
  journeys: readonly string[]
  styles: PageStyles
  /** The whole sheet, for the pages that the browser shows without loading them. */
  stylesFile: string
  /** The scripts of those pages of the account centre that have one, with what they import. */
  account: Readonly<Record<'passkeys' | 'picture' | 'answer', readonly string[]>>
  demo?: { entry: string; css: string }
}

export const builtAssets: Assets = manifest
