import { defineConfig, type Rolldown } from 'vite'
import {
  collectImports,
  findEntry,
  getChunks,
  getFileUrls,
  serverManifest,
  viteBase,
} from '../scripts/vite-base.ts'

/**
 * The console has its own build (ADR-0127), so that the scripts of the sign-in pages contain none of its modules. Its
 * files are in `build/client/assets` as well, with names that contain a hash of their content.
 */
export default defineConfig({
  ...viteBase,
  publicDir: false,
  plugins: [
    ...viteBase.plugins,
    serverManifest('console-modules', (bundle) => ({ console: describe(bundle) })),
  ],
  build: {
    outDir: 'build/client',
    emptyOutDir: false,
    assetsDir: 'assets/console',
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { console: 'console/main.tsx' } },
  },
})

/**
 * Describes which files the document preloads (`src/web/pages/console-page.ts`): the entry and its imports, the files
 * that are loaded while the user is signed in, and the files that each area adds.
 */
function describe(bundle: Rolldown.OutputBundle) {
  const first = getFileUrls(collectImports(findEntry(bundle, 'console'), bundle))
  const [entry, ...preload] = first.modules
  const [styles] = first.sheets
  const late = getChunks(bundle).filter(({ isDynamicEntry }) => isDynamicEntry)
  const screens = late.find(({ name }) => name === 'screens')
  if (!styles || !screens) throw new Error('the build of the console made no styles or no screens')

  const loaded = new Set([...first.modules, ...first.sheets])
  const filesBeyond = (chunk: Rolldown.OutputChunk) => {
    const { modules, sheets } = getFileUrls(collectImports(chunk, bundle))
    return [...modules, ...sheets].filter((file) => !loaded.has(file))
  }
  const screenFiles = filesBeyond(screens)
  for (const file of screenFiles) loaded.add(file)
  const areas = late.filter((chunk) => chunk !== screens).map((chunk) => [chunk.name, filesBeyond(chunk)])
  return { entry, preload, screens: screenFiles, areas: Object.fromEntries(areas), styles }
}
