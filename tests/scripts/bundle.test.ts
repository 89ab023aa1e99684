import { globSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json'
import { buildIfStale, WORKER_FOLDER } from '../../scripts/build.mjs'
import { runProgram } from '../../scripts/processes.mjs'
import { root } from '../../scripts/root.mjs'
import { aliases, META_FILE } from '../../scripts/worker-bundle.mjs'
import { MINUTE } from '../../src/contract/time.ts'
import { sourceFiles, sourceTextOf } from '../kit/source-files.ts'

const KB = 1000

/** The files of dependencies that the Worker replaces with an alias. */
const originals: Record<keyof typeof aliases, string> = {
  'mime-db': 'node_modules/mime-db/*.{js,json}',
  debug: 'node_modules/debug/src/*.js',
  zod: 'node_modules/zod/v4/locales/{de,fr,ja,ru}.js',
  'react-dom/server.edge': 'node_modules/react-dom/cjs/react-dom-server-legacy.*.js',
  downshift: 'node_modules/downshift/dist/*.{js,mjs}',
  'fast-sha256': 'node_modules/fast-sha256/*.js',
  '@stablelib/base64': 'node_modules/@stablelib/base64/lib/*.js',
}

/** The modules that are loaded only after a request has been routed (spec/budgets#worker). */
const loadedLate = [
  ...['build/wasm/', 'build/zod/', 'build/manifest.json', 'locales/', 'client/'],
  ...['src/outbound/', 'src/storage/tables/'],
  ...[
    ...['oidc-provider', 'koa', 'jose', 'react-dom', 'libphonenumber-js', 'ipaddr.js', 'i18next'],
    ...['zod', '@hono/zod-openapi', '@asteasolutions/zod-to-openapi'],
    ...['oauth4webapi', 'aws4fetch', 'standardwebhooks', 'drizzle-orm', '@libsql'],
  ].map((name) => `node_modules/${name}/`),
]

/** The packages of the owner's list that the Worker needs, and where the build takes them from (ADR-0166). */
const ownersPackages = {
  hono: 'node_modules/hono/',
  react: 'node_modules/react/',
  'react-dom': 'node_modules/react-dom/',
  'drizzle-orm': 'node_modules/drizzle-orm/',
  '@libsql/client': 'node_modules/@libsql/client/',
  zod: 'node_modules/zod/',
  '@hono/zod-openapi': 'node_modules/@hono/zod-validator/',
  'hash-wasm': 'build/wasm/hash-wasm.js',
  jose: 'node_modules/jose/',
  'libphonenumber-js': 'node_modules/libphonenumber-js/',
  i18next: 'node_modules/i18next/',
}
/** The tools of the list. `@cloudflare/vitest-plugin` is the successor of `@cloudflare/vitest-pool-workers`. */
const ownersTools = ['wrangler', 'vitest', '@cloudflare/vitest-plugin', 'playwright']

type Output = { bytes: number; imports: Import[]; inputs: Record<string, { bytesInOutput: number }> }
type Import = { path: string; kind: string }

/** Returns a chunk and all chunks that it imports statically, directly or indirectly. */
function staticClosure(outputs: Record<string, Output>, name: string, closure = new Map<string, Output>()) {
  const output = outputs[name]
  if (!output || closure.has(name)) return closure
  closure.set(name, output)
  for (const { path: next, kind } of output.imports)
    if (kind === 'import-statement') staticClosure(outputs, next, closure)
  return closure
}

describe('the deployed bundle', { timeout: 2 * MINUTE }, () => {
  const folder = path.join(root, WORKER_FOLDER)
  let outputs: Record<string, Output>
  beforeAll(async () => {
    expect(await buildIfStale()).toBe(true)
    const meta = JSON.parse(readFileSync(path.join(folder, META_FILE), 'utf8'))
    outputs = meta.outputs
  }, 2 * MINUTE)

  /** Returns the size of each source file in the bundle, in bytes. */
  function bytesBySource(files: Iterable<Output>): Map<string, number> {
    const bytes = new Map<string, number>()
    for (const { inputs } of files)
      for (const [source, { bytesInOutput }] of Object.entries(inputs))
        bytes.set(source, (bytes.get(source) ?? 0) + bytesInOutput)
    return bytes
  }

  const isModule = (name: string) => /\.(?:js|wasm)$/.test(name)

  it('is identical to the files that a deployment uploads', async () => {
    const uploaded = mkdtempSync(path.join(tmpdir(), 'vestibule-'))
    const args = ['scripts/run.mjs', 'deploy', '--dry-run', '--outdir', uploaded]
    const { code } = await runProgram('node', args, { cwd: root, show: 'onFailure', timeLimit: MINUTE })
    expect(code).toBe(0)
    const modules = readdirSync(folder).filter(isModule)
    expect(readdirSync(uploaded).filter(isModule).toSorted()).toEqual(modules.toSorted())
    for (const name of modules) {
      const isSame = readFileSync(path.join(uploaded, name)).equals(readFileSync(path.join(folder, name)))
      expect([name, isSame]).toEqual([name, true])
    }
  })

  it('has at most 2,000 kB after minification and gzip (spec/budgets#worker)', () => {
    const sizes = readdirSync(folder)
      .filter(isModule)
      .map((name) => gzipSync(readFileSync(path.join(folder, name))).length)
    expect(sizes.length).toBeGreaterThan(1)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(2000 * KB)
  })

  it('initially loads at most 65 kB, and only modules for routing (spec/budgets#worker)', () => {
    const start = [...staticClosure(outputs, `${WORKER_FOLDER}/worker.js`).values()]
    expect(start.length).toBeGreaterThan(1)
    expect(start.length).toBeLessThan(6)
    expect(start.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(65 * KB)
    const early = [...bytesBySource(start).keys()]
    expect(early.filter((source) => loadedLate.some((late) => source.startsWith(late)))).toEqual([])
    const whole = [...bytesBySource(Object.values(outputs)).keys()]
    expect(loadedLate.filter((late) => !whole.some((source) => source.startsWith(late)))).toEqual([])
  })

  it('loads oidc-provider only with the first provider, which filters its messages (src/oidc/load-library.ts)', () => {
    const [server = ''] = Object.keys(outputs).filter(
      (name) => 'src/oidc/provider-server.ts' in (outputs[name]?.inputs ?? {}),
    )
    const sources = [...bytesBySource(staticClosure(outputs, server).values()).keys()]
    expect(sources).toContain('src/oidc/load-library.ts')
    expect(sources.filter((source) => source.startsWith('node_modules/oidc-provider/'))).toEqual([])
  })

  it('contains “the owner’s package list” (ADR-0166)', () => {
    const sources = [...bytesBySource(Object.values(outputs)).keys()]
    const missing = Object.values(ownersPackages).filter(
      (place) => !sources.some((source) => source.startsWith(place)),
    )
    expect(missing).toEqual([])
    expect(Object.keys(manifest.dependencies)).toEqual(expect.arrayContaining(Object.keys(ownersPackages)))
    expect(Object.keys(manifest.devDependencies)).toEqual(expect.arrayContaining(ownersTools))
  })

  it('describes schemas with `meta`, which is available before `openapi` is added (ADR-0067)', () => {
    const files = sourceFiles(['src'])
    expect(files.filter((file) => /\.meta\(\{ id: /.test(sourceTextOf(file))).length).toBeGreaterThan(20)
    expect(files.filter((file) => /\.openapi\((?!\w)/.test(sourceTextOf(file)))).toEqual([])
  })

  it('contains only ASCII, which V8 stores as one byte per character', () => {
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
    const others = scripts.filter((name) => readFileSync(path.join(folder, name)).some((byte) => byte > 0x7f))
    expect(others).toEqual([])
  })

  it.each(Object.entries(originals))('replaces the dependency %s with a smaller alias', (name, pattern) => {
    const bytes = bytesBySource(Object.values(outputs))
    const replacement = path.normalize(aliases[name as keyof typeof aliases])
    const used = bytes.get(replacement) ?? -1
    expect(used).toBeGreaterThanOrEqual(0) // an index file has no code of its own
    const files = globSync(pattern, { cwd: root })
    const size = files.reduce((sum, file) => sum + statSync(path.join(root, file)).size, 0)
    expect(size).toBeGreaterThan(used)
    expect(files.filter((file) => bytes.get(file))).toEqual([])
  })
})
