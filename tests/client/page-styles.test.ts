import { describe, expect, it } from 'vitest'
import { pageTable } from '../../client/app/routes.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { brandShades } from '../../src/domain/experience/brand.ts'
import { layoutClass } from '../../src/domain/experience/page-layout.ts'
import { builtAssets } from '../../src/web/assets.ts'
import { collectStyles, selectModules } from '../../src/web/pages/page-assets.ts'
import { bootExperience, testBootData } from './boot-data.ts'
import { pagesWith, withEverything } from './every-page.ts'
import { everyPage } from './markup-pages.ts'
import { renderElement } from './render.tsx'

/** Tests the styles that each page contains (spec/pages#styles, ADR-0159). */

type Rule = { css: string; selectors: string[] }

const rulesOf = (css: string): Rule[] =>
  [...css.matchAll(/([^{}]+)\{[^{}]*\}/g)].map(([rule, head = '']) => ({
    css: rule,
    selectors: head.split(/,(?![^(]*\))/),
  }))

/**
 * Returns the classes that an element must have to match a selector. Classes in `:not()` and in alternatives are
 * ignored.
 */
function requiredClasses(selector: string): string[] {
  const required = selector.replaceAll(/:not\((?:[^()]|\([^()]*\))*\)|:(?:is|where)\([^()]*,[^()]*\)/g, '')
  return [...required.matchAll(/\.(-?[a-z_][\w-]*)/gi)].map(([, name = '']) => name)
}

/** Returns the CSS rules that match elements of a page but are missing from its styles. */
function missing(page: BootData, html: string, styles: string): string[] {
  const inMarkup = [...html.matchAll(/\sclass="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' '))
  const present = new Set([...inMarkup, 'desktop', 'mobile', layoutClass(page.experience.layout)])
  const isNeeded = (selector: string) => {
    const classes = requiredClasses(selector)
    return classes.length > 0 && classes.every((name) => present.has(name))
  }
  return Object.entries(builtAssets.styles)
    .filter(([address]) => !builtAssets.demo?.sheets.includes(address))
    .flatMap(([, css]) => rulesOf(css))
    .filter(({ css, selectors }) => selectors.some(isNeeded) && !styles.includes(css))
    .map(({ css }) => css)
}

describe('a page’s styles', () => {
  const states = [
    ...everyPage.map((page): BootData => ({ ...testBootData, ...page })),
    ...pageTable.map(({ path }): BootData => ({ ...testBootData, path })),
    ...pagesWith(withEverything),
    { ...testBootData, experience: { ...withEverything, signIn: { methods: [] } } },
    { ...testBootData, experience: { ...withEverything, layout: { type: 'Card' as const } } },
  ]

  it('contain a rule for every class that the server renders', { timeout: 30_000 }, () => {
    const lacking = states.flatMap((page) =>
      missing(page, renderElement(page), collectStyles(page).styles).map((css) => `${page.path}: ${css}`),
    )
    expect(lacking).toEqual([])
  })

  it('are reported as incomplete if a class has no rule', () => {
    const { styles } = collectStyles(testBootData)
    expect(missing(testBootData, '<p class="code-box">', styles)).toContainEqual(
      expect.stringMatching(/^\.code-box\{/),
    )
    const page = { ...testBootData, path: '/register' }
    expect(missing(page, renderElement(page), styles.replace('.description{', '.other{'))).toEqual([
      expect.stringMatching(/^\.description\{/),
    ])
  })

  it('declare every variable and animation that they use', () => {
    for (const page of states) {
      const brand = Object.keys(brandShades(page.experience.color).light)
      const styles = [collectStyles(page).styles, ...brand.map((name) => `${name}:`)].join()
      // A variable with a fallback need not be declared.
      const used = new Set([...styles.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name))
      expect([...used].filter((name) => !styles.includes(`${name}:`))).toEqual([])
    }
    const all = Object.values(builtAssets.styles).join('')
    const animations = [...all.matchAll(/@keyframes ([\w-]+)/g)].map(([, name]) => name)
    expect(animations.length).toBeGreaterThan(0)
    for (const css of Object.values(builtAssets.styles))
      for (const name of animations)
        if (new RegExp(`animation[^;}]*\\b${name}\\b`).test(css))
          expect(collectStyles(testBootData).styles + css).toContain(`@keyframes ${name}{`)
  })

  it('leave out rules for other pages and settings', () => {
    const { styles } = collectStyles(testBootData)
    expect(styles).not.toMatch(
      /\.code-box|\.consent-|\.countries|\.sheet|\.picture|data-dark-mode|data-theme/,
    )
    expect(styles).not.toMatch(/\.social|\.country-|\.vestibule-custom-content|--color-success/)
    const dark = collectStyles({ ...testBootData, experience: withEverything }).styles
    expect(dark).toContain('@media (prefers-color-scheme:dark){html[data-dark-mode=true]:not([data-theme]){')
    expect(dark).not.toContain('data-theme=')
    expect(dark).toMatch(/\.social .*\.vestibule-custom-content|\.vestibule-custom-content.*\.social /s)
  })

  it.each(['Card', 'Split', 'Plain'] as const)('contain no rules for layouts other than %s', (type) => {
    const { styles } = collectStyles({ ...testBootData, experience: { ...bootExperience, layout: { type } } })
    const named = new Set([...styles.matchAll(/\.(layout-\w+)/g)].map(([, name]) => name))
    expect([...named]).toEqual([`layout-${type.toLowerCase()}`])
    expect(styles.includes('.vestibule-picture')).toBe(type === 'Split')
  })

  it('declare all variables if the operator has custom CSS (spec/experience#css-variables)', () => {
    const { styles } = collectStyles({ ...testBootData, experience: { ...bootExperience, customCss: 'a{}' } })
    for (const css of Object.values(builtAssets.styles))
      for (const [, name] of css.matchAll(/[{;](--[\w-]+):/g)) expect(styles).toContain(`${name}:`)
  })

  it('contain the rules for every theme and setting in a preview', () => {
    const { styles } = collectStyles({ ...testBootData, preview: { origins: [] } })
    expect(styles).toContain('html[data-theme=dark]{')
    expect(styles).not.toContain('prefers-color-scheme')
    for (const name of ['social', 'vestibule-custom-content', 'layout-card', 'layout-split', 'layout-plain'])
      expect(styles).toContain(`.${name}`)
  })
})

it('the style sheets of different pages never style the same elements', () => {
  const ofPages = Object.entries(builtAssets.styles).filter(
    ([address]) =>
      ![...builtAssets.entry.sheets, ...(builtAssets.demo?.sheets ?? [])].includes(address) &&
      (address === builtAssets.settings.dialog || !Object.values(builtAssets.settings).includes(address)),
  )
  expect(ofPages.length).toBeGreaterThan(5)
  for (const [address, css] of ofPages) {
    const others = ofPages.filter(([other]) => other !== address).map(([, text]) => text)
    const taken = new Set(
      others.flatMap(rulesOf).flatMap(({ selectors }) => selectors.flatMap(requiredClasses)),
    )
    const shared = rulesOf(css)
      .flatMap(({ selectors }) => selectors)
      .filter(
        (selector) => selector.includes('.') && requiredClasses(selector).every((name) => taken.has(name)),
      )
    expect(shared).toEqual([])
  }
})

describe('the modules that a page preloads', () => {
  const landing = selectModules(testBootData)
  const calls = builtAssets.journeys.modules.filter((module) => !landing.includes(module))

  it('exclude the modules for API calls if the page makes no initial call', () => {
    expect(calls.length).toBeGreaterThan(0)
    expect(landing).toEqual([
      ...builtAssets.entry.modules,
      ...(builtAssets.pages['sign-in']?.modules ?? ['missing']),
    ])
  })

  it.each(['alert', 'confirm'] as const)('include the modules for an open %s dialog', (kind) => {
    const shared = { message: 'a', back: 0 }
    const notice =
      kind === 'alert'
        ? ({ kind, ...shared } as const)
        : ({ kind, ...shared, yes: 'b', intent: 'c' } as const)
    expect(selectModules({ ...testBootData, notice })).toEqual([...landing, ...calls])
    expect(collectStyles({ ...testBootData, notice })).toEqual({
      styles: expect.stringContaining('.dialog{'),
      sheets: [builtAssets.settings.dialog],
    })
    expect(collectStyles(testBootData).styles).not.toContain('.dialog')
  })

  it.each([
    { path: '/nowhere' },
    { error: { code: 'oidc.invalid_target', message: 'a' } },
    { logout: { stage: 'done' } },
  ] as const)('include the modules for the message that replaces the page: %o', (bootData) => {
    const named = selectModules({ ...testBootData, ...bootData })
    expect(named).toEqual(expect.arrayContaining([...(builtAssets.pages.ending?.modules ?? ['missing'])]))
  })
})
