/** Scripts that run from right to left, by the languages written in them (contract 5.3). */
const RIGHT_TO_LEFT = /^(?:ar|cb|fa|he|ps|sy|ur)(?:-|$)/

/** The reading direction of a language tag. */
export function direction(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.test(language) ? 'rtl' : 'ltr'
}
