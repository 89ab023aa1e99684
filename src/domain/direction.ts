/** Languages written from right to left (spec/experience#language-names). */
const RIGHT_TO_LEFT = /^(?:ar|cb|fa|he|ps|sy|ur)(?:-|$)/

export function textDirection(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.test(language) ? 'rtl' : 'ltr'
}
