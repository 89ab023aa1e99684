/** For how many days a browser may be remembered; 0 offers it to nobody (spec/accounts#remembered-browser). */
export const DEFAULT_REMEMBER_DAYS = 30
export const MAX_REMEMBER_DAYS = 365
