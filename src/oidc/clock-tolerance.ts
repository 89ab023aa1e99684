/** The number of seconds by which times that clients send may be off (spec/provider#clock-tolerance). */
export const CLOCK_TOLERANCE = 15
