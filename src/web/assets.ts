import manifest from '../../build/manifest.json'

/** What the build made for the browser (`vite.config.ts`): addresses of modules, and the styles themselves. */
export type Assets = {
  entry: string
  preload: readonly string[]
  /** What a screen needs beyond that, by its name (`client/app/page-modules.tsx`). */
  pages: Readonly<Record<string, readonly string[]>>
  css: string
  demo?: { entry: string; css: string }
}

export const assets: Assets = manifest
