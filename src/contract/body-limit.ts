/** JSON bodies, page forms and callbacks by POST have at most so many bytes (spec/limits#bodies). */
export const BODY_MAX_BYTES = 64 * 1024
