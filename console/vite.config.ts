import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

process.env.NODE_ENV = 'production'

/**
 * The console (ADR-0127): a build of its own, so that no module of it reaches the scripts of the sign-in pages. Its files lie
 * beside theirs in `build/client/assets`, named by their content.
 */
export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  publicDir: false,
  plugins: [react(), consoleManifest('build/console.json')],
  // wouter asks for what React 17 did not have yet.
  resolve: {
    alias: { 'use-sync-external-store/shim/index.js': 'react', 'use-sync-external-store/shim': 'react' },
  },
  build: {
    outDir: 'build/client',
    emptyOutDir: false,
    assetsDir: 'assets/console',
    cssCodeSplit: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { console: 'console/main.tsx' },
    },
  },
})

/** Tells the server (`src/web/console-page.ts`) the files of the first paint, and the tests what each file imports. */
function consoleManifest(file: string): Plugin {
  return {
    name: 'console-manifest',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const chunks = Object.values(bundle).filter(isChunk)
        const entry = chunks.find(({ isEntry }) => isEntry)
        if (!entry) throw new Error('the build of the console made no entry')
        const styles = Object.values(bundle).find(
          ({ type, fileName }) => type === 'asset' && /\/console-.*\.css$/.test(fileName),
        )
        if (styles?.type !== 'asset') throw new Error('the build of the console made no styles')
        const manifest = {
          entry: address(entry.fileName),
          preload: importsOf(entry, bundle).map(address),
          styles: address(styles.fileName),
          version: createHash('sha256').update(entry.fileName).digest('base64url').slice(0, 8),
        }
        await mkdir('build', { recursive: true })
        await writeFile(file, JSON.stringify(manifest))
        const areas = chunks
          .filter(({ isDynamicEntry }) => isDynamicEntry)
          .map((chunk) => [chunk.name, [chunk.fileName, ...importsOf(chunk, bundle)].map(address)])
        await writeFile('build/console-areas.json', JSON.stringify(Object.fromEntries(areas)))
        const modules = chunks.map(({ fileName, moduleIds }) => [
          address(fileName),
          [...new Set(moduleIds.map(moduleName))],
        ])
        await writeFile('build/console-modules.json', JSON.stringify(Object.fromEntries(modules)))
      },
    },
  }
}

const address = (fileName: string) => `/${fileName}`

const isChunk = (file: Rolldown.OutputAsset | Rolldown.OutputChunk): file is Rolldown.OutputChunk =>
  file.type === 'chunk'

/** All chunks that a chunk imports, directly or not. */
function importsOf(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): string[] {
  const found = new Set<string>()
  const look = (fileName: string) => {
    const file = bundle[fileName]
    if (file?.type !== 'chunk' || found.has(fileName)) return
    found.add(fileName)
    file.imports.forEach(look)
  }
  chunk.imports.forEach(look)
  return [...found]
}

/** The package of a module, or its path in this repository. */
function moduleName(id: string): string {
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]
  return inPackage ?? id.slice(path.resolve(import.meta.dirname, '..').length + 1)
}
