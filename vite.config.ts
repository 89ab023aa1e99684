import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { stylesOfFiles, stylesOfPages } from './scripts/styles-of-pages.ts'

/** The demo application is a page of its own. */
const DEMO = 'client/demo/main.ts'

/**
 * Explicit compile hints of V8: what hydration needs is compiled while it is loaded, not function by function while the user
 * types. Other browsers treat it as a comment.
 */
const COMPILE_AT_ONCE = '//# allFunctionsCalledOnLoad'

/**
 * What the first call needs and what the pages after it share: all of them fetch it, so it is one file. What few users need
 * (the list of countries, numbering plans, passkeys, the dialog with the terms) and what one page alone needs stays apart.
 */
const STEPS =
  /\/client\/(?:app\/(?:dialogs|find-journey)|browser\/countdown|context\/connector-|pages\/error|reactions\/reactions\.)|\/client\/(?:api|forms|journeys|layout|phones|social|ui)\/(?!api-context|code-input|country-|passkey\.|phone-numbers|social-link|social-return|terms-dialog)|\/src\/domain\/masking|\/node_modules\/hono\//

/** What React looks for and every browser with ES modules has: its substitutes are a kilobyte. */
const builtIns = Object.fromEntries(
  Object.entries({
    function: [
      'AbortController',
      'MessageChannel',
      'WeakMap',
      'WeakSet',
      'clearTimeout',
      'queueMicrotask',
      'reportError',
      'requestAnimationFrame',
      'setTimeout',
    ],
    object: ['document', 'performance', 'window'],
    undefined: ['setImmediate'],
  }).flatMap(([type, names]) => names.map((name) => [`typeof ${name}`, `'${type}'`])),
)

// Test runs, too, build what users get.
process.env.NODE_ENV = 'production'

export default defineConfig({
  publicDir: 'client/public',
  define: { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined', ...builtIns },
  // wouter asks for what React 17 did not have yet.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  plugins: [
    react(),
    plainImports(),
    apiDocs(),
    serverManifest('build/manifest.json'),
    moduleList('build/client-modules.json'),
  ],
  build: {
    outDir: 'build/client',
    emptyOutDir: true,
    // The server preloads what a page needs; later imports have nothing to preload.
    modulePreload: false,
    rolldownOptions: {
      // The entry provides /sign-in, so the page table's import of it is for other documents.
      checks: { ineffectiveDynamicImport: false },
      // Otherwise the pages and the demo would share a file for the name of the product.
      optimization: { inlineConst: true },
      output: {
        postBanner: ({ name }) => (name === 'first' ? COMPILE_AT_ONCE : ''),
        // By default every module that two pages share is a file, and small files compress worse.
        codeSplitting: {
          groups: [
            { debugName: 'first', name: reachedFrom('client/entry.tsx', 'first'), priority: 1 },
            { debugName: 'steps', name: (id) => (STEPS.test(id) ? 'steps' : null) },
          ],
        },
      },
      input: {
        entry: 'client/entry.tsx',
        styles: 'client/styles/index.css',
        account: 'client/browser/account-passkeys.ts',
        accountPicture: 'client/browser/account-picture.ts',
        accountAnswer: 'client/browser/account-answer.ts',
        accountStyles: 'client/styles/account.css',
        ...(existsSync(DEMO) && { demo: DEMO, demoStyles: 'client/demo/demo.css' }),
      },
    },
  },
})

/** Removes the calls that Vite wraps around imports to preload for them: nothing is preloaded, and they are a kilobyte. */
function plainImports(): Plugin {
  const wrapped =
    /__vitePreload\((?:\(\) => (import\([^()]+\))|async \(\) => \{\s*const \{[^{}]*\} = await (import\([^()]+\));\s*return \{[^{}]*\};\s*\}), __VITE_PRELOAD__\)/g
  const unused = /^import \{ \w+ as __vitePreload \} from "[^"]+";\n/
  return {
    name: 'plain-imports',
    apply: 'build',
    enforce: 'pre',
    load: (id) =>
      id.endsWith('vite/preload-helper.js') ? 'export const __vitePreload = (load) => load()' : null,
    // What imported the wrapper alone would load a whole file of the sign-in pages for nothing.
    renderChunk: (code) => code.replaceAll(wrapped, '$1$2').replace(unused, ''),
  }
}

/** The files of Swagger UI for /api/docs, unchanged, with their licence. */
function apiDocs(): Plugin {
  return {
    name: 'api-docs',
    apply: 'build',
    async generateBundle() {
      for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE']) {
        const source = await readFile(`node_modules/swagger-ui-dist/${name}`, 'utf8')
        // The source map is not served.
        const text = source.replace(/\n?(?:\/\/|\/\*)# sourceMappingURL=.*$/m, '')
        this.emitFile({ type: 'asset', fileName: `api-docs/${name}`, source: text })
      }
    },
  }
}

/** One file for all modules that a module imports, directly or not, without itself. */
function reachedFrom(root: string, name: string) {
  return (id: string, bundle: Rolldown.ChunkingContext): string | null => {
    const seen = new Set<string>()
    const isReached = (each: string): boolean => {
      if (seen.has(each)) return false
      seen.add(each)
      const importers = bundle.getModuleInfo(each)?.importers ?? []
      return importers.some((importer) => importer.endsWith(root) || isReached(importer))
    }
    return !id.endsWith(root) && isReached(id) ? name : null
  }
}

/** Tells the server what was built (`src/web/assets.ts`): the addresses of modules, and the styles of the pages. */
function serverManifest(path: string): Plugin {
  return {
    name: 'server-manifest',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const files = Object.values(bundle)
        const entry = entryNamed(files, 'entry')
        const demo = entryNamed(files, 'demo')
        // The styles of a page are part of it; the whole sheet is a file for the pages after it.
        const sheet = takeStyles(bundle, 'styles.css')
        const demoStyles = takeStyles(bundle, 'demoStyles.css')
        const account = entryNamed(files, 'account')
        const picture = entryNamed(files, 'accountPicture')
        const answer = entryNamed(files, 'accountAnswer')
        const accountSheet = takeStyles(bundle, 'accountStyles.css')
        if (!entry || !account || !picture || !answer || sheet === undefined)
          throw new Error('the build made no entry or no styles')
        const css = withDarkBySystem(sheet)
        const fileName = `assets/styles-${createHash('sha256').update(css).digest('base64url').slice(0, 8)}.css`
        this.emitFile({ type: 'asset', fileName, source: css })

        const preload = importsOf(entry, bundle).map(address)
        const known = new Set([address(entry.fileName), ...preload])
        const pages = modulesOfPages(bundle, known)
        const imports = (id: string) => this.getModuleInfo(id)?.importedIds ?? []
        const manifest = {
          entry: address(entry.fileName),
          preload,
          pages,
          journeys: modulesOf(importedChunk(files, 'client/journeys/all.ts'), bundle, known),
          styles: stylesOfPages(css, Object.keys(pages), imports),
          stylesFile: address(fileName),
          account: {
            passkeys: modulesOf(account, bundle, new Set()),
            // What it imports is loaded for a picture that was chosen.
            picture: [address(picture.fileName)],
            answer: modulesOf(answer, bundle, new Set()),
          },
          ...(demo && { demo: { entry: address(demo.fileName), css: demoStyles ?? '' } }),
        }
        await mkdir('build', { recursive: true })
        await writeFile(path, JSON.stringify(manifest))
        const accountStyles = stylesOfFiles(css + (accountSheet ?? ''), await accountModules())
        await writeFile('build/account-styles.json', JSON.stringify(accountStyles))
      },
    },
  }
}

/** What the pages of the account centre are drawn with (ADR-0090). */
async function accountModules(): Promise<string[]> {
  const own = await readdir('client/account')
  return [
    ...own.map((file) => `account/${file}`),
    ...['layout/frame.tsx', 'layout/language-picker.tsx', 'pages/consent-list.tsx', 'factors/qr.tsx'],
    ...[
      'forms/password-rules.tsx',
      'forms/terms.tsx',
      'forms/terms-agreement.tsx',
      'forms/username-hint.tsx',
      'ui/icons.tsx',
      'ui/field.tsx',
      'ui/button.tsx',
      'ui/checkbox.tsx',
    ],
  ]
}

/** Removes a style sheet from the bundle and answers its text. */
function takeStyles(bundle: Rolldown.OutputBundle, name: string): string | undefined {
  const file = Object.values(bundle).find((each) => each.type === 'asset' && each.names.includes(name))
  if (file?.type !== 'asset') return undefined
  delete bundle[file.fileName]
  return String(file.source)
}

const address = (fileName: string) => `/${fileName}`

function entryNamed(files: readonly (Rolldown.OutputAsset | Rolldown.OutputChunk)[], name: string) {
  return files.find(
    (file): file is Rolldown.OutputChunk => file.type === 'chunk' && file.isEntry && file.name === name,
  )
}

/** What each page (`client/pages/`) needs beyond what every page has, by the name of its file. */
function modulesOfPages(bundle: Rolldown.OutputBundle, known: ReadonlySet<string>): Record<string, string[]> {
  return Object.fromEntries(
    Object.values(bundle).flatMap((file): [string, string[]][] => {
      if (file.type !== 'chunk' || !file.isDynamicEntry) return []
      const name = /\/client\/pages\/([\w-]+)\.tsx$/.exec(file.facadeModuleId ?? '')?.[1]
      if (!name) return []
      const isThere = [...known].some((each) => holds(bundle[each.slice(1)], file.facadeModuleId))
      return [[name, isThere ? [] : modulesOf(file, bundle, known)]]
    }),
  )
}

function holds(
  file: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined,
  module: string | null,
): boolean {
  return file?.type === 'chunk' && module !== null && file.moduleIds.includes(module)
}

function importedChunk(files: readonly (Rolldown.OutputAsset | Rolldown.OutputChunk)[], module: string) {
  const chunk = files.find(
    (file): file is Rolldown.OutputChunk =>
      file.type === 'chunk' && file.isDynamicEntry && (file.facadeModuleId ?? '').endsWith(module),
  )
  if (!chunk) throw new Error(`${module} is not imported by anything`)
  return chunk
}

/** A chunk and what it imports, without what is known. */
function modulesOf(
  chunk: Rolldown.OutputChunk,
  bundle: Rolldown.OutputBundle,
  known: ReadonlySet<string>,
): string[] {
  return [chunk.fileName, ...importsOf(chunk, bundle)].map(address).filter((each) => !known.has(each))
}

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

/** What each script holds, from the bundler's own account: packages by name, our modules by path. For the tests of the build. */
function moduleList(path: string): Plugin {
  return {
    name: 'module-list',
    apply: 'build',
    async generateBundle(_, bundle) {
      const files = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk' ? [[address(file.fileName), [...new Set(file.moduleIds.map(moduleName))]]] : [],
      )
      await mkdir('build', { recursive: true })
      await writeFile(path, JSON.stringify(Object.fromEntries(files)))
    },
  }
}

/** The package of a module, or its path in this repository. */
function moduleName(id: string): string {
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]
  return inPackage ?? id.replace(`${import.meta.dirname}/`, '')
}

/** Repeats the rule of `styles/dark.css` for systems that are dark, where the operator allows the dark theme. */
function withDarkBySystem(css: string): string {
  const [rule, declarations] = /html\[data-theme=dark\]\{([^}]*)\}/.exec(css) ?? []
  if (!rule) throw new Error('the styles have no dark theme')
  const bySystem = `@media (prefers-color-scheme:dark){html[data-dark-mode=true]:not([data-theme]){${declarations}}}`
  return css.replace(rule, rule + bySystem)
}
