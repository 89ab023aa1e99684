/** Languages the product speaks by itself (spec 9). Those without a catalogue yet are offered once they have one. */
export const builtInLanguages = ['en', 'de'] as const
export type BuiltInLanguage = (typeof builtInLanguages)[number]

/** The visitor's own choice, remembered (decision 33). */
export const LANGUAGE_COOKIE = 'i18next'
export const LANGUAGE_PARAM = 'lng'
