import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import {
  collectImports,
  findEntry,
  findStyleSheets,
  getChunks,
  getFileUrls,
  serverManifest,
  viteBase,
} from './scripts/vite-base.ts'

/** The demo application is a separate page. */
const DEMO = 'client/demo/main.ts'

/**
 * The modules of the chunk that the first request needs and the pages after it share. All users fetch it, so it is one
 * file. Modules that few users need (the list of countries, numbering plans, passkeys, the dialog with the terms), or
 * only one page, stay separate.
 */
const STEPS =
  /\/client\/(?:app\/(?:dialogs|find-journey)|browser\/countdown|context\/connector-|pages\/error|reactions\/reactions\.)|\/client\/(?:api|forms|journeys|layout|phones|social|ui)\/(?!address-help|api-context|country-|new-password-form|passkey\.|phone-numbers|social-link|social-return|terms-dialog)|\/src\/domain\/masking|\/node_modules\/hono\//

/**
 * The built-ins that React checks for and every browser with ES modules has. React's substitutes for them are a
 * kilobyte.
 */
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

/** The style sheets that no module imports: settings or paths add them to a page (`src/web/pages/page-assets.ts`). */
const SETTING_SHEETS = [
  'application',
  'backup-codes',
  'calling-codes',
  'content',
  'dark',
  'forgot',
  'enrolment',
  'factors',
  'layout-card',
  'layout-plain',
  'layout-split',
  'new-app',
  'recovery',
  'returning',
  'social',
  'terms',
  'theming',
]

export default defineConfig({
  ...viteBase,
  publicDir: 'client/public',
  define: { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined', ...builtIns },
  plugins: [
    ...viteBase.plugins,
    copiesOfCodes(),
    plainImports(),
    withoutConnector(),
    compiledAtOnce('first'),
    apiDocs(),
    withoutLightDark(),
    serverManifest('client-modules', describe),
  ],
  build: {
    outDir: 'build/client',
    emptyOutDir: true,
    // The server preloads the modules that a page needs, and inlines its styles.
    modulePreload: false,
    rolldownOptions: {
      // The entry contains /sign-in, so the page table's import of it is only for other documents.
      checks: { ineffectiveDynamicImport: false },
      // Without inlining, the pages and the demo would share a file just for the product name.
      optimization: { inlineConst: true },
      output: {
        // By default every module that two pages share becomes a file, and small files compress worse.
        codeSplitting: {
          groups: [
            { debugName: 'first', name: reachedFrom('client/entry.tsx', 'first'), priority: 1 },
            { debugName: 'steps', name: (id) => (STEPS.test(id) ? 'steps' : null) },
          ],
        },
      },
      input: {
        entry: 'client/entry.tsx',
        account: 'client/browser/account-passkeys.ts',
        accountPicture: 'client/browser/account-picture.ts',
        accountAnswer: 'client/browser/account-answer.ts',
        accountCode: 'client/browser/account-code.ts',
        ...Object.fromEntries([
          ['account.css', 'client/styles/account/account.css'],
          ...SETTING_SHEETS.map((name) => [`${name}.css`, `client/styles/${name}.css`]),
        ]),
        ...(existsSync(DEMO) && { demo: DEMO }),
      },
    },
  },
})

/**
 * Gives the second-factor pages and the account centre their own copies of the modules that ask for a code. A file that
 * they shared with the code page would be one more request on each of these pages.
 */
function copiesOfCodes(): Plugin {
  const OWNER = /\/client\/(?:(factors|account)\/|browser\/account-(code)\.)|\?(\w+)$/
  return {
    name: 'copies-of-codes',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      const [, ...owners] = OWNER.exec(importer ?? '') ?? []
      const owner = owners.find(Boolean)
      if (!owner) return null
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
      return resolved &&
        /\/client\/(?:codes\/[\w-]+|browser\/(?:code-boxes|text-message))\.tsx?$/.test(resolved.id)
        ? { ...resolved, id: `${resolved.id}?${owner}` }
        : resolved
    },
  }
}

/**
 * Leaves out the part of i18next that loads phrases from a server, because the phrases are in the page. It is a kilobyte.
 */
function withoutConnector(): Plugin {
  const CONNECTOR = /^class Connector extends EventEmitter \{\n.*?^\}\n/ms
  return {
    name: 'without-connector',
    transform(code, id) {
      if (!id.endsWith('/i18next.js')) return null
      if (!CONNECTOR.test(code)) throw new Error('i18next has no connector to leave out')
      return code.replace(CONNECTOR, 'class Connector extends EventEmitter { state = {} }\n')
    },
  }
}

/**
 * Unwraps dynamic imports. Vite wraps each import() in a function that also loads its styles. Imports without styles
 * don't need it, which saves a kilobyte, and spares the scripts of the account centre all files of the sign-in pages.
 * For the other imports we use our own function.
 */
function plainImports(): Plugin {
  const WRAPPED_IMPORT =
    /importWithStyles\((?:\(\) => |async \(\) => \{\s*const \{[^{}]*\} = await )(import\("\.\/([^"]+)"\))(?:;\s*return \{[^{}]*\};\s*\})?, __VITE_PRELOAD__\)/g
  const UNUSED_WRAPPER = /^import \{ \w+ as importWithStyles \} from "[^"]+";\n(?!.*importWithStyles)/s
  return {
    name: 'plain-imports',
    apply: 'build',
    enforce: 'pre',
    load: (id) =>
      id.endsWith('vite/preload-helper.js')
        ? `export { importWithStyles as __vitePreload } from '${path.resolve('client/browser/styled-import.ts')}'`
        : null,
    renderChunk(code, chunk, _options, { chunks }) {
      const present = collectImports(chunk, chunks).map(({ fileName }) => fileName)
      const hasStyles = (name: string) =>
        collectImports(chunks[`assets/${name}`] ?? chunk, chunks).some(
          ({ fileName, moduleIds }) =>
            !present.includes(fileName) && moduleIds.some((id) => id.endsWith('.css')),
        )
      return code
        .replaceAll(WRAPPED_IMPORT, (wrapped, plain, name) => (hasStyles(name) ? wrapped : plain))
        .replace(UNUSED_WRAPPER, '')
    },
  }
}

/**
 * Adds V8's explicit compile hint, so that the code that hydration needs is compiled while it loads, not function by
 * function while the user types. Other browsers treat it as a comment. It has to be above everything that Vite puts at
 * the top.
 */
function compiledAtOnce(name: string): Plugin {
  return {
    name: 'compiled-at-once',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const chunk of getChunks(bundle))
          if (chunk.name === name) chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
      },
    },
  }
}

/** Removes the variables that Lightning CSS adds to every `color-scheme` for `light-dark()`, which our styles do not use. */
function withoutLightDark(): Plugin {
  return {
    name: 'without-light-dark',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'asset' && file.fileName.endsWith('.css'))
          file.source = String(file.source).replaceAll(/--lightningcss-\w+:[^;]*;/g, '')
    },
  }
}

/** Emits the files of Swagger UI for /api/docs, unchanged, with their licence. */
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

/** Groups all modules that a module imports, directly or not, into one file. The module itself is not included. */
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

/**
 * Returns the manifest for the server (`src/web/assets.ts`): the files of each page, and the text of the style sheets,
 * which are inlined into pages.
 */
function describe(bundle: Rolldown.OutputBundle) {
  const first = collectImports(findEntry(bundle, 'entry'), bundle)
  const beyondFirst = (chunk: Rolldown.OutputChunk) =>
    first.some(({ moduleIds }) => moduleIds.includes(chunk.facadeModuleId ?? ''))
      ? getFileUrls([])
      : getFileUrls(collectImports(chunk, bundle).filter((each) => !first.includes(each)))
  const late = (folder: string) =>
    getChunks(bundle).flatMap((chunk) => {
      const [, name] =
        new RegExp(`/client/${folder}/([\\w-]+)\\.tsx?$`).exec(chunk.facadeModuleId ?? '') ?? []
      return chunk.isDynamicEntry && name ? [[name, beyondFirst(chunk)] as const] : []
    })
  const modulesOf = (name: string) => getFileUrls(collectImports(findEntry(bundle, name), bundle)).modules
  const sheets = findStyleSheets(bundle)
  const sheetOf = (name: string) => {
    const sheet = sheets.find(({ names }) => names.includes(`${name}.css`))
    if (!sheet) throw new Error(`the build has no style sheet ${name}`)
    return sheet
  }
  const accountSheet = sheetOf('account')
  const manifest = {
    entry: getFileUrls(first),
    pages: Object.fromEntries(late('pages')),
    journeys: Object.fromEntries(late('journeys')).all,
    account: {
      passkeys: modulesOf('account'),
      // The modules that it imports are loaded once the user has chosen a picture.
      picture: [modulesOf('accountPicture')[0]],
      answer: modulesOf('accountAnswer'),
      code: modulesOf('accountCode'),
    },
    ...(existsSync(DEMO) && { demo: getFileUrls([findEntry(bundle, 'demo')]) }),
    // The sheet of dialogs is loaded with their module, or with a response that opens one.
    settings: Object.fromEntries(['dialog', ...SETTING_SHEETS].map((name) => [name, sheetOf(name).url])),
    styles: Object.fromEntries(
      sheets.filter((sheet) => sheet !== accountSheet).map(({ url, text }) => [url, text]),
    ),
  }
  // The styles of the account centre are separate, because the part of the server that renders it is loaded late
  // (ADR-0090).
  return { manifest, 'account-styles': accountSheet.text }
}
