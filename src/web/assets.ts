import manifest from '../../build/manifest.json'

/** What the build made for the browser (`vite.config.ts`): addresses of modules, and the styles themselves. */
export type Assets = {
  entry: string
  preload: readonly string[]
  css: string
  demo?: { entry: string; css: string }
}

export const assets: Assets = manifest
