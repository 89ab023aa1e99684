import { readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { CONSOLE_BYTES, consoleBytes } from '../../bench/console-bytes.ts'

// Compression takes seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

/** The modules of each file: packages by name. */
const modules: Record<string, string[]> = JSON.parse(readFileSync('build/console-modules.json', 'utf8'))

/** spec/budgets#console. */
const { first, areas } = consoleBytes()

it('the console starts with what its budget allows', () => {
  expect(first).toBeLessThanOrEqual(CONSOLE_BYTES.first)
})

it.each(Object.entries(areas))('%s adds what its budget allows', (_, added) => {
  expect(added).toBeLessThanOrEqual(CONSOLE_BYTES.area)
})

it('no script of the console holds the schema library', () => {
  const packages = Object.values(modules).flat()
  expect(packages).toContain('oidc-client-ts')
  expect(packages.filter((name) => /zod/.test(name))).toEqual([])
})
