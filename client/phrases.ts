import { createInstance } from 'i18next'
import type english from '../locales/en.json'
import type { BootData, Phrases } from '../src/contract/boot.ts'

type KeysOf<Part, Path extends string = ''> = {
  [Key in keyof Part & string]: Part[Key] extends string
    ? `${Path}${Key}`
    : KeysOf<Part[Key], `${Path}${Key}.`>
}[keyof Part & string]

export type PhraseKey = KeysOf<(typeof english)['translation']>

export type Translate = (key: PhraseKey, values?: Record<string, unknown>) => string

/** Phrases are shared by all pages of a language, so the instance that speaks them is, too. */
const speakers = new WeakMap<Phrases, Translate>()

/** The phrases of this page's language, ready at once: nothing may suspend while a page is drawn (design 2). */
export function translator({ language, phrases }: Pick<BootData, 'language' | 'phrases'>): Translate {
  const known = speakers.get(phrases)
  if (known) return known

  const i18n = createInstance()
  i18n.init({
    lng: language,
    resources: { [language]: { translation: phrases } },
    initAsync: false,
    interpolation: { escapeValue: false }, // React escapes
  })
  const translate: Translate = (key, values) => i18n.t(key, values ?? {})
  speakers.set(phrases, translate)
  return translate
}
