import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pageTable } from '../../client/app/routes.ts'
import { requiredClasses, styleRules } from '../../scripts/style-rules.ts'
import { classesNamedIn } from '../../scripts/styles-of-pages.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { brandShades } from '../../src/domain/experience/brand.ts'
import type { StyleRule } from '../../src/domain/experience/style-sheet.ts'
import { builtAssets } from '../../src/web/assets.ts'
import { modulesFor, stylesFor, wholeSheet } from '../../src/web/pages/page-assets.ts'
import { bootExperience, testBootData } from './boot-data.ts'
import { pagesWith, withEverything } from './every-page.ts'
import { everyPage } from './markup-pages.ts'
import { renderElement } from './render.tsx'

/** Only the styles that a page uses are part of it (spec/pages#styles, ADR-0068). */

const { rules } = builtAssets.styles
const file = readFileSync(`build/client${builtAssets.stylesFile}`, 'utf8')

/** The rules of the sheet for the elements of this markup that the styles of the page lack. */
function missing(html: string, styles: string, sheet: readonly StyleRule[] = rules): string[] {
  const given = [...html.matchAll(/\sclass="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' '))
  const present = new Set([...given, 'desktop', 'mobile'])
  return sheet
    .filter(({ classes = [] }) => classes.every((name) => present.has(name)))
    .filter(({ name, declares }) => name === undefined && !declares)
    .map(({ css }) => css)
    .filter((css) => !styles.includes(css))
}

describe('the styles of a page', () => {
  const states = [
    ...everyPage.map((page): BootData => ({ ...testBootData, ...page })),
    ...pageTable.map(({ path }): BootData => ({ ...testBootData, path })),
    ...pagesWith(withEverything),
    { ...testBootData, experience: { ...withEverything, signIn: { methods: [] } } },
    { ...testBootData, experience: { ...withEverything, layout: { type: 'Card' as const } } },
  ]

  it('have the rules of every class that the server renders', { timeout: 30_000 }, () => {
    const lacking = states.flatMap((page) =>
      missing(renderElement(page), stylesFor(page)).map((css) => `${page.path}: ${css}`),
    )
    expect(lacking).toEqual([])
  })

  it('would not go without a rule unnoticed', () => {
    const styles = stylesFor(testBootData)
    expect(missing('<p class="code-box">', styles)).toContainEqual(expect.stringMatching(/^\.code-box\{/))
    expect(
      missing(
        renderElement({ ...testBootData, path: '/register' }),
        styles.replace('.description{', '.other{'),
      ),
    ).toEqual([expect.stringMatching(/^\.description\{/)])
  })

  it('declare every variable and animation that they use', () => {
    for (const page of states) {
      const brand = Object.keys(brandShades(page.experience.color).light)
      const styles = [stylesFor(page), ...brand.map((name) => `${name}:`)].join()
      const used = new Set([...styles.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name))
      expect([...used].filter((name) => !styles.includes(`${name}:`))).toEqual([])
      for (const { name, declares } of rules)
        if (name && !declares && new RegExp(`animation[^;}]*\\b${name}\\b`).test(styles))
          expect(styles).toContain(`@keyframes ${name}{`)
    }
  })

  it('leave out what belongs to other pages and settings', () => {
    const styles = stylesFor(testBootData)
    expect(styles).not.toMatch(
      /\.code-box|\.consent-|\.countries|\.sheet|\.picture|data-dark-mode|data-theme/,
    )
    expect(styles).not.toMatch(/\.social|\.country-|\.vestibule-custom-content|--color-success/)
    const dark = stylesFor({ ...testBootData, experience: withEverything })
    expect(dark).toMatch(/prefers-color-scheme:dark/)
    expect(dark).toMatch(/\.social .*\.vestibule-custom-content|\.vestibule-custom-content.*\.social /s)
  })

  it.each(['Card', 'Split', 'Plain'] as const)('have the rules of the layout %s alone', (type) => {
    const styles = stylesFor({ ...testBootData, experience: { ...bootExperience, layout: { type } } })
    const named = new Set([...styles.matchAll(/\.(layout-\w+)/g)].map(([, name]) => name))
    expect([...named]).toEqual([`layout-${type.toLowerCase()}`])
    expect(styles.includes('.vestibule-picture')).toBe(type === 'Split')
  })

  it('declare all variables where the operator has CSS (spec/experience#css-variables)', () => {
    const styles = stylesFor({ ...testBootData, experience: { ...bootExperience, customCss: 'a{}' } })
    for (const [, name] of file.matchAll(/[{;](--(?!lightningcss)[\w-]+):/g))
      expect(styles).toContain(`${name}:`)
  })

  it('are in the order of the sheet', () => {
    let at = 0
    for (const { css } of rules.filter(({ name, declares }) => !name && !declares)) {
      const found = stylesFor(testBootData).indexOf(css, at)
      if (found >= 0) at = found
      else expect(stylesFor(testBootData)).not.toContain(css)
    }
  })
})

it('the whole sheet is the file that the script adds', () => {
  expect(styleRules(wholeSheet().replaceAll(';}', '}'))).toEqual(styleRules(file))
  expect(stylesFor({ ...testBootData, preview: { origins: [] } })).toBe(wholeSheet())
})

describe('the modules that a page names ahead', () => {
  const landing = modulesFor(testBootData)
  const calls = builtAssets.journeys.filter((module) => !landing.includes(module))

  it('are few where nothing is called at once', () => {
    expect(calls.length).toBeGreaterThan(0)
    expect(landing).toEqual([
      builtAssets.entry,
      ...builtAssets.preload,
      ...(builtAssets.pages['sign-in'] ?? []),
    ])
  })

  it.each(['alert', 'confirm'] as const)('include those of a dialog that is open: %s', (kind) => {
    const shared = { message: 'a', back: 0 }
    const notice =
      kind === 'alert'
        ? ({ kind, ...shared } as const)
        : ({ kind, ...shared, yes: 'b', intent: 'c' } as const)
    expect(modulesFor({ ...testBootData, notice })).toEqual([...landing, ...calls])
    expect(stylesFor({ ...testBootData, notice })).toContain('.dialog{')
    expect(stylesFor(testBootData)).not.toContain('.dialog')
  })

  it.each([
    { path: '/nowhere' },
    { error: { code: 'oidc.invalid_target', message: 'a' } },
    { logout: { stage: 'done' } },
  ] as const)('are those of what has the place of a page: %o', (given) => {
    const named = modulesFor({ ...testBootData, ...given })
    expect(named).toEqual(expect.arrayContaining([...(builtAssets.pages.ending ?? ['missing'])]))
  })
})

describe('taking a sheet apart', () => {
  it.each([
    { selector: '.a .b:hover', required: ['a', 'b'] },
    { selector: '.a:not(.b) > .c', required: ['a', 'c'] },
    { selector: '.a :is(form,.b)', required: ['a'] },
    { selector: ':where(.a) .b:has(>.c)', required: ['a', 'b', 'c'] },
    { selector: '[dir=rtl] h1', required: [] },
  ])('$selector needs $required', ({ selector, required }) => {
    expect(requiredClasses(selector)).toEqual(required)
  })

  it('separates selectors of different classes, and what is inside a query', () => {
    expect(styleRules('@media (width>1px){.a,.b:hover,.b{c:d}}.e{f:g}@keyframes h{0%{i:j}}')).toEqual([
      { around: '@media (width>1px)', css: '.a{c:d}', classes: ['a'] },
      { around: '@media (width>1px)', css: '.b:hover,.b{c:d}', classes: ['b'] },
      { around: '', css: '.e{f:g}', classes: ['e'] },
      { around: '', css: '@keyframes h{0%{i:j}}', name: 'h' },
    ])
  })

  it('finds the classes that a module names', () => {
    const known = new Set(['a', 'b', 'c-d', 'c-e', 'f', 'g'])
    const source = `x ? 'a' : "b z"; // 'f'\n/* 'g' */ \`y c-\${kind}\``
    expect(classesNamedIn(source, known)).toEqual(['a', 'b', 'c-d', 'c-e'])
  })
})
