/** Computes with colours: conversion, mixing and contrast. */
export type Rgb = readonly [red: number, green: number, blue: number]
type Hsl = { hue: number; saturation: number; lightness: number }

/** Mixes two colours like CSS `color-mix(in srgb, …)`. */
export function mix(color: Rgb, background: Rgb, share: number): Rgb {
  const channel = (index: 0 | 1 | 2) => Math.round(color[index] * share + background[index] * (1 - share))
  return [channel(0), channel(1), channel(2)]
}

export function lighten(color: Rgb, points: number): Rgb {
  return fromHsl(shift(color, points))
}

export function shift(color: Rgb, points: number): Hsl {
  const { hue, saturation, lightness } = toHsl(color)
  return { hue, saturation, lightness: Math.min(100, Math.max(0, lightness + points)) }
}

/**
 * Converts a colour to HSL, in whole degrees and percentages, because the shades are calculated from rounded values.
 */
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

/** Converts HSL to RGB as in CSS Color 4, section 7.1. */
export function fromHsl({ hue, saturation, lightness }: Hsl): Rgb {
  const l = lightness / 100
  const amplitude = (saturation / 100) * Math.min(l, 1 - l)
  const channel = (offset: number) => {
    const k = (offset + hue / 30) % 12
    return Math.round((l - amplitude * Math.max(-1, Math.min(k - 3, 9 - k, 1))) * 255)
  }
  return [channel(0), channel(8), channel(4)]
}

/** Returns the contrast ratio as WCAG 2.2 defines it. */
export function contrast(one: Rgb, other: Rgb): number {
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

/** Parses a colour of the form `#` with 3 or 6 hex digits (spec/experience#fields). */
export function fromHex(hex: string): Rgb {
  const digits = hex.slice(1)
  const value = Number.parseInt(digits.length === 3 ? digits.replace(/./g, '$&$&') : digits, 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

export function toHex(color: Rgb): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`.toUpperCase()
}

export function hsl({ hue, saturation, lightness }: Hsl): string {
  return `hsl(${hue}, ${saturation}%, ${lightness}%)`
}

export function rgba(color: Rgb, alpha: number): string {
  return `rgba(${color.join(', ')}, ${alpha})`
}
