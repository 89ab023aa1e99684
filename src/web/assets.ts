import manifest from '../../build/manifest.json'

/** What the build made for the browser (`vite.config.ts`): addresses of files, and the texts of the style sheets. */
export type Assets = {
  /** What every page needs. The first module is the entry. */
  entry: Files
  /** What a page needs beyond that, by the name of its file (`client/app/routes.ts`). */
  pages: Readonly<Record<string, Files>>
  /** What the first call needs beyond that. */
  journeys: Files
  /** The scripts of those pages of the account centre that have one, with what they import. */
  account: Readonly<Record<'passkeys' | 'picture' | 'answer', readonly string[]>>
  demo?: Files
  /** The addresses of the sheets that settings bring into a page (`src/web/pages/page-assets.ts`). */
  settings: Readonly<Record<SettingSheet, string>>
  /** The text of each sheet, by its address. */
  styles: Readonly<Record<string, string>>
}

type Files = { modules: readonly string[]; sheets: readonly string[] }

export type SettingSheet = keyof typeof manifest.settings

export const builtAssets: Assets = manifest
