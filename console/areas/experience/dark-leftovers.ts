import {
  type Branding,
  type Color,
  DEFAULT_DARK_PRIMARY_COLOR,
  DEFAULT_EXPERIENCE,
  DEFAULT_PRIMARY_COLOR,
} from '../../../src/contract/experience/experience.ts'
import { darkBrand } from '../../../src/domain/experience/brand.ts'
import { isColor } from './preview-message.ts'

type Looks = { color: Color; branding: Branding }

/** What the dark theme still has of the product, while the light one has it of the operator. */
export function findDarkLeftovers({ color, branding }: Looks): 'color' | 'logo' | 'both' | null {
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

/** The changes that give the dark theme what the light one has: the logo, and the colour as it is derived where none is chosen. */
export function copyLightToDark(looks: Looks): Partial<Looks> {
  const { color, branding } = looks
  const left = findDarkLeftovers(looks)
  return {
    ...((left === 'color' || left === 'both') && {
      color: { ...color, darkPrimaryColor: darkBrand(color.primaryColor) },
    }),
    ...((left === 'logo' || left === 'both') && { branding: { ...branding, darkLogoUrl: branding.logoUrl } }),
  }
}

const isSameColor = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
