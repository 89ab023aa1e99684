/** Pictures of the brand that are stored in the database (spec/connectors#brand-pictures, ADR-0180). */

/** The path below which every host of a tenant serves the tenant's own pictures. */
export const BRAND_PICTURE_PREFIX = '/assets/brand/'

/** The maximum size of a picture in the database. Larger ones need a bucket (spec/limits#uploads). */
export const BRAND_PICTURE_MAX_BYTES = 256 * 1024

/** The quota of a tenant. Logos for two themes, a favicon, backgrounds and the logos of some applications fit. */
export const MAX_BRAND_PICTURES = 50
export const MAX_BRAND_PICTURES_BYTES = 4 * 1024 * 1024
