import type english from '../../locales/en.json'
import type { BootData, PhraseName } from '../../src/contract/interactions/boot.ts'
import { textDirection } from '../../src/domain/experience/direction.ts'
import { toStandardTag } from '../../src/domain/experience/standard-tag.ts'
import { type Translate as TranslateAny, translatorFor } from '../../src/domain/experience/translator.ts'

type KeysOf<Part, Path extends string = ''> = {
  [Key in keyof Part & string]: Part[Key] extends string
    ? `${Path}${PhraseName<Key>}`
    : KeysOf<Part[Key], `${Path}${Key}.`>
}[keyof Part & string]

export type PhraseKey = KeysOf<(typeof english)['translation']>

export type Translate<Key extends string = PhraseKey> = TranslateAny<Key>

/** Returns the translator of the page's language (spec/experience#phrase-values). HTML is escaped later, by React. */
export function createTranslator<Key extends string = PhraseKey>({
  language,
  phrases,
}: Pick<BootData, 'language' | 'phrases'>): Translate<Key> {
  // Without isolates, a right-to-left sentence would show "+49" as "49+".
  const wrapValue = textDirection(language) === 'rtl' ? isolate : undefined
  return translatorFor(phrases, { language: toStandardTag(language), wrapValue })
}

/** Wraps a value in a first strong isolate and a pop directional isolate (UAX #9). */
const isolate = (value: string) => `\u2068${value}\u2069`

/** Chinese and Japanese do not separate words with spaces. */
const hasNoSpaces = (language: string) => /^(?:zh|ja)(?:-|$)/.test(language)

/**
 * Puts spaces around a word that joins two others, if the language uses spaces. Arabic joins "and" to the next word.
 */
export const surroundWithSpaces = (word: string, language: string): string => {
  if (hasNoSpaces(language) || language === 'th') return word
  return /^ar(?:-|$)/.test(language) ? ` ${word}` : ` ${word} `
}

/** Matches a full stop, a question mark or an exclamation mark of any language. */
const SENTENCE_END = /\p{Sentence_Terminal}$/u

/**
 * Joins sentences as the language does. Phrases that can stand alone have no full stop, which is added here. Thai
 * has none.
 */
export function joinSentences(language: string, ...texts: string[]): string {
  const fullStop = hasNoSpaces(language) ? '。' : ({ hi: '।', th: '' }[language] ?? '.')
  const sentences = texts.map((text) => (SENTENCE_END.test(text) ? text : text + fullStop))
  return sentences.join(hasNoSpaces(language) ? '' : ' ')
}
