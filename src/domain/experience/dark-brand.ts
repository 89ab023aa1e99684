import { fromHex, lighten, toHex } from './color.ts'

/** The difference between two shades, in percentage points of HSL lightness. */
export const SHADE_STEP = 10

/** Derives the brand colour of the dark theme, for operators who have not chosen one. */
export const deriveDarkBrand = (primaryColor: string): string =>
  toHex(lighten(fromHex(primaryColor), SHADE_STEP))
