import { readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { CONSOLE_BYTES, consoleBytes } from '../../bench/console-bytes.ts'

// Compression takes seconds on a busy machine, so the time limit is higher than usual.
vi.setConfig({ testTimeout: 30_000 })

/** The modules in each script. Packages are listed by name. */
const modules: Record<string, string[]> = JSON.parse(readFileSync('build/console-modules.json', 'utf8'))

/** The sizes of the console scripts, which are limited in spec/budgets#console. */
const { first, areas } = consoleBytes()

it('the initial console scripts stay within budget', () => {
  expect(first).toBeLessThanOrEqual(CONSOLE_BYTES.first)
})

it.each(Object.entries(areas))('the area %s stays within budget', (_, added) => {
  expect(added).toBeLessThanOrEqual(CONSOLE_BYTES.area)
})

it('the scripts do not contain the schema library', () => {
  const packages = Object.values(modules).flat()
  expect(packages).toContain('oidc-client-ts')
  expect(packages.filter((name) => /zod/.test(name))).toEqual([])
})
