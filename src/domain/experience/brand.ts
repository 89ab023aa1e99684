/** Derives shades from the operator's brand colour (spec/experience#brand-shades). */
import type { ColorSettings } from '../../contract/experience/experience.ts'
import { contrast, fromHex, fromHsl, hsl, lighten, mix, type Rgb, rgba, shift, toHex } from './color.ts'
import { deriveDarkBrand, SHADE_STEP } from './dark-brand.ts'

/** CSS variables by name, which are set as inline styles on the body element. */
export type Shades = Record<string, string>

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]

type Theme = {
  /** The backgrounds of links and focus rings, by the names of their CSS variables in `client/styles`. */
  surfaces: Readonly<Record<string, string>>
  /**
   * The surfaces that are tinted with the brand colour, so that neutral colours match it. `tint` is the share of the
   * brand colour, from 0 to 1.
   */
  tinted: readonly string[]
  tint: number
  /**
   * The page backgrounds that glow in the brand colour (`--color-glow`). `glow` is the share of the brand colour, from
   * 0 to 1.
   */
  lit: readonly string[]
  glow: number
  /** 1 if a colour is lightened until it is readable, or -1 if it is darkened. */
  step: 1 | -1
}

/** A test compares these surfaces with the style sheets. */
export const brandThemes = {
  light: {
    surfaces: {
      '--color-bg-float': '#ffffff',
      '--color-bg-body': '#ffffff',
      '--color-bg-body-base': '#f7f7f9',
      '--color-bg-layer-1': '#f8f8fa',
    },
    tinted: ['--color-bg-body-base', '--color-bg-layer-1'],
    tint: 0.03,
    lit: ['--color-bg-body', '--color-bg-body-base'],
    glow: 0.13,
    step: -1,
  },
  dark: {
    surfaces: {
      '--color-bg-float': '#1c1d20',
      '--color-bg-body': '#131416',
      '--color-bg-body-base': '#101113',
      '--color-bg-layer-1': '#242529',
    },
    tinted: ['--color-bg-float', '--color-bg-body', '--color-bg-body-base', '--color-bg-layer-1'],
    tint: 0.06,
    lit: ['--color-bg-body', '--color-bg-body-base'],
    glow: 0.17,
    step: 1,
  },
} as const satisfies Record<string, Theme>

const OVERLAY_ALPHA = { focused: 0.16, hover: 0.08, pressed: 0.12 }
/**
 * The largest difference by which a button may be darker than the brand colour so that its text can be white, in
 * percentage points of HSL lightness.
 */
const FILL_STEPS = 10
/** The minimum contrast ratio for text of normal size (WCAG 2.2 §1.4.3). */
const READABLE_CONTRAST = 4.5
/** The minimum contrast ratio of a focus ring, and of a button without a line around it (WCAG 2.2 §1.4.11). */
const VISIBLE_CONTRAST = 3

/** The backgrounds of pages, each with the share of the glow at the centre of its top edge (`.vestibule-page`). */
const pageTops = {
  plain: { surface: '--color-bg-body', share: 0 },
  // The centre of the glow is above the page by a third of its radius.
  narrow: { surface: '--color-bg-body', share: 2 / 3 },
  card: { surface: '--color-bg-body-base', share: 1 },
} as const

/** Returns the colour at the top of a page, which phones show around it. */
export function pageColor(brand: string, theme: 'light' | 'dark', top: keyof typeof pageTops): string {
  const { surface, share } = pageTops[top]
  const color = fromHex(brand)
  const { glow } = brandThemes[theme]
  return toHex(mix(color, surfaceIn(brandThemes[theme], surface, color), glow * share))
}

/** Returns the CSS variables of both themes. `dark` is null if dark mode is disabled. */
export function brandShades({ primaryColor, darkPrimaryColor, isDarkModeEnabled }: ColorSettings): {
  light: Shades
  dark: Shades | null
} {
  const light = shades(brandThemes.light, primaryColor)
  const dark = darkPrimaryColor || deriveDarkBrand(primaryColor)
  const themes = { light, dark: isDarkModeEnabled ? shades(brandThemes.dark, dark) : null }
  return isBordered(themes.light) || isBordered(themes.dark) ? themes : withoutBorders(themes)
}

function shades(theme: Theme, brand: string): Shades {
  const base = fromHex(brand)
  const [hover, pressed] = [shift(base, SHADE_STEP), shift(base, -SHADE_STEP)]
  const { fill, text } = fillOf(base)
  const backgrounds = backgroundsIn(theme, base)
  const readable = readableOn(backgrounds, base, theme.step)
  // On a dark background, the brand colour itself may be too dark for an overlay to be visible.
  const overlay = theme.step === 1 ? readable : base
  const fillCode = fill === base ? brand : toHex(fill)
  const isVisible = (color: Rgb) =>
    BUTTON_GROUNDS.every((name) => contrast(color, surfaceIn(theme, name, base)) >= VISIBLE_CONTRAST)
  const needsLine = !isVisible(fill)
  const fillIn = (shade: Rgb) =>
    contrast(shade, text) >= READABLE_CONTRAST && (needsLine || isVisible(shade)) ? toHex(shade) : fillCode
  return {
    '--color-brand-default': brand,
    '--color-brand-hover': hsl(hover),
    '--color-brand-pressed': hsl(pressed),
    '--color-overlay-brand-focused': rgba(overlay, OVERLAY_ALPHA.focused),
    '--color-overlay-brand-hover': rgba(overlay, OVERLAY_ALPHA.hover),
    '--color-overlay-brand-pressed': rgba(overlay, OVERLAY_ALPHA.pressed),
    '--color-brand-fill': fillCode,
    '--color-brand-fill-hover': fillIn(fromHsl(hover)),
    '--color-brand-fill-pressed': fillIn(fromHsl(pressed)),
    '--color-brand-text': toHex(text),
    [BORDER]: needsLine ? VISIBLE_LINE : FAINT_LINE,
    '--color-brand-readable': toHex(readable),
    '--color-focus-ring': rgba(readable, ringAlpha(backgrounds, readable)),
  }
}

/**
 * Returns the colours of the main button: the brand colour, or a darker shade, with white text if it is readable.
 * Otherwise, the background is the brand colour and the text is black.
 */
function fillOf(brand: Rgb): { fill: Rgb; text: Rgb } {
  for (let points = 0; points <= FILL_STEPS; points++) {
    const fill = points === 0 ? brand : lighten(brand, -points)
    if (contrast(fill, WHITE) >= READABLE_CONTRAST) return { fill, text: WHITE }
  }
  return { fill: brand, text: BLACK }
}

/** The surfaces on which the main button appears: the card, the page without one, and the account centre. */
const BUTTON_GROUNDS = ['--color-bg-float', '--color-bg-body', '--color-bg-body-base']

/** The border of the main button. It is a visible line only if the button is hardly visible on one of its grounds. */
const BORDER = '--color-brand-border'
const VISIBLE_LINE = 'var(--color-neutral-50)'
const FAINT_LINE = 'var(--color-line-border-transparent)'

const isBordered = (theme: Shades | null) => theme?.[BORDER] === VISIBLE_LINE

/** Omits the borders if no theme has a visible one, because the styles have a faint line by default. */
function withoutBorders({ light, dark }: { light: Shades; dark: Shades | null }) {
  const { [BORDER]: _, ...others } = light
  const { [BORDER]: __, ...darkOthers } = dark ?? {}
  return { light: others, dark: dark && darkOthers }
}

/** Returns the surfaces of a theme, each also with the glow of the brand if it can have one. */
function backgroundsIn(theme: Theme, brand: Rgb): readonly Rgb[] {
  return Object.keys(theme.surfaces).flatMap((name) => {
    const surface = surfaceIn(theme, name, brand)
    return theme.lit.includes(name) ? [surface, mix(brand, surface, theme.glow)] : [surface]
  })
}

/** Returns the brand colour for text. Its lightness is adjusted in small steps until it is readable everywhere. */
function readableOn(backgrounds: readonly Rgb[], brand: Rgb, step: 1 | -1): Rgb {
  const isReadable = (color: Rgb) =>
    backgrounds.every((background) => contrast(color, background) >= READABLE_CONTRAST)
  let color = brand
  for (let points = step; !isReadable(color); points += step) color = lighten(brand, points)
  return color
}

/**
 * Returns the lowest opacity, in steps of 5 %, with which a focus ring in the readable colour is visible everywhere.
 */
function ringAlpha(backgrounds: readonly Rgb[], readable: Rgb): number {
  const isVisible = (percent: number) =>
    backgrounds.every(
      (background) => contrast(mix(readable, background, percent / 100), background) >= VISIBLE_CONTRAST,
    )
  let percent = 50
  while (!isVisible(percent)) percent += 5
  return percent / 100
}

function surfaceIn({ surfaces, tinted, tint }: Theme, name: string, brand: Rgb): Rgb {
  const surface = fromHex(surfaces[name] ?? '#000')
  return tinted.includes(name) ? mix(brand, surface, tint) : surface
}
