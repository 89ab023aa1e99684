import { describe, expect, it } from 'vitest'
import { loadAccountPhrases } from '../../src/contract/account/account-catalogue.ts'
import { loadMessagePhrases } from '../../src/contract/connectors/message-catalogue.ts'
import { type BuiltInLanguage, builtInLanguages } from '../../src/contract/experience/languages.ts'
import type { Phrases } from '../../src/contract/interactions/boot.ts'
import { phraseCatalogues } from './catalogues.ts'

const spaceBeforeMark = { 'space before a mark': / [,.;:!?…]/ }
/** Chinese and Japanese use full-width punctuation. */
const fullWidth = {
  'half-width marks': /[,;?!()]|:(?!\/\/)|\.(?!\d|com\b)/,
  'a space beside a full-width mark': / [，。、？！：；（）]|[，。、？！：；（）] /,
}
const traditional = { ...fullWidth, 'simplified characters': /[码验证请户继续语设]/ }

/**
 * Patterns of typographic mistakes by language. In the tested texts, `□` replaces placeholders for values and `◇`
 * replaces links.
 */
const mistakes: Record<BuiltInLanguage, Record<string, RegExp>> = {
  en: {
    'space before a mark': / [,.;:!?…]/,
    'British spelling among American': /authoris|colour|\bcancell/,
    // The voice of the product (docs/voice.md).
    '"cannot" instead of "can’t"': /\bcannot\b|\bcan not\b/i,
    '"not … any more"': /\bany more\b|\banymore\b/i,
    '"is not known"': /\b(?:is|are) not known\b/,
    '"application" instead of "app"': /\bapplications?\b/i,
    'a notice "The … is …ed." instead of "… …ed."':
      /^The [^.]+ (?:is|are|was|were) (?:\w+ed|forgotten|set up)\.$/,
  },
  de: {
    'no space before the ellipsis of a whole word': /\S…/,
    'space before a mark': / [,.;:!?]/,
    'informal address': /\b(?:du|dein\w*|dir|dich)\b/i,
    'replaced umlauts or ß': /\b(?:fuer|koennen|moechten|ueber|muss?en)\b|schliessen/i,
    'English quotes': /[“”]/,
    '"Anwendung" instead of "App"': /Anwendung/,
  },
  fr: {
    'no narrow no-break space before ; ! ?': /[^\u202f][;!?]/,
    'no no-break space before a colon': /[^\u00a0]:(?!\/\/)/,
    'a space where none belongs': /[ \u00a0\u202f][,.…]/,
    'no no-break space inside guillemets': /«[^\u00a0]|[^\u00a0]»/,
    'English quotes': /[“”]/,
    'no no-break space before a unit': /□ s\b|◇ s\b/,
    'informal address': /(?<!\p{L})(?:tu|ton|tes|toi)(?!\p{L})/iu,
    'both genders in brackets': /\(e\)/,
  },
  ko: {
    // A value at the beginning may be a sentence of its own.
    'a sentence that is not polite': /(?<![다요]|^□)\.(?!\d|com\b)|(?<!니까|나요|가요)\?/,
    'particles for both cases': /\((?:을|를|이|가|은|는|으|와|과)\)/,
    'full-width marks': /[，。：？！（）]/,
    'a particle apart from its word': /[◇□] (?:을|를|이|가|은|는|에|의)(?![가-힣])/,
  },
  'pt-PT': {
    'words of Brazil':
      /\b(?:senhas?|celular\w*|usuário\w*|arquivos?|aplicativos?|você|salvar|excluir|registro|caracteres|aba)\b/i,
    'the gerund of Brazil': /\b(?:carregando|saindo|voltando|entrando)\b/i,
    'space before a mark': / [,.;:!?…]/,
  },
  'pt-BR': {
    'words of Portugal':
      /palavra-passe|telemóvel|utilizador|ficheiro|\baplicação\b|\bregisto\b|caráter|carateres|separador|\bpretende\b|\bdefinições\b/i,
    'the progressive of Portugal': /\ba (?:carregar|sair|voltar|terminar)\b/i,
    'space before a mark': / [,.;:!?…]/,
  },
  ru: {
    'е for ё': /учетн|(?<!\p{L})(?:еще|истек|изменен)(?!\p{L})/iu,
    'no no-break space before a dash': /[^\u00a0]—/,
    'a hyphen for a dash': / [-–] /,
    'English quotes': /[“”]/,
    'no no-break space before a unit': /□ с\b/,
    'forms for both genders': /\(а\)|\(ла\)/,
    'space before a mark': / [,.;:!?…]/,
  },
  'tr-TR': {
    'a suffix on a value': /[□◇]['’]?(?:[ıiuüdnytsl]\p{L}*)/u,
    'space before a mark': / [,.;:!?…]/,
    'informal address': /\b(?:sen|senin|sana)\b/i,
  },
  'zh-CN': {
    'half-width marks': /[,;?!()]|:(?!\/\/)|\.(?!\d|com\b)/,
    'half an ellipsis': /(?<!…)…(?!…)/,
    'Latin or digits beside Han without a space': /\p{Script=Han}[A-Za-z\d]|[A-Za-z\d]\p{Script=Han}/u,
    'a space beside a full-width mark': / [，。？！：；（）《》]|[，。？！：；（）《》] /,
    'two spaces': / {2}/,
    'traditional characters': /[號碼驗證請帳戶繼續語]/,
  },
  es: {
    ...spaceBeforeMark,
    'a question without its first mark': /^[^¿]*\?/,
    'an exclamation without its first mark': /^[^¡]*!/,
  },
  it: { ...spaceBeforeMark, 'an accent as an apostrophe': /\b(?:e|perche|puo|piu)’(?: |$)/i },
  ja: { ...fullWidth, 'two words for signing in': /サインイン|サインアウト/ },
  nl: spaceBeforeMark,
  pl: { ...spaceBeforeMark, 'both genders in brackets': /\(a\)|\/a\b/ },
  ar: {
    'Latin marks': /[,;?]/,
    'a Persian letter': /[یک]/,
    'a request to a man': /(?:^|[.،؟:] |ثم |أو )(?:أدخِل|أضِف|احفظ|تحقّ?ق|حاول|أعد|أزِل|اتبع|تواصل)(?= )/,
  },
  he: { ...spaceBeforeMark, 'points of vowels': /[\u05b0-\u05bc]/ },
  fa: { 'Latin marks': /[,;?]/, 'an Arabic letter': /[يك]/ },
  'zh-TW': traditional,
  'zh-HK': traditional,
  uk: { ...spaceBeforeMark, 'Russian letters': /[ыэъё]/i, 'a hyphen for a dash': / - / },
  cs: spaceBeforeMark,
  sv: { ...spaceBeforeMark, 'English quotes': /“/ },
  da: spaceBeforeMark,
  nb: spaceBeforeMark,
  fi: { ...spaceBeforeMark, 'English quotes': /“/ },
  hu: spaceBeforeMark,
  ro: { ...spaceBeforeMark, 'a cedilla for a comma below': /[şţ]/i },
  el: { ...spaceBeforeMark, 'the Latin question mark': /\?/ },
  th: { 'a full stop': /\.(?![\w\d])/ },
  vi: { ...spaceBeforeMark, 'letters that are not composed': /[\u0300-\u0323]/ },
  id: spaceBeforeMark,
  hi: { 'the Latin full stop': /\.(?![\w\d])/ },
}

/** Persian uses the zero-width non-joiner (U+200C) within words. */
const isSpelling = (mistake: string, language: string) =>
  language === 'fa' && mistake === 'a joiner or another invisible character'

/** Patterns of typographic mistakes in every language. */
const everywhere = {
  'straight quotes': /['"]/,
  'three dots': /\.\.\./,
  'two hyphens': /--/,
  'two spaces': / {2}/,
  'a joiner or another invisible character': /[\u200b-\u200f\ufeff\u00ad]/,
}

describe.each(builtInLanguages)('the strings in %s', async (language) => {
  const written = [
    ...texts(phraseCatalogues[language]),
    ...texts(await loadAccountPhrases(language), 'account.'),
    // With a no-break space, a text message would hold 70 characters in place of 160.
    ...texts(await loadMessagePhrases(language), 'messages.').filter(
      ([key]) => key !== 'messages.branded.sms',
    ),
  ]

  it.each(
    Object.entries({ ...everywhere, ...mistakes[language] }).filter(([name]) => !isSpelling(name, language)),
  )('do not contain %s', (_, mistake) => {
    expect(written.filter(([, text]) => mistake.test(text))).toEqual([])
  })
})

/** A phrase with a number has plural forms (docs/voice.md). "Codes left: 3" only avoids them. */
it.each(builtInLanguages)('no phrase in %s ends with a number after a colon', async (language) => {
  const { translation } = phraseCatalogues[language]
  const written = JSON.stringify([translation, await loadAccountPhrases(language)])
  expect(written.match(/[:：] ?\{\{(?:count|seconds)\}\}[^"]*/g)).toBeNull()
})

/**
 * In Russian, the form of a noun depends on the number before it, so a phrase may contain such a noun only if its form
 * fits all possible numbers.
 */
it('every Russian noun after a number agrees with all its possible values', () => {
  const counted = texts(phraseCatalogues.ru).filter(([, text]) => /□ (?:секунд|минут|символ)/.test(text))
  expect(counted.map(([key]) => key)).toEqual([
    // In these phrases, the genitive plural agrees with all possible numbers, as in "не менее 8 символов".
    'translation.error.password_min_length',
    'translation.error.invalid_password',
    'translation.vestibule.password_rule_length',
    'translation.vestibule.password_max_length',
  ])
})

/** A countdown includes 1. If a language has several forms of "seconds", its phrases use the unit symbol. */
it.each(builtInLanguages)('the unit for seconds agrees with every number in %s', (language) => {
  const { format } = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'long',
  })
  const nameAfter = (number: number) =>
    format(number)
      .replace(/[\p{N}\s]+/gu, ' ')
      .trim()
  const names = new Set(Array.from({ length: 59 }, (_, index) => nameAfter(index + 1)))
  const inflected = names.size > 1 ? [...names] : []
  const counted = texts(phraseCatalogues[language]).filter(([key]) => /seconds$|too_many_requests$/.test(key))
  expect(counted).toHaveLength(2)
  expect(counted.filter(([, text]) => inflected.some((name) => text.includes(name)))).toEqual([])
})

function texts(part: Phrases, path = ''): [key: string, text: string][] {
  return Object.entries(part).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[path + name, withoutPlaceholders(value)]] : texts(value, `${path}${name}.`),
  )
}

const withoutPlaceholders = (text: string) =>
  text.replaceAll(/\{\{.*?\}\}/g, '□').replaceAll(/<(\w+)>(.*?)<\/\1>/g, '◇$2')
