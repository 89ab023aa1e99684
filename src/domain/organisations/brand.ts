/** Applies the brand of an organisation to the sign-in pages (spec/organisations#brand). */
import type { Experience } from '../../contract/experience/experience.ts'
import type { OrganizationBrand, OrganizationRules } from '../../contract/organisations/organizations.ts'
import type { PictureUrl } from '../experience/pictures.ts'
import { limitToMethods } from './policy.ts'

/** The facts about an organisation that the sign-in pages need. */
export type OrganizationLook = {
  name: string
  brand: OrganizationBrand
  methods: OrganizationRules['methods']
}

/**
 * Returns the experience of an organisation. Its logo replaces both logos of the tenant, or its name if it has none. The
 * colour for the dark theme is derived from its colour. Everything else is the tenant's.
 */
export function brandExperience(
  experience: Experience,
  { name, brand, methods }: OrganizationLook,
): Experience {
  const { branding, color } = experience
  return limitToMethods(
    {
      ...experience,
      branding: {
        name,
        ...(brand.logo !== undefined && { logoUrl: brand.logo }),
        ...(brand.logoDark !== undefined && { darkLogoUrl: brand.logoDark }),
        ...(branding.favicon !== undefined && { favicon: branding.favicon }),
      },
      color: brand.color ? { ...color, primaryColor: brand.color, darkPrimaryColor: '' } : color,
    },
    methods,
  )
}

/** Returns the URLs of an organisation's logos, with their paths. */
export const collectLogos = ({ logo, logoDark }: OrganizationBrand): PictureUrl[] => [
  { path: ['brand', 'logo'], address: logo },
  { path: ['brand', 'logoDark'], address: logoDark },
]
