import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { findPage } from '../../client/app/routes.ts'
import { createTranslator } from '../../client/context/phrases.ts'
import type { Assets } from '../../src/web/assets.ts'

/** Tests how a browser loads the build (ADR-0046). `budget.test.ts` checks the sizes. */

const manifest: Assets = JSON.parse(readFileSync('build/manifest.json', 'utf8'))
const read = (address: string) => readFileSync(`build/client${address}`, 'utf8')
const withPage = (page: string) => [...manifest.entry.modules, ...(manifest.pages[page]?.modules ?? [])]
const withCalls = (page: string) => [...new Set([...withPage(page), ...manifest.journeys.modules])]

describe('a page’s modules', () => {
  it('are three files on the sign-in page', () => {
    expect(withPage('sign-in')).toHaveLength(3)
  })

  it.each(Object.keys(manifest.pages))(
    'are at most six files on the page %s, including those for API calls',
    (page) => {
      expect(withCalls(page).length).toBeLessThanOrEqual(6)
    },
  )

  it('include all modules that they import', () => {
    for (const page of Object.keys(manifest.pages)) {
      const named = withCalls(page)
      const imported = named.flatMap((address) =>
        [...read(address).matchAll(/\bfrom\s*["'`]\.\/([^"'`]+)["'`]/g)].map(([, file]) => `/assets/${file}`),
      )
      expect(imported.filter((address) => !named.includes(address))).toEqual([])
    }
  })

  it('leave at most four more modules to load on the next pages', () => {
    const next = findPage('/sign-in')?.next ?? []
    const more = next.flatMap((path) => manifest.pages[findPage(path)?.page ?? '']?.modules ?? [])
    const known = new Set(withPage('sign-in'))
    expect(next.length).toBeGreaterThan(0)
    expect([...new Set(more)].filter((address) => !known.has(address)).length).toBeLessThanOrEqual(4)
  })
})

it('only the initial script has the hint to compile all its functions eagerly', () => {
  const scripts = readdirSync('build/client/assets').filter((file) => file.endsWith('.js'))
  const hinted = scripts.filter((file) =>
    read(`/assets/${file}`).startsWith('//# allFunctionsCalledOnLoad\n'),
  )
  expect(hinted).toEqual([expect.stringMatching(/^first-.*\.js$/)])
})

it('the scripts do not preload dynamic imports', () => {
  expect(withPage('sign-in').filter((address) => read(address).includes('vite:preloadError'))).toEqual([])
})

it('the translator does not use Intl until it formats a list', () => {
  const supportedLocales = vi.spyOn(Intl.ListFormat, 'supportedLocalesOf')
  const translate = createTranslator({
    language: 'de',
    phrases: { action: { sign_in: 'Anmelden', bind: '{{types, list(type: disjunction;)}}' } },
  })
  expect(translate('action.sign_in')).toBe('Anmelden')
  expect(supportedLocales).not.toHaveBeenCalled()
  expect(translate('action.bind', { types: ['a', 'b'] })).toBe('a oder b')
  expect(supportedLocales).toHaveBeenCalledOnce()
})

describe('cacheable files', () => {
  const rules = new Map(
    readFileSync('build/client/_headers', 'utf8')
      .split(/^(?=\/)/m)
      .map((rule) => [rule.split('\n', 1)[0], /Cache-Control: (.*)/.exec(rule)?.[1]]),
  )

  it('are cached for a year if their names contain a content hash, and otherwise for a day', () => {
    expect(rules.get('/assets/*')).toBe('public, max-age=31536000, immutable')
    expect([rules.get('/*.svg'), rules.get('/*.png')]).toEqual(Array(2).fill('public, max-age=86400'))
    // The headers of a rule for all paths would be added to those of the rules above.
    expect(rules.get('/*')).toBeUndefined()
  })
})
