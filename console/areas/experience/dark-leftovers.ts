import {
  type Branding,
  type ColorSettings,
  DEFAULT_DARK_PRIMARY_COLOR,
  DEFAULT_EXPERIENCE,
  DEFAULT_PRIMARY_COLOR,
} from '../../../src/contract/experience/experience.ts'
import { deriveDarkBrand } from '../../../src/domain/experience/dark-brand.ts'
import { isColor } from '../color-field.tsx'

type Appearance = { color: ColorSettings; branding: Branding }

/**
 * Returns the parts of the branding that are still the product's in the dark theme, but the operator's in the light
 * theme.
 */
export function findUnbrandedDarkParts({ color, branding }: Appearance): 'color' | 'logo' | 'both' | null {
  if (!color.isDarkModeEnabled) return null
  const hasColor =
    isSameColor(color.darkPrimaryColor, DEFAULT_DARK_PRIMARY_COLOR) &&
    isColor(color.primaryColor) &&
    !isSameColor(color.primaryColor, DEFAULT_PRIMARY_COLOR)
  const { logoUrl, darkLogoUrl } = DEFAULT_EXPERIENCE.branding
  const hasLogo = branding.darkLogoUrl === darkLogoUrl && branding.logoUrl !== logoUrl
  if (hasColor && hasLogo) return 'both'
  if (hasColor) return 'color'
  return hasLogo ? 'logo' : null
}

/** Returns the changes that copy the light theme's logo to the dark theme and derive its colour from the light one. */
export function copyLightToDark(appearance: Appearance): Partial<Appearance> {
  const { color, branding } = appearance
  const left = findUnbrandedDarkParts(appearance)
  return {
    ...((left === 'color' || left === 'both') && {
      color: { ...color, darkPrimaryColor: deriveDarkBrand(color.primaryColor) },
    }),
    ...((left === 'logo' || left === 'both') && { branding: { ...branding, darkLogoUrl: branding.logoUrl } }),
  }
}

const isSameColor = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
