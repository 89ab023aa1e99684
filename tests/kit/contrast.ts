import type { brandThemes } from '../../src/domain/experience/brand.ts'

/** Computes the contrast of colours on the backgrounds of a theme. */

export type Theme = (typeof brandThemes)['light' | 'dark']

/** Extreme brand colours: the brightest, the darkest and the pure colours. */
const brands = ['#ffffff', '#000000', '#ff0000', '#00ff00', '#0000ff', '#ffff00', '#6139f6']

export const everyGround = (theme: Theme) =>
  Object.keys(theme.surfaces).flatMap((name) => groundsOf(theme, name))

/** Returns the colours that a surface can have when it is tinted with each of the brand colours. */
export function groundsOf({ surfaces, tinted, tint }: Theme, name: string): string[] {
  const hex = Object.entries(surfaces).find(([each]) => each === name)?.[1] ?? ''
  if (!tinted.some((each) => each === name)) return [hex]
  return brands.map((brand) => mixed(brand, hex, tint))
}

/** Mixes `share` of the first colour into the second, as CSS does in sRGB. */
export const mixed = (one: string, other: string, share: number): string =>
  `#${[1, 3, 5]
    .map((at) => Math.round(channel(one, at) * share + channel(other, at) * (1 - share)))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`

/** Computes the contrast ratio of WCAG 2.2. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

export const luminance = (hex: string): number =>
  [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => {
    const share = channel(hex, 1 + 2 * index) / 255
    return sum + weight * (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4)
  }, 0)

const channel = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 2), 16)

/** Expands `#abc` to `#aabbcc`. */
export const fullHex = (hex: string) => (hex.length === 4 ? hex.replace(/[^#]/g, '$&$&') : hex).toLowerCase()
