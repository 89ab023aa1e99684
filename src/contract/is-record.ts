/** Checks whether a value is an object whose properties can be accessed by name. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
