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

/**
 * Tells the server (`src/web/pages/console-page.ts`) which files the document asks for early: the entry with what it imports, what it
 * loads while the user is being signed in, and what each area has beyond that. Tells the tests what each file holds.
 */
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
        const screens = chunks.find(({ name }) => name === 'screens')
        if (!screens) throw new Error('the build of the console made no screens')
        const preload = importsOf(entry, bundle).map(address)
        const known = new Set([address(entry.fileName), ...preload])
        const beyond = (chunk: Rolldown.OutputChunk) =>
          filesOf(chunk, bundle).filter((each) => !known.has(each))
        const later = beyond(screens)
        for (const each of later) known.add(each)
        const areas = chunks
          .filter((chunk) => chunk.isDynamicEntry && chunk !== screens)
          .map((chunk) => [chunk.name, beyond(chunk)])
        const manifest = {
          entry: address(entry.fileName),
          preload,
          screens: later,
          areas: Object.fromEntries(areas),
          styles: address(styles.fileName),
        }
        await mkdir('build', { recursive: true })
        await writeFile(file, JSON.stringify(manifest))
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

/** A chunk with all that it imports, and their styles. */
function filesOf(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): string[] {
  const scripts = [chunk.fileName, ...importsOf(chunk, bundle)]
  const styles = scripts.flatMap((name) => {
    const file = bundle[name]
    return file?.type === 'chunk' ? [...(file.viteMetadata?.importedCss ?? [])] : []
  })
  return [...new Set([...scripts, ...styles])].map(address)
}

/** The package of a module, or its path in this repository. */
function moduleName(id: string): string {
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]
  return inPackage ?? id.slice(path.resolve(import.meta.dirname, '..').length + 1)
}
