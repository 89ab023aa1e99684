import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ACCESSIBILITY, renderAccessibility } from '../scripts/accessibility.mjs'
import {
  DATA_PROTECTION,
  describedCookies,
  describedTables,
  renderDataProtection,
  tableNames,
} from '../scripts/data-protection.mjs'
import { replaceSections } from '../scripts/generated-sections.mjs'

it.each([
  { file: DATA_PROTECTION, render: renderDataProtection },
  { file: ACCESSIBILITY, render: renderAccessibility },
])('$file shows the current facts (npm run diagrams)', async ({ file, render }) => {
  const document = readFileSync(file, 'utf8')
  expect(document).toBe(replaceSections(document, await render()))
})

describe('the data protection page describes', () => {
  it('every table, once', async () => {
    expect(describedTables.toSorted()).toEqual((await tableNames()).sort())
  })

  it('every cookie', () => {
    const beginnings = describedCookies.map((name) => name.replace(/\{.*/, ''))
    expect(cookiesInCode()).toEqual(expect.arrayContaining(['_known', '_account_hint', '_step_', 'i18next']))
    expect(cookiesInCode().filter((name) => !beginnings.includes(name))).toEqual([])
    expect(beginnings.filter((name) => !cookiesInCode().includes(name))).toEqual([])
  })

  it('the storage of every module that uses the storage of browsers', () => {
    const files = globSync('client/**/*.{ts,tsx}').filter((file) =>
      /\b(?:local|session)Storage\b/.test(readFileSync(file, 'utf8')),
    )
    const described = ['draft', 'no-cache', 'notification', 'silent-creation', 'social-state']
    expect(files.filter((file) => !file.startsWith('client/demo/')).sort()).toEqual(
      described.map((name) => `client/browser/${name}.ts`),
    )
  })
})

/**
 * Returns the names of cookies in the sources: every text that begins with an underscore, as all our cookies but one
 * do, and the value of every constant that is named after a cookie. A name that ends with an underscore is a beginning.
 */
function cookiesInCode(): string[] {
  const notCookies = ['_blank', '_few', '_prepare']
  const patterns = [
    /['"`](_[a-z]+(?:_[a-z]+)*_?)(?:['"]|\$\{|`)/g,
    /_COOKIE\w* = '(\w+)'/g,
    /^ {2}(_[a-z_]+): \{ schema/gm,
  ]
  const names = globSync('src/**/*.{ts,tsx}').flatMap((file) => {
    const code = readFileSync(file, 'utf8')
    return patterns.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name = '']) => name))
  })
  return [...new Set(names)].filter((name) => !notCookies.includes(name)).sort()
}
