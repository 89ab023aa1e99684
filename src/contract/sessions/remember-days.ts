/**
 * The number of days for which a browser may be remembered; with 0, nobody is offered it
 * (spec/accounts#remembered-browser).
 */
export const DEFAULT_REMEMBER_DAYS = 30
export const MAX_REMEMBER_DAYS = 365
