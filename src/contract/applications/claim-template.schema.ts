import { z } from 'zod'

/** A stored template. `domain/applications/claim-template.ts` checks its names and values. */
const Template = z.record(z.string(), z.unknown())

/** The field `claims` of an application or a resource as the API returns it. */
export const StoredClaims = Template.nullable()

/** The field `claims` in a request. An empty template is the same as none. */
export const ClaimsField = z
  .union([Template, z.null()])
  .transform((template) => (template && Object.keys(template).length > 0 ? template : null))

/** The body of a preview. Without `claims`, the stored template is used. */
export const ClaimsPreviewRequest = z
  .strictObject({ userId: z.string().min(1).max(128), claims: ClaimsField.optional() })
  .meta({ id: 'ClaimsPreviewRequest' })

/** The claims that a user's tokens would contain. If they are too large, tokens contain none of them. */
export const ClaimsPreview = z
  .object({
    claims: Template,
    /** The size of the claims as JSON in UTF-8, in bytes. */
    size: z.number(),
    isTooLarge: z.boolean(),
  })
  .meta({ id: 'ClaimsPreview' })
