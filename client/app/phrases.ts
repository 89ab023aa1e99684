import { createInstance } from 'i18next'
import type english from '../../locales/en.json'
import type { BootData, Phrases } from '../../src/contract/boot.ts'
import { textDirection } from '../../src/domain/direction.ts'

type KeysOf<Part, Path extends string = ''> = {
  [Key in keyof Part & string]: Part[Key] extends string
    ? `${Path}${Key}`
    : KeysOf<Part[Key], `${Path}${Key}.`>
}[keyof Part & string]

export type PhraseKey = KeysOf<(typeof english)['translation']>

export type Translate = (key: PhraseKey, values?: Record<string, unknown>) => string

/** Phrases are shared by all pages of a language, and so is their translator. */
const translators = new WeakMap<Phrases, Translate>()

/** The phrases of the page's language, available at once: nothing may suspend while a page is rendered (spec/pages#rendering). */
export function translator({ language, phrases }: Pick<BootData, 'language' | 'phrases'>): Translate {
  const known = translators.get(phrases)
  if (known) return known

  const [lng = 'en'] = Intl.getCanonicalLocales(language)
  const i18n = createInstance()
  i18n.init({
    lng,
    resources: { [lng]: { translation: phrases } },
    initAsync: false,
    // React escapes HTML. In a sentence from right to left, "+49" would be shown as "49+" without isolation.
    interpolation: { escapeValue: textDirection(language) === 'rtl', escape: isolated },
  })
  i18n.services.formatter?.add('list', (names: string[], _, options) =>
    new Intl.ListFormat(listLanguage(language), options).format(names),
  )
  i18n.services.formatter?.add('zhOrSpaces', (list: string) => list.replaceAll('或', ' 或 '))
  const translate: Translate = (key, values) => i18n.t(key, values ?? {})
  translators.set(phrases, translate)
  return translate
}

/**
 * English where the browser does not know the lists of a language: its own default may be a third language. Asked when there is a
 * list, because the first use of `Intl` takes a slow phone more than half the time of hydration.
 */
function listLanguage(language: string): string {
  const [known = 'en'] = Intl.ListFormat.supportedLocalesOf(language)
  return known
}

/** First strong isolate, pop directional isolate (UAX #9). */
const isolated = (value: string) => `\u2068${value}\u2069`

/** A word between two others. Chinese and Japanese have no spaces around it. */
export function between(word: string, language: string): string {
  return /^(?:zh|ja)(?:-|$)/.test(language) ? word : ` ${word} `
}
