/** Units of time: in milliseconds, as clocks count, and in seconds, as cookies, windows and lifetimes of tokens do. */
export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const MINUTE_SECONDS = MINUTE / SECOND
export const HOUR_SECONDS = HOUR / SECOND
export const DAY_SECONDS = DAY / SECOND
