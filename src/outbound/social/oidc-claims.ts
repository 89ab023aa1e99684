import { z } from 'zod'
import type { ProviderProfile } from './social.ts'

export const StandardClaims = z.object({
  sub: z.string(),
  name: z.string().nullish(),
  picture: z.string().nullish(),
  email: z.string().nullish(),
  email_verified: z.union([z.boolean(), z.string()]).nullish(),
  phone_number: z.string().nullish(),
  phone_number_verified: z.union([z.boolean(), z.string()]).nullish(),
})

export type StandardClaims = z.infer<typeof StandardClaims>

/**
 * Reads the standard claims (OIDC Core §5.1). Email addresses and phone numbers are used only if the provider has
 * verified them (spec/connectors#social-profile, ADR-0041).
 */
export function createProfileFromClaims(claims: StandardClaims): ProviderProfile {
  const { sub, name, picture, email, email_verified, phone_number: phone, phone_number_verified } = claims
  return {
    id: sub,
    name,
    avatar: picture,
    email: isTrue(email_verified) ? email : null,
    phone: isTrue(phone_number_verified) ? phone : null,
  }
}

/** Some providers send the string `true` instead of a boolean. */
export const isTrue = (value: unknown) => value === true || value === 'true'
