/**
 * Templates of additional claims (spec/provider#claim-templates). The value of a claim is a constant, or a path such as
 * `$.customData.department`. Paths may also occur inside lists and objects.
 */
export type ClaimTemplate = { [name: string]: unknown }

/** The most bytes of a template, and of the claims that it results in, as JSON in UTF-8. */
export const MAX_CLAIMS_BYTES = 2048
