import { readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { expect, it, vi } from 'vitest'

// Compression takes seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

/** Bytes as they travel (spec/budgets#console), measured on the build. */
const BUDGET = { first: 170_000, area: 40_000 }

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const manifest: { entry: string; preload: string[]; styles: string } = read('build/console.json')
/** What each file that is loaded later needs, by its name. */
const later: Record<string, string[]> = read('build/console-areas.json')
/** The modules of each file: packages by name. */
const modules: Record<string, string[]> = read('build/console-modules.json')

const first = [manifest.entry, ...manifest.preload]
const bytes = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + brotliCompressSync(readFileSync(`build/client${file}`)).length, 0)

it('the console starts with what its budget allows', () => {
  expect(bytes([...first, manifest.styles])).toBeLessThanOrEqual(BUDGET.first)
})

it.each(Object.entries(later))('%s adds what its budget allows', (_, files) => {
  expect(bytes(files.filter((file) => !first.includes(file)))).toBeLessThanOrEqual(BUDGET.area)
})

it('no script of the console holds the schema library', () => {
  const packages = Object.values(modules).flat()
  expect(packages).toContain('oidc-client-ts')
  expect(packages.filter((name) => /zod/.test(name))).toEqual([])
})
