/** The shades derived from the operator's brand colour (spec/experience#brand-shades). */
import type { Color } from '../contract/experience.ts'

/** CSS variables by name, for inline properties on body. */
export type Shades = Record<string, string>

type Rgb = readonly [red: number, green: number, blue: number]
type Hsl = { hue: number; saturation: number; lightness: number }

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]

type Theme = {
  /** Backgrounds of links and focus rings, by their variables in `client/styles`. */
  surfaces: Readonly<Record<string, string>>
  /** The surfaces that are backgrounds of pages, with this share of the brand colour in them (`--color-glow`). */
  lit: readonly string[]
  glow: number
  /** The direction in which a colour is moved until it is readable. */
  step: 1 | -1
}

/** A test compares the surfaces with the styles. */
export const brandThemes = {
  light: {
    surfaces: {
      '--color-bg-float': '#ffffff',
      '--color-bg-body': '#ffffff',
      '--color-bg-body-base': '#f5f4fa',
      '--color-bg-layer-1': '#f7f6fb',
    },
    lit: ['--color-bg-body', '--color-bg-body-base'],
    glow: 0.13,
    step: -1,
  },
  dark: {
    surfaces: {
      '--color-bg-float': '#1a1c1e',
      '--color-bg-body': '#111214',
      '--color-bg-body-base': '#0e0f11',
      '--color-bg-layer-1': '#202226',
    },
    lit: ['--color-bg-body', '--color-bg-body-base'],
    glow: 0.17,
    step: 1,
  },
} as const satisfies Record<string, Theme>

/** Points of HSL lightness, absolute. */
const SHADE_STEP = 10
const DARK_OVERLAY_STEP = 30
const OVERLAY_ALPHA = { focused: 0.16, hover: 0.08, pressed: 0.12 }
/** WCAG 2.2 §1.4.3: text of normal size. */
const READABLE_CONTRAST = 4.5

/** The variables of both themes; `dark` is null while dark mode is disabled. */
export function brandShades({ primaryColor, darkPrimaryColor, isDarkModeEnabled }: Color): {
  light: Shades
  dark: Shades | null
} {
  const primary = fromHex(primaryColor)
  const light = shades({
    brand: primaryColor,
    overlay: primary,
    readable: readableIn(brandThemes.light, primary),
  })
  if (!isDarkModeEnabled) return { light, dark: null }

  const brand = darkPrimaryColor || toHex(lighten(primary, SHADE_STEP))
  const dark = fromHex(brand)
  return {
    light,
    dark: shades({
      brand,
      overlay: lighten(dark, DARK_OVERLAY_STEP),
      readable: readableIn(brandThemes.dark, dark),
    }),
  }
}

function shades({ brand, overlay, readable }: { brand: string; overlay: Rgb; readable: Rgb }): Shades {
  const base = fromHex(brand)
  return {
    '--color-brand-default': brand,
    '--color-brand-hover': hsl(shifted(base, SHADE_STEP)),
    '--color-brand-pressed': hsl(shifted(base, -SHADE_STEP)),
    '--color-overlay-brand-focused': rgba(overlay, OVERLAY_ALPHA.focused),
    '--color-overlay-brand-hover': rgba(overlay, OVERLAY_ALPHA.hover),
    '--color-overlay-brand-pressed': rgba(overlay, OVERLAY_ALPHA.pressed),
    '--color-brand-text': toHex(contrast(base, WHITE) >= contrast(base, BLACK) ? WHITE : BLACK),
    '--color-brand-readable': toHex(readable),
  }
}

/** The brand colour as text and as a focus ring: moved point by point until it is readable on every surface. */
function readableIn({ surfaces, lit, glow, step }: Theme, brand: Rgb): Rgb {
  const grounds = Object.entries(surfaces).flatMap(([name, hex]) => {
    const surface = fromHex(hex)
    return lit.includes(name) ? [surface, mixed(brand, surface, glow)] : [surface]
  })
  const isReadable = (color: Rgb) => grounds.every((ground) => contrast(color, ground) >= READABLE_CONTRAST)
  let color = brand
  for (let points = step; !isReadable(color); points += step) color = lighten(brand, points)
  return color
}

/** `color-mix(in srgb, …)`. */
function mixed(color: Rgb, ground: Rgb, share: number): Rgb {
  const channel = (index: 0 | 1 | 2) => Math.round(color[index] * share + ground[index] * (1 - share))
  return [channel(0), channel(1), channel(2)]
}

function lighten(color: Rgb, points: number): Rgb {
  return fromHsl(shifted(color, points))
}

function shifted(color: Rgb, points: number): Hsl {
  const { hue, saturation, lightness } = toHsl(color)
  return { hue, saturation, lightness: Math.min(100, Math.max(0, lightness + points)) }
}

/** Rounded to whole degrees and per cents, because the shades are defined by these. */
function toHsl(color: Rgb): Hsl {
  const [red, green, blue] = [color[0] / 255, color[1] / 255, color[2] / 255]
  const max = Math.max(red, green, blue)
  const chroma = max - Math.min(red, green, blue)
  const lightness = max - chroma / 2
  const sector =
    chroma === 0
      ? 0
      : max === red
        ? ((green - blue) / chroma + 6) % 6
        : max === green
          ? (blue - red) / chroma + 2
          : (red - green) / chroma + 4
  return {
    hue: Math.round(sector * 60) % 360,
    saturation: chroma === 0 ? 0 : Math.round((chroma / (1 - Math.abs(2 * lightness - 1))) * 100),
    lightness: Math.round(lightness * 100),
  }
}

/** CSS Color 4, section 7.1. */
function fromHsl({ hue, saturation, lightness }: Hsl): Rgb {
  const l = lightness / 100
  const reach = (saturation / 100) * Math.min(l, 1 - l)
  const channel = (offset: number) => {
    const k = (offset + hue / 30) % 12
    return Math.round((l - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))) * 255)
  }
  return [channel(0), channel(8), channel(4)]
}

/** WCAG 2.2, contrast ratio. */
function contrast(one: Rgb, other: Rgb): number {
  const [first, second] = [luminance(one) + 0.05, luminance(other) + 0.05]
  return Math.max(first, second) / Math.min(first, second)
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (channel: number) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** `#` and 3 or 6 hex digits (spec/experience#fields). */
function fromHex(hex: string): Rgb {
  const digits = hex.slice(1)
  const value = Number.parseInt(digits.length === 3 ? digits.replace(/./g, '$&$&') : digits, 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

function toHex(color: Rgb): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`.toUpperCase()
}

function hsl({ hue, saturation, lightness }: Hsl): string {
  return `hsl(${hue}, ${saturation}%, ${lightness}%)`
}

function rgba(color: Rgb, alpha: number): string {
  return `rgba(${color.join(', ')}, ${alpha})`
}
