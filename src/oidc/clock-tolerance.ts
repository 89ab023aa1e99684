/** Seconds by which the times in what clients send may be off (spec/provider#clock-tolerance). */
export const CLOCK_TOLERANCE = 15
