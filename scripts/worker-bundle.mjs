/**
 * Bundles the Worker in chunks (ADR-0067): each `import()` in the source becomes a separate file that the runtime
 * compiles when it is first imported (`new_module_registry` in wrangler.toml). wrangler uploads the folder unchanged.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { builtinModules } from 'node:module'
import path from 'node:path'
import { build, context, stop } from 'esbuild'
import { root } from './root.mjs'
import { writeIfChanged } from './write-changed.mjs'

/** Set this to `false` to bundle the Worker into one file, which works but starts more slowly. */
const HAS_CHUNKS = true

/**
 * The replacements for dependencies in the Worker, each with the bytes that it saves after gzip.
 * tests/scripts/bundle.test.ts checks that each is still needed.
 */
export const aliases = {
  // Saves 46 kB: seven media types instead of 290 kB of source. Koa only looks up `html` and `json`.
  'mime-db': './src/oidc/mime-db.cjs',
  // Saves 4 kB: Koa and the provider use it to log to a terminal, which a Worker does not have.
  debug: './src/oidc/no-debug.cjs',
  // Saves 53 kB: messages in 48 languages, and fromJSONSchema (scripts/zod-without-languages.mjs).
  zod: './build/zod/index.js',
  // Saves 30 kB: React's legacy renderer. The package's entry imports it together with the renderer that we use.
  'react-dom/server.edge': './src/web/react-dom-server.cjs',
  // Saves 14 kB: only browsers render the list of calling codes.
  downshift: './src/web/no-combobox.ts',
  // Saves 3 kB and 1 kB: standardwebhooks uses the platform's HMAC and Base64 instead of JavaScript implementations.
  'fast-sha256': './src/outbound/hooks/platform-sha256.ts',
  '@stablelib/base64': './src/outbound/hooks/platform-base64.ts',
}

/** The Node modules that a package may import without `node:`. The runtime provides all of them. */
const nodeModules = Object.fromEntries(
  builtinModules.filter((name) => !name.startsWith('node:')).map((name) => [name, `node:${name}`]),
)

/**
 * @typedef {object} Target
 * @property {string} entry the path of the entry, relative to the root of the repository
 * @property {string} folder the output folder, whose other files are deleted; the entry becomes `worker.js`
 * @property {boolean} [isMinified]
 * @property {boolean} [hasChunks]
 * @property {import('esbuild').Plugin[]} [plugins] plugins for tests
 */

/** @param {Target} target */
export async function bundleWorker(target) {
  await build(optionsFor(target))
}

/**
 * Bundles the Worker. Until this process exits, bundles it again whenever a source changes.
 *
 * @param {Target} target
 */
export async function watchWorker(target) {
  const bundler = await context(optionsFor(target))
  // In watch mode, the process of esbuild may outlive this one and keep its output open.
  process.once('exit', () => void stop())
  await bundler.rebuild()
  await bundler.watch()
}

/** @param {Target} target @returns {import('esbuild').BuildOptions} */
function optionsFor({ entry, folder, isMinified = true, hasChunks = HAS_CHUNKS, plugins = [] }) {
  return {
    absWorkingDir: root,
    entryPoints: { worker: entry },
    outdir: folder,
    bundle: true,
    format: 'esm',
    splitting: hasChunks,
    metafile: true,
    write: false,
    plugins: [...plugins, ...(hasChunks ? [startInOneChunk(entry)] : []), writeAtOnce(folder)],
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    target: 'es2024',
    alias: { ...nodeModules, ...aliases },
    external: ['node:*', 'cloudflare:*'],
    // CommonJS packages load Node modules when they call `require`, not at start-up.
    banner: { js: 'const require=(name)=>process.getBuiltinModule(name);' },
    define: { 'process.env.NODE_ENV': '"production"', 'navigator.userAgent': '"Cloudflare-Workers"' },
    // Keeping the names of functions and classes would add 37 kB after gzip. src/oidc/load-library.ts sets the names
    // that code depends on.
    keepNames: false,
    minify: isMinified,
    // V8 stores a source that is all ASCII with one byte per character and reads it faster.
    charset: 'ascii',
    // Browsers receive the styles from Vite (vite.config.ts).
    loader: { '.wasm': 'copy', '.css': 'empty' },
    assetNames: '[name]',
    chunkNames: '[name]-[hash]',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
  }
}

/**
 * Makes lazily loaded modules import the entry, which is already loaded by then. esbuild groups modules into chunks
 * by the entries that reach them, so start-up loads one chunk instead of thirty, each of which costs the runtime 0.1
 * ms.
 *
 * @param {string} entry @returns {import('esbuild').Plugin}
 */
const startInOneChunk = (entry) => ({
  name: 'start-in-one-chunk',
  setup(bundler) {
    bundler.onResolve({ filter: /^\..*\.tsx?$/ }, ({ kind, path: target, resolveDir }) =>
      kind === 'dynamic-import'
        ? { namespace: LATE, path: path.relative(root, path.join(resolveDir, target)) }
        : undefined,
    )
    bundler.onLoad({ filter: /./, namespace: LATE }, ({ path: file }) => {
      // `export *` omits the default export, but a page module exports its page as the default.
      const names = /^export default /m.test(readFileSync(path.join(root, file), 'utf8'))
        ? ['*', '{ default }']
        : ['*']
      const exported = names.map((name) => `export ${name} from ${JSON.stringify(`./${file}`)}`)
      return {
        contents: [`import ${JSON.stringify(`./${entry}`)}`, ...exported].join('\n'),
        resolveDir: root,
      }
    })
  },
})

const LATE = 'late'

/**
 * Replaces the files in the folder, `worker.js` last, because `wrangler dev` reads all files again when one changes.
 *
 * @param {string} folder
 * @returns {import('esbuild').Plugin}
 */
const writeAtOnce = (folder) => ({
  name: 'written-at-once',
  setup(bundler) {
    bundler.onEnd(({ errors, outputFiles = [], metafile }) => {
      if (errors.length > 0) return
      mkdirSync(folder, { recursive: true })
      const isEntry = (/** @type {{ path: string }} */ file) => path.basename(file.path) === 'worker.js'
      const files = outputFiles.toSorted((a, b) => Number(isEntry(a)) - Number(isEntry(b)))
      for (const file of files) writeIfChanged(file.path, file.contents)
      writeIfChanged(path.join(folder, META_FILE), JSON.stringify(metafile))
      const currentFiles = new Set([META_FILE, ...files.map((file) => path.basename(file.path))])
      for (const name of readdirSync(folder)) if (!currentFiles.has(name)) rmSync(path.join(folder, name))
    })
  },
})

/** The file with the bundler's report. It lists the imports and the sources of each output file. */
export const META_FILE = 'bundle-meta.json'
