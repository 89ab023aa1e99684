/**
 * Bundles the Worker in chunks (ADR-0067): each `import()` of the source is a file of its own, which the runtime compiles with
 * its first import (`new_module_registry` in wrangler.toml). wrangler uploads the folder as it is.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { builtinModules } from 'node:module'
import path from 'node:path'
import { build, context, stop } from 'esbuild'
import { root } from './root.mjs'
import { writeChanged } from './write-changed.mjs'

/** `false` makes one file of the Worker, as it was before there were chunks: it works, and starts more slowly. */
const HAS_CHUNKS = true

/**
 * What the Worker uses in place of a dependency. Each says what it saves of it (gz).
 * tests/scripts/bundle.test.ts holds that each is still needed.
 */
export const aliases = {
  // 46 kB: seven media types in place of 290 kB of source. Koa looks up `html` and `json`.
  'mime-db': './src/oidc/mime-db.cjs',
  // 4 kB: Koa and the provider log to a terminal with it, which a Worker does not have.
  debug: './src/oidc/no-debug.cjs',
  // 53 kB: messages in 48 languages, and fromJSONSchema (scripts/zod-without-languages.mjs).
  zod: './build/zod/index.js',
  // 30 kB: the legacy renderer of React, which the entry of the package imports beside the one in use.
  'react-dom/server.edge': './src/web/react-dom-server.cjs',
  // 14 kB: only browsers render the list of calling codes.
  downshift: './src/web/no-combobox.ts',
  // 3 kB and 1 kB: standardwebhooks uses the HMAC and Base64 of the platform in place of JavaScript.
  'fast-sha256': './src/outbound/hooks/platform-sha256.ts',
  '@stablelib/base64': './src/outbound/hooks/platform-base64.ts',
}

/** Modules of Node that a package imports without `node:`. The runtime has them all. */
const nodeModules = Object.fromEntries(
  builtinModules.filter((name) => !name.startsWith('node:')).map((name) => [name, `node:${name}`]),
)

/**
 * @typedef {object} Target
 * @property {string} entry its file, from the root of the repository
 * @property {string} folder emptied before; the entry becomes `worker.js`
 * @property {boolean} [isMinified]
 * @property {boolean} [hasChunks]
 * @property {import('esbuild').Plugin[]} [plugins] of tests
 */

/** @param {Target} target */
export async function bundleWorker(target) {
  await build(optionsFor(target))
}

/** Bundles, and again whenever a source changes, until this process ends. @param {Target} target */
export async function watchWorker(target) {
  const watched = await context(optionsFor(target))
  // Its program may outlive this one while it watches, and holds the output of this one open.
  process.once('exit', () => void stop())
  await watched.rebuild()
  await watched.watch()
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
    plugins: [...plugins, ...(hasChunks ? [startInOneChunk(entry)] : []), writtenAtOnce(folder)],
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    target: 'es2024',
    alias: { ...nodeModules, ...aliases },
    external: ['node:*', 'cloudflare:*'],
    // CommonJS packages get modules of Node when they ask, not with the start.
    banner: { js: 'const require=(name)=>process.getBuiltinModule(name);' },
    define: { 'process.env.NODE_ENV': '"production"', 'navigator.userAgent': '"Cloudflare-Workers"' },
    // Names of functions and classes would be 37 kB gz. src/oidc/load-library.ts sets those that code depends on.
    keepNames: false,
    minify: isMinified,
    // V8 keeps a source as one byte for each character, and reads it faster, if all of it is ASCII.
    charset: 'ascii',
    // Browsers get them from Vite (vite.config.ts).
    loader: { '.wasm': 'copy', '.css': 'empty' },
    assetNames: '[name]',
    chunkNames: '[name]-[hash]',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
  }
}

/**
 * Modules that are loaded late import the entry, which is there by then. esbuild makes a chunk of the modules that the same entries
 * reach, so what a start loads is one chunk in place of thirty, each of which costs the runtime 0.1 ms.
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
      // A star leaves the default out, and that is what a page exports.
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

/** Replaces the files of the folder, `worker.js` last: `wrangler dev` reads them all again when one changes. @param {string} folder @returns {import('esbuild').Plugin} */
const writtenAtOnce = (folder) => ({
  name: 'written-at-once',
  setup(bundler) {
    bundler.onEnd(({ errors, outputFiles = [], metafile }) => {
      if (errors.length > 0) return
      mkdirSync(folder, { recursive: true })
      const isEntry = (/** @type {{ path: string }} */ file) => path.basename(file.path) === 'worker.js'
      const files = outputFiles.toSorted((a, b) => Number(isEntry(a)) - Number(isEntry(b)))
      for (const file of files) writeChanged(file.path, file.contents)
      writeChanged(path.join(folder, META_FILE), JSON.stringify(metafile))
      const written = new Set([META_FILE, ...files.map((file) => path.basename(file.path))])
      for (const name of readdirSync(folder)) if (!written.has(name)) rmSync(path.join(folder, name))
    })
  },
})

/** What the bundler says of each file: its imports, and the sources in it. */
export const META_FILE = 'bundle-meta.json'
