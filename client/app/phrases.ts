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

/** Phrases are shared by all pages of a language, so the instance that speaks them is, too. */
const speakers = new WeakMap<Phrases, Translate>()

/** The phrases of this page's language, ready at once: nothing may suspend while a page is drawn (design 2). */
export function translator({ language, phrases }: Pick<BootData, 'language' | 'phrases'>): Translate {
  const known = speakers.get(phrases)
  if (known) return known

  const [lng = 'en'] = Intl.getCanonicalLocales(language)
  const i18n = createInstance()
  i18n.init({
    lng,
    resources: { [lng]: { translation: phrases } },
    initAsync: false,
    // React escapes HTML. In a sentence that runs the other way, "+49" would be read as "49+" if it were not set apart.
    interpolation: { escapeValue: textDirection(language) === 'rtl', escape: isolated },
  })
  i18n.services.formatter?.add('list', (names: string[], _, options) =>
    new Intl.ListFormat(listLanguage(language), options).format(names),
  )
  i18n.services.formatter?.add('zhOrSpaces', (list: string) => list.replaceAll('或', ' 或 '))
  const translate: Translate = (key, values) => i18n.t(key, values ?? {})
  speakers.set(phrases, translate)
  return translate
}

/**
 * Where the server knows a language's lists and the browser does not, each would speak its own instead. Asked when there
 * is a list: the first question to `Intl` costs a slow phone more than half of what taking over a page does.
 */
function listLanguage(language: string): string {
  const [known = 'en'] = Intl.ListFormat.supportedLocalesOf(language)
  return known
}

/** First strong isolate, pop directional isolate (Unicode Standard Annex 9). */
const isolated = (value: string) => `\u2068${value}\u2069`

/** A word between two others: Chinese and Japanese write no spaces around it. */
export function between(word: string, language: string): string {
  return /^(?:zh|ja)(?:-|$)/.test(language) ? word : ` ${word} `
}
