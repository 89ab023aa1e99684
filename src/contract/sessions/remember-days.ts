/**
 * The default and maximum number of days for which a browser may be remembered. With 0, remembering is not offered
 * (spec/accounts#remembered-browser).
 */
export const DEFAULT_REMEMBER_DAYS = 30
export const MAX_REMEMBER_DAYS = 365
