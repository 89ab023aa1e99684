import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import type { Plugin, Rolldown, UserConfig } from 'vite'

/**
 * The common configuration of the builds of the sign-in pages (`vite.config.ts`) and the console
 * (`console/vite.config.ts`).
 */

// Test runs also build the production version that users receive.
process.env.NODE_ENV = 'production'

const root = path.resolve(import.meta.dirname, '..')

export const viteBase = {
  root,
  plugins: [react()],
  resolve: {
    // wouter depends on a shim for a hook that React 17 lacks.
    alias: { 'use-sync-external-store/shim/index.js': 'react', 'use-sync-external-store/shim': 'react' },
  },
} satisfies UserConfig

type Bundle = Rolldown.OutputBundle
type Chunk = Rolldown.OutputChunk

/**
 * Writes each property that `describe` returns to a file in `build` for the server, and the modules of each script to
 * `build/<modules>.json` for the tests of the build.
 */
export function serverManifest(
  modules: string,
  describe: (bundle: Bundle) => Record<string, unknown>,
): Plugin {
  return {
    name: 'server-manifest',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const contents = getChunks(bundle).map(({ fileName, moduleIds }) => [
          urlOf(fileName),
          [...new Set(moduleIds.map(moduleName))],
        ])
        const files = { ...describe(bundle), [modules]: Object.fromEntries(contents) }
        await mkdir('build', { recursive: true })
        for (const [name, value] of Object.entries(files))
          await writeFile(`build/${name}.json`, JSON.stringify(value))
      },
    },
  }
}

const urlOf = (fileName: string) => `/${fileName}`

export const getChunks = (bundle: Bundle): Chunk[] =>
  Object.values(bundle).filter((file) => file.type === 'chunk')

export function findEntry(bundle: Bundle, name: string): Chunk {
  const entry = getChunks(bundle).find((chunk) => chunk.isEntry && chunk.name === name)
  if (!entry) throw new Error(`the build has no entry ${name}`)
  return entry
}

/** Returns a chunk and all chunks that it imports, directly or indirectly. */
export function collectImports<File extends { imports: string[] }>(
  chunk: File,
  files: Record<string, File | Rolldown.OutputAsset>,
): File[] {
  const reached = new Set([chunk])
  for (const { imports } of reached)
    for (const name of imports) {
      const file = files[name]
      if (file && 'imports' in file) reached.add(file)
    }
  return [...reached]
}

/** Returns the URLs of chunks and of their style sheets, beginning with the style sheets of imported chunks. */
export function getFileUrls(chunks: readonly Chunk[]): { modules: string[]; sheets: string[] } {
  const sheets = chunks.toReversed().flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
  return {
    modules: chunks.map(({ fileName }) => urlOf(fileName)),
    sheets: [...new Set(sheets.map(urlOf))],
  }
}

/** Returns the style sheets with the names of their source files. */
export const findStyleSheets = (bundle: Bundle) =>
  Object.values(bundle).flatMap((file) =>
    file.type === 'asset' && /^assets\/.*\.css$/.test(file.fileName)
      ? [{ names: file.names, url: urlOf(file.fileName), text: String(file.source) }]
      : [],
  )

/** Returns the package that a module belongs to, or the module's path in this repository. */
function moduleName(id: string): string {
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]
  return inPackage ?? id.replace(`${root}/`, '')
}
