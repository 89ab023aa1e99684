import manifest from '../../build/manifest.json'

/** The output of the client build (`vite.config.ts`): the paths of its files, and the contents of its style sheets. */
export type Assets = {
  /** The files that every page needs. The first module is the entry point. */
  entry: Files
  /** The additional files for each page, by the name of the page's source file (`client/app/routes.ts`). */
  pages: Readonly<Record<string, Files>>
  /** The additional files that are needed for a page's first API call. */
  journeys: Files
  /** The scripts of account-centre pages, with the modules that they import. Most pages have no script. */
  account: Readonly<Record<'passkeys' | 'picture' | 'answer' | 'code', readonly string[]>>
  demo?: Files
  /** The paths of the style sheets that certain settings add to a page (`src/web/pages/page-assets.ts`). */
  settings: Readonly<Record<SettingStyleSheet, string>>
  /** The contents of the style sheets, keyed by path. */
  styles: Readonly<Record<string, string>>
}

type Files = { modules: readonly string[]; sheets: readonly string[] }

export type SettingStyleSheet = keyof typeof manifest.settings

export const builtAssets: Assets = manifest
