import manifest from '../../build/manifest.json'

/**
 * The output of the build for the browser (`vite.config.ts`): the addresses of files and the texts of the style sheets.
 */
export type Assets = {
  /** The files that every page needs. The first module is the entry. */
  entry: Files
  /** The additional files of a page, by the name of its source file (`client/app/routes.ts`). */
  pages: Readonly<Record<string, Files>>
  /** The additional files that the first call needs. */
  journeys: Files
  /** The scripts of those pages of the account centre that have one, with what they import. */
  account: Readonly<Record<'passkeys' | 'picture' | 'answer', readonly string[]>>
  demo?: Files
  /** The addresses of the sheets that settings add to a page (`src/web/pages/page-assets.ts`). */
  settings: Readonly<Record<SettingSheet, string>>
  /** The text of each sheet, by its address. */
  styles: Readonly<Record<string, string>>
}

type Files = { modules: readonly string[]; sheets: readonly string[] }

export type SettingSheet = keyof typeof manifest.settings

export const builtAssets: Assets = manifest
