/** Languages the product speaks by itself (product 9). Of two varieties the first serves who asks for neither (decision 33). */
export const builtInLanguages = ['en', 'de', 'fr', 'ko', 'pt-PT', 'pt-BR', 'ru', 'tr-TR', 'zh-CN'] as const
export type BuiltInLanguage = (typeof builtInLanguages)[number]

/** The visitor's own choice, remembered (decision 33). */
export const LANGUAGE_COOKIE = 'i18next'
export const LANGUAGE_PARAM = 'lng'
