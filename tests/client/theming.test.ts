import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DEFAULT_EXPERIENCE } from '../../src/contract/experience/experience.ts'
import { brandShades, brandThemes } from '../../src/domain/experience/brand.ts'
import { builtAssets } from '../../src/web/assets.ts'
import { contrast, everyGround, fullHex, groundsOf, luminance } from '../kit/contrast.ts'
import { themeSheets } from '../kit/design-tokens.ts'

const [light = '', dark = ''] = themeSheets()
const styles = Object.values(builtAssets.styles).join('')
const docs = readFileSync('docs/guides/theming.md', 'utf8')

/** Expands abbreviated names. For example, `--color-neutral-0|10|20` represents three variables. */
const spelled = (names: string): string[] =>
  names
    .trim()
    .split(/\s+/)
    .flatMap((name) => {
      const [first = '', ...others] = name.split('|')
      const stem = first.replace(/-[^-]*$/, '')
      return [first, ...others.map((other) => `${stem}-${other}`)]
    })

/** The CSS variables listed in spec/experience#css-variables. */
const promised = spelled(`
  --radius --max-width
  --font-headline-1|2 --font-title-1|2|3 --font-label-1|2|3 --font-body-1|2|3 --font-subhead-cap
  --color-brand-default|hover|pressed|fill|text|readable --color-brand-fill-hover|pressed --color-focus-ring
  --color-overlay-brand-focused|hover|pressed --color-brand-30|40|50|70
  --color-neutral-0|10|20|50|80|90|95|99|100 --color-neutral-variant-60|70|80|90
  --color-danger-30|40|50|60|70|80|default|hover|pressed
  --color-success-60|70|80|90|default|hover|pressed|disable --color-alert-70|99
  --color-type-primary|secondary|disable|link --color-line-divider|border|border-transparent
  --color-bg-body-base --color-bg-body --color-bg-body-overlay --color-bg-layer-1|2 --color-bg-float-base --color-bg-float
  --color-bg-float-overlay --color-bg-mask|toast --color-bg-state-unselected|disabled
  --color-overlay-neutral-focused|hover|pressed --color-overlay-danger-focused|hover|pressed
  --color-surface --color-surface-2|3|4 --color-static-white|black --color-static-dark-type-primary --color-shadow-1|2`)

const byServer = Object.keys(brandShades(DEFAULT_EXPERIENCE.color).light)
const isDefined = (name: string) => byServer.includes(name) || new RegExp(`^\\s*${name}:`, 'm').test(light)

describe('the CSS names documented for operators', () => {
  it('are all defined', () => {
    expect(promised).toHaveLength(96)
    expect(promised.filter((name) => !isDefined(name))).toEqual([])
  })

  it('are all documented', () => {
    const named = spelled(
      [...docs.matchAll(/`(--[\w/-]+)`/g)].map(([, names = '']) => names.replaceAll('/', '|')).join(' '),
    )
    expect(promised.filter((name) => !named.includes(name))).toEqual([])
    expect(named.filter((name) => !isDefined(name))).toEqual([])
  })

  it.each(['page', 'main', 'picture', 'custom-content', 'signature', 'branding'])(
    'include the class vestibule-%s, which a rule with one class can override',
    (name) => {
      expect(docs).toContain(`\`vestibule-${name}\``)
      expect(styles).toContain(`.vestibule-${name}`)
      const stronger = new RegExp(`(?:^|[},])\\s*[.#\\[][\\w-]+[^{},()]*\\.vestibule-${name}\\s*[,{]`)
      expect(styles).not.toMatch(stronger)
    },
  )
})

const value = (css: string, name: string) => new RegExp(`^\\s*${name}: ([^;]+);`, 'm').exec(css)?.[1] ?? ''

describe.each([
  { name: 'light', css: light, theme: brandThemes.light },
  { name: 'dark', css: dark, theme: brandThemes.dark },
])('the $name theme', ({ css, theme }) => {
  it('uses the backgrounds for which the brand colour is computed', () => {
    const { surfaces, tinted, tint } = theme
    for (const [name, hex] of Object.entries(surfaces)) {
      const isTinted = tinted.some((each) => each === name)
      expect(fullHex(value(css, name))).toBe(
        isTinted ? `color-mix(in srgb, var(--color-brand-default) ${tint * 100}%, ${hex})` : hex,
      )
    }
    expect(value(css, '--color-glow')).toContain(` ${theme.glow * 100}%,`)
  })

  it.each([
    '--color-type-primary',
    '--color-type-secondary',
    '--color-danger-default',
    '--color-success-default',
  ])('has readable text on every background in the colour %s', (text) => {
    for (const ground of everyGround(theme)) {
      expect(contrast(fullHex(value(css, text)), ground)).toBeGreaterThanOrEqual(4.5) // WCAG 2.2 §1.4.3
    }
  })

  it.each(['neutral', 'danger'])(
    'has "overlay opacities 0.16 (focus), 0.08 (hover) and 0.12 (pressed)": %s',
    (kind) => {
      const alphas = ['focused', 'hover', 'pressed'].map(
        (state) => /(\d+%)\)$/.exec(value(css, `--color-overlay-${kind}-${state}`))?.[1],
      )
      expect(alphas).toEqual(['16%', '8%', '12%'])
    },
  )

  it('has visible field outlines on every background', () => {
    const line = fullHex(value(css, '--color-neutral-variant-60'))
    for (const ground of everyGround(theme)) {
      expect(contrast(line, ground)).toBeGreaterThanOrEqual(2.6)
    }
    for (const ground of groundsOf(theme, '--color-bg-float')) {
      expect(contrast(line, ground)).toBeGreaterThanOrEqual(3) // WCAG 2.2 §1.4.11
    }
  })

  it('has a visible line for buttons that are hardly visible themselves', () => {
    const line = fullHex(value(css, '--color-neutral-50'))
    for (const name of ['--color-bg-float', '--color-bg-body', '--color-bg-body-base'])
      for (const ground of groundsOf(theme, name)) expect(contrast(line, ground)).toBeGreaterThanOrEqual(3) // WCAG 2.2 §1.4.11
  })
})

it('the panel beside a dark form is dark enough for light text and a light logo, whatever the brand', () => {
  const panel = /\[data-theme="dark"\]\) \.vestibule-picture \{[^}]*brand-default\) (\d+)%, #000\)/.exec(
    readFileSync('client/styles/layout-split.css', 'utf8'),
  )
  // In OKLab, a mixture with black has the share of the colour's lightness, and so its third power of the luminance.
  const share = Number(panel?.[1]) / 100
  const brightest = share ** 3
  const text = luminance(fullHex(value(dark, '--color-type-primary')))
  expect((text + 0.05) / (brightest + 0.05)).toBeGreaterThanOrEqual(4.5)
  // The lightness of the default brand and of a bright one, in OKLab.
  for (const lightness of [0.62, 0.87]) {
    expect(lightness * share).toBeGreaterThanOrEqual(0.24)
    expect(lightness * share).toBeLessThanOrEqual(0.35)
  }
})
