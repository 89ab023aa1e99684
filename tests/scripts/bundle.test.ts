import { globSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import { runProgram } from '../../scripts/processes.mjs'
import { root } from '../../scripts/root.mjs'

const KB = 1000
const MINUTE = 60_000

/** The files of a dependency that its alias in wrangler.toml keeps out of the Worker. */
const originals: Record<string, string> = {
  'mime-db': 'node_modules/mime-db/*.{js,json}',
  debug: 'node_modules/debug/src/*.js',
  zod: 'node_modules/zod/v4/locales/{de,fr,ja,ru}.js',
  'react-dom/server.edge': 'node_modules/react-dom/cjs/react-dom-server-legacy.*.js',
  downshift: 'node_modules/downshift/dist/*.{js,mjs}',
  'fast-sha256': 'node_modules/fast-sha256/*.js',
  '@stablelib/base64': 'node_modules/@stablelib/base64/lib/*.js',
}

type Metafile = { outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }> }

describe('the deployed bundle', { timeout: 2 * MINUTE }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-'))
  const { alias = {} } = unstable_readConfig({ config: path.join(root, 'wrangler.toml') })
  /** Bytes in the bundle, by the source file. */
  const bytes = new Map<string, number>()

  beforeAll(async () => {
    const args = ['scripts/run.mjs', 'deploy', '--dry-run', '--outdir', folder, '--metafile']
    const { code } = await runProgram('node', args, { cwd: root, show: 'onFailure', timeLimit: MINUTE })
    expect(code).toBe(0)
    const { outputs }: Metafile = JSON.parse(readFileSync(path.join(folder, 'bundle-meta.json'), 'utf8'))
    for (const { inputs } of Object.values(outputs))
      for (const [file, { bytesInOutput }] of Object.entries(inputs))
        bytes.set(file, (bytes.get(file) ?? 0) + bytesInOutput)
  }, 2 * MINUTE)

  it('has at most 650 kB, minified, gz (spec/budgets#worker)', () => {
    const sizes = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.map$|^README|\.json$/.test(entry.name))
      .map((entry) => gzipSync(readFileSync(path.join(entry.parentPath, entry.name))).length)
    expect(sizes.length).toBeGreaterThan(0)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(650 * KB)
  })

  it('has an entry here for each alias of wrangler.toml', () => {
    expect(Object.keys(alias).toSorted()).toEqual(Object.keys(originals).toSorted())
  })

  it.each(Object.entries(originals))(
    'needs the alias of %s: it is imported, and smaller',
    (name, pattern) => {
      const replacement = path.normalize(String(alias[name]))
      const used = bytes.get(replacement) ?? 0
      expect(used).toBeGreaterThan(0)
      const files = globSync(pattern, { cwd: root })
      const size = files.reduce((sum, file) => sum + statSync(path.join(root, file)).size, 0)
      expect(size).toBeGreaterThan(used)
      expect(files.filter((file) => bytes.get(file))).toEqual([])
    },
  )
})
