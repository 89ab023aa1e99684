/** The number of seconds by which the clocks of clients may differ from ours (spec/provider#clock-tolerance). */
export const CLOCK_TOLERANCE_SECONDS = 15
