/**
 * The scripts and languages that are written from right to left. A script subtag takes precedence over the usual script
 * of the language (BCP 47).
 */
const RIGHT_TO_LEFT_SCRIPT = /^[a-z]+-(?:adlm|arab|hebr|mand|nkoo|rohg|syrc|thaa)(?:-|$)/i
const OTHER_SCRIPT = /^[a-z]+-[a-z]{4}(?:-|$)/i
const RIGHT_TO_LEFT_LANGUAGE = /^(?:ar|cb|ckb|dv|fa|he|nqo|ps|sd|sy|syr|ug|ur|yi)(?:-|$)/i

/** Returns the direction in which a language is written (spec/experience#language-names). */
export function textDirection(language: string): 'ltr' | 'rtl' {
  if (RIGHT_TO_LEFT_SCRIPT.test(language)) return 'rtl'
  return RIGHT_TO_LEFT_LANGUAGE.test(language) && !OTHER_SCRIPT.test(language) ? 'rtl' : 'ltr'
}
