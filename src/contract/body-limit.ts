/** The maximum size, in bytes, of JSON bodies, page forms and callbacks by POST (spec/limits#bodies). */
export const BODY_MAX_BYTES = 64 * 1024
