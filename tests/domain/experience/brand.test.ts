import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ColorSettings,
  DEFAULT_DARK_PRIMARY_COLOR,
  DEFAULT_PRIMARY_COLOR,
} from '../../../src/contract/experience/experience.ts'
import { brandShades, brandThemes, pageColor, type Shades } from '../../../src/domain/experience/brand.ts'
import { brandExperience } from '../../../src/domain/organisations/brand.ts'
import { buildExperience } from '../given.ts'

const defaults = {
  primaryColor: DEFAULT_PRIMARY_COLOR,
  darkPrimaryColor: DEFAULT_DARK_PRIMARY_COLOR,
  isDarkModeEnabled: true,
}

const [FAINT, VISIBLE] = ['var(--color-line-border-transparent)', 'var(--color-neutral-50)']

describe('the shades of the brand colour', () => {
  it('are "derived by lightening and darkening by 10 percent"', () => {
    expect(brandShades(defaults).light).toMatchObject({
      '--color-brand-default': '#6139F6',
      '--color-brand-hover': 'hsl(253, 91%, 69%)',
      '--color-brand-pressed': 'hsl(253, 91%, 49%)',
    })
  })

  it('have "overlay opacities 0.16 (focus), 0.08 (hover) and 0.12 (pressed)" in both themes', () => {
    const { light, dark } = brandShades(defaults)
    expect(light).toMatchObject({
      '--color-overlay-brand-focused': 'rgba(97, 57, 246, 0.16)',
      '--color-overlay-brand-hover': 'rgba(97, 57, 246, 0.08)',
      '--color-overlay-brand-pressed': 'rgba(97, 57, 246, 0.12)',
    })
    // The readable colour, because the brand colour itself may be too dark for an overlay to be visible.
    expect(dark).toMatchObject({
      '--color-overlay-brand-focused': 'rgba(155, 128, 249, 0.16)',
      '--color-overlay-brand-hover': 'rgba(155, 128, 249, 0.08)',
      '--color-overlay-brand-pressed': 'rgba(155, 128, 249, 0.12)',
    })
  })

  it('belong to the dark colour in the dark theme', () => {
    expect(brandShades(defaults).dark).toMatchObject({
      '--color-brand-default': '#8768F8',
      '--color-brand-hover': 'hsl(253, 91%, 79%)',
      '--color-brand-pressed': 'hsl(253, 91%, 59%)',
    })
  })

  it('are derived for the dark theme if it has no brand colour', () => {
    const { dark } = brandShades({ ...defaults, darkPrimaryColor: '' })
    expect(dark).toHaveProperty('--color-brand-default', '#8768F8')
  })

  it('omit the dark theme while dark mode is disabled', () => {
    expect(brandShades({ ...defaults, isDarkModeEnabled: false }).dark).toBeNull()
  })

  it.each([
    { primaryColor: '#fff', hover: 'hsl(0, 0%, 100%)', pressed: 'hsl(0, 0%, 90%)' },
    { primaryColor: '#000', hover: 'hsl(0, 0%, 10%)', pressed: 'hsl(0, 0%, 0%)' },
    { primaryColor: '#0f0', hover: 'hsl(120, 100%, 60%)', pressed: 'hsl(120, 100%, 40%)' },
    { primaryColor: '#ff0004', hover: 'hsl(359, 100%, 60%)', pressed: 'hsl(359, 100%, 40%)' },
    { primaryColor: '#00FFFF', hover: 'hsl(180, 100%, 60%)', pressed: 'hsl(180, 100%, 40%)' },
  ])('are limited to black and white for $primaryColor', ({ primaryColor, hover, pressed }) => {
    expect(brandShades({ ...defaults, primaryColor }).light).toMatchObject({
      '--color-brand-default': primaryColor,
      '--color-brand-hover': hover,
      '--color-brand-pressed': pressed,
    })
  })
})

it.each([
  ['#20c040', 'hsl(132, 71%, 54%)'],
  ['#20c0a0', 'hsl(168, 71%, 54%)'],
  ['#c04020', 'hsl(12, 71%, 54%)'],
  ['#c02040', 'hsl(348, 71%, 54%)'],
  ['#4020c0', 'hsl(252, 71%, 54%)'],
  ['#808080', 'hsl(0, 0%, 60%)'],
])('a button in the colour %s is lighter under the pointer: %s', (primaryColor, hover) => {
  expect(brandShades({ ...defaults, primaryColor }).light).toHaveProperty('--color-brand-hover', hover)
})

it.each([
  { top: 'plain' as const, light: '#FFFFFF', dark: '#211315' },
  // Two thirds of the glow, which is 13 % of the brand colour, or 17 % in the dark theme.
  { top: 'narrow' as const, light: '#FFE9E9', dark: '#3A1113' },
  { top: 'card' as const, light: '#F8D1D3', dark: '#440D0F' },
])('the colour around the page is that at its top: $top', ({ top, light, dark }) => {
  expect([pageColor('#ff0000', 'light', top), pageColor('#ff0000', 'dark', top)]).toEqual([light, dark])
})

describe('text in or on the brand colour', () => {
  it.each([
    { primaryColor: '#6139F6', text: '#FFFFFF' },
    { primaryColor: '#ffd400', text: '#000000' },
    { primaryColor: '#000', text: '#FFFFFF' },
    { primaryColor: '#fff', text: '#000000' },
  ])('is $text on $primaryColor', ({ primaryColor, text }) => {
    expect(brandShades({ ...defaults, primaryColor }).light).toHaveProperty('--color-brand-text', text)
  })

  it('uses the brand colour itself if that is readable', () => {
    expect(brandShades(defaults).light).toHaveProperty('--color-brand-readable', '#6139F6')
  })

  const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => toHex(value))

  it('is readable on every fill, which is darkened slightly for white text if necessary', () => {
    expect(brandShades(defaults).dark).toMatchObject({
      '--color-brand-fill': '#7C59F7',
      '--color-brand-text': '#FFFFFF',
    })
    fc.assert(
      fc.property(hex, (color) => {
        for (const shades of bothThemes(color)) {
          const [fill, text] = [named(shades, '--color-brand-fill'), named(shades, '--color-brand-text')]
          expect(contrast(text, fill)).toBeGreaterThanOrEqual(TEXT)
          if (contrast('#ffffff', color) >= TEXT) expect(fill).toBe(color)
          if (text === '#000000') expect(fill).toBe(color)
        }
      }),
    )
  })

  it.each([
    { primaryColor: '#7C59F7', light: undefined, dark: undefined },
    { primaryColor: '#FAFAFA', light: VISIBLE, dark: FAINT },
    { primaryColor: '#ffd400', light: VISIBLE, dark: FAINT },
    { primaryColor: '#000', light: FAINT, dark: VISIBLE },
  ])('is on a button with a visible line in a theme in which $primaryColor is close to the card', (row) => {
    const { primaryColor } = row
    const shades = brandShades({ primaryColor, darkPrimaryColor: primaryColor, isDarkModeEnabled: true })
    expect(shades.light['--color-brand-border']).toBe(row.light)
    expect(shades.dark?.['--color-brand-border']).toBe(row.dark)
  })

  it.each([
    { primaryColor: '#6139F6', hover: '#6139F6', pressed: '#3D0BEF' },
    { primaryColor: '#1b5e20', hover: '#27862D', pressed: '#103713' },
    { primaryColor: '#ffd400', hover: '#FFDD33', pressed: '#CCAA00' },
    { primaryColor: '#7a7a7a', hover: '#757575', pressed: '#616161' },
  ])(
    'keeps its contrast if the fill of $primaryColor changes its shade',
    ({ primaryColor, hover, pressed }) => {
      expect(brandShades({ ...defaults, primaryColor }).light).toMatchObject({
        '--color-brand-fill-hover': hover,
        '--color-brand-fill-pressed': pressed,
      })
    },
  )

  it('is readable on every shade of a fill, which is the shade of the brand colour or the fill itself', () => {
    fc.assert(
      fc.property(hex, (color) => {
        for (const shades of bothThemes(color)) {
          const [fill, text] = [named(shades, '--color-brand-fill'), named(shades, '--color-brand-text')]
          for (const state of ['hover', 'pressed']) {
            const shade = named(shades, `--color-brand-fill-${state}`)
            expect(contrast(text, shade)).toBeGreaterThanOrEqual(TEXT)
            if (shade !== fill) expect(shade).toBe(fromHsl(named(shades, `--color-brand-${state}`)))
          }
        }
      }),
    )
  })

  // The line has a contrast of 3:1 on the same surfaces (tests/client/theming.test.ts).
  it('is on a button that is visible in every state, or has a visible line', () => {
    const levels = [0x00, 0x22, 0x44, 0x66, 0x88, 0xaa, 0xcc, 0xee, 0xff]
    const sweep = levels.flatMap((red) =>
      levels.flatMap((green) => levels.map((blue) => toHex((red << 16) + (green << 8) + blue))),
    )
    const hardlyVisible = sweep.flatMap((color) =>
      backgrounds(color)
        .filter(({ name, isLit }) => name !== '--color-bg-layer-1' && !isLit)
        .filter(({ shades }) => shades['--color-brand-border'] !== VISIBLE)
        .flatMap(({ shades, name, background }) =>
          ['', '-hover', '-pressed']
            .map((state) => ({ color, name, state, shade: named(shades, `--color-brand-fill${state}`) }))
            .filter(({ shade }) => contrast(shade, background) < RING),
        ),
    )
    expect(hardlyVisible).toEqual([])
  })

  it('keeps its fill if the shade of a pressed button would be hardly visible', () => {
    const [, dark] = bothThemes('#0066dd')
    expect(dark['--color-brand-fill-pressed']).toBe(dark['--color-brand-fill'])
  })

  it('is visible as an icon on a disc in a tenth of itself', () => {
    fc.assert(
      fc.property(hex, (color) => {
        for (const { shades, background } of backgrounds(color)) {
          const readable = named(shades, '--color-brand-readable')
          expect(contrast(readable, mix(readable, background, 0.1))).toBeGreaterThanOrEqual(RING)
        }
      }),
    )
  })

  it('is readable on every surface, including tinted ones', () => {
    fc.assert(
      fc.property(hex, (color) => {
        for (const { shades, background } of backgrounds(color)) {
          const readable = named(shades, '--color-brand-readable')
          expect(contrast(readable, background)).toBeGreaterThanOrEqual(TEXT)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('has a focus ring that is visible on every surface, including tinted ones', () => {
    fc.assert(
      fc.property(hex, (color) => {
        for (const { shades, background } of backgrounds(color)) {
          const [red = 0, green = 0, blue = 0, alpha = 0] =
            named(shades, '--color-focus-ring')
              .match(/[\d.]+/g)
              ?.map(Number) ?? []
          const ring = toHex((red << 16) + (green << 8) + blue)
          expect(contrast(mix(ring, background, alpha), background)).toBeGreaterThanOrEqual(RING)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('keeps its contrast in the colour of an organisation, whatever the colours of the tenant are', () => {
    const tenantColors = fc.record({ primaryColor: hex, darkPrimaryColor: hex })
    fc.assert(
      fc.property(tenantColors, hex, (colors, color) => {
        const experience = buildExperience({ color: { ...colors, isDarkModeEnabled: true } })
        const look = { name: 'Acme', brand: { color }, methods: null }
        const branded = brandExperience(experience, look).color
        expect(branded).toMatchObject({ primaryColor: color, isDarkModeEnabled: true })
        for (const { shades, background } of backgrounds(color, branded)) {
          expect(contrast(named(shades, '--color-brand-readable'), background)).toBeGreaterThanOrEqual(TEXT)
          const [fill, text] = [named(shades, '--color-brand-fill'), named(shades, '--color-brand-text')]
          expect(contrast(text, fill)).toBeGreaterThanOrEqual(TEXT)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('does not change the brand colour itself', () => {
    fc.assert(
      fc.property(hex, (color) => {
        for (const shades of bothThemes(color)) expect(shades).toHaveProperty('--color-brand-default', color)
      }),
    )
  })
})

/** The contrast that WCAG 2.2 §1.4.3 requires of text. */
const TEXT = 4.5
/** The contrast that WCAG 2.2 §1.4.11 requires of a focus ring. */
const RING = 3

const toHex = (value: number) => `#${value.toString(16).padStart(6, '0')}`
const channels = (color: string) =>
  [1, 3, 5].map((index) => Number.parseInt(color.slice(index, index + 2), 16))

const sameInBothThemes = (color: string): ColorSettings => ({
  primaryColor: color,
  darkPrimaryColor: color,
  isDarkModeEnabled: true,
})

function bothThemes(color: string): [light: Shades, dark: Shades] {
  const { light, dark } = brandShades(sameInBothThemes(color))
  return [light, dark ?? {}]
}

/** Converts a colour like CSS does (CSS Color 4, section 7.1). */
function fromHsl(css: string): string {
  const [hue = 0, saturation = 0, lightness = 0] = css.match(/\d+/g)?.map(Number) ?? []
  const [s, l] = [saturation / 100, lightness / 100]
  const part = (n: number) => {
    const k = (n + hue / 30) % 12
    return Math.round(255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return toHex((part(0) << 16) + (part(8) << 8) + part(4)).toUpperCase()
}

/** Returns the shades of both themes with every background on which they appear, tinted and lit ones included. */
function backgrounds(
  color: string,
  settings = sameInBothThemes(color),
): { shades: Shades; name: string; background: string; isLit: boolean }[] {
  const { light, dark } = brandShades(settings)
  const themes = [
    [light, brandThemes.light],
    [dark ?? {}, brandThemes.dark],
  ] as const
  return themes.flatMap(([shades, { surfaces, tinted, tint, lit, glow }]) =>
    Object.entries(surfaces).flatMap(([name, surface]) => {
      const color = named(shades, '--color-brand-default')
      const background = isAmong(tinted, name) ? mix(color, surface, tint) : surface
      const glowing = isAmong(lit, name) ? [mix(color, background, glow)] : []
      return [background, ...glowing].map((each, index) => ({
        shades,
        name,
        background: each,
        isLit: index > 0,
      }))
    }),
  )
}

const isAmong = (names: readonly string[], name: string) => names.includes(name)

const named = (shades: Shades, name: string) => shades[name] ?? ''

function mix(color: string, background: string, share: number): string {
  const [over, under] = [channels(color), channels(background)]
  const mixed = over.map((channel, index) => Math.round(channel * share + (under[index] ?? 0) * (1 - share)))
  return toHex(mixed.reduce((sum, channel) => sum * 256 + channel, 0))
}

/** Computes the contrast as WCAG 2.2 defines it, independently of the product code. */
function contrast(one: string, other: string): number {
  const luminance = (hex: string) =>
    [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => {
      const share = Number.parseInt(hex.slice(1 + 2 * index, 3 + 2 * index), 16) / 255
      return sum + weight * (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4)
    }, 0)
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}
