import { describe, expect, it } from 'vitest'
import { createTranslator, surroundWithSpaces } from '../../client/context/phrases.ts'
import english from '../../locales/en.json'
import { errorCatalogue } from '../../src/contract/errors.ts'
import { builtInLanguages } from '../../src/contract/experience/languages.ts'
import type { Phrases } from '../../src/contract/interactions/boot.ts'
import { testBootData } from './boot-data.ts'
import { phraseCatalogues } from './catalogues.ts'
import { categoriesOf, separateForms, spelledOut } from './plural-forms.ts'

function texts(part: Phrases, path = ''): [key: string, text: string][] {
  return Object.entries(part).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[path + name, value]] : texts(value, `${path}${name}.`),
  )
}

/** Returns the placeholders and markup tags in a text. */
const placeholders = (text: string) => [...new Set(text.match(/\{\{[^}]*\}\}|<\/?\w+>/g))].sort()

/** The keys of the phrases that operators may change (spec/experience#phrase-keys). */
const contractKeys = `
  input: username password email phone_number confirm_password search_region_code
  secondary: social_bind_with
  action: sign_in continue create_account create_account_without_linking create enter_passcode confirm cancel
    save_password bind bind_and_continue back nav_back agree got_it sign_in_with forgot_password switch_to
    sign_in_via_passcode sign_in_via_password change link_another_email link_another_phone
    link_another_email_or_phone show_password
  description: email phone_number username reminder not_found agree_with_terms agree_with_terms_modal terms_of_use
    sign_in privacy_policy create_account or and enter_passcode passcode_sent resend_after_seconds resend_passcode
    create_account_id_exists link_account_id_exists sign_in_id_does_not_exist sign_in_id_does_not_exist_alert
    create_account_id_exists_alert social_identity_exist bind_account_title social_create_account
    social_link_email social_link_phone social_link_email_or_phone social_bind_with_existing reset_password
    reset_password_description new_password set_password password_changed no_account have_account enter_password
    enter_password_for enter_username enter_username_description link_email link_phone link_email_or_phone
    link_email_description link_phone_description link_email_or_phone_description
    continue_with_more_information create_your_account sign_in_to_your_account no_region_code_found
  error: general_required general_invalid username_required password_required username_exists
    username_should_not_start_with_number username_invalid_charset invalid_email invalid_phone
    password_min_length invalid_password passwords_do_not_match invalid_passcode invalid_connector_auth
    invalid_connector_request unknown invalid_session timeout
  demo_app: notification
`

function listed(): string[] {
  const [, ...parts] = contractKeys.split(/(\w+):/)
  return parts.flatMap((part, index) =>
    index % 2 === 0
      ? []
      : part
          .trim()
          .split(/\s+/)
          .map((name) => `${parts[index - 1]}.${name}`),
  )
}

it('every offered language has a catalogue', () => {
  expect(Object.keys(phraseCatalogues)).toEqual([...builtInLanguages])
})

/** The translated phrases that are identical to the English text. */
const sameWords = [
  'es translation.vestibule.title_of_error',
  'it translation.input.password',
  'ja translation.vestibule.powered_by',
  ...['vi', 'id'].flatMap((language) => [
    `${language} translation.input.email`,
    `${language} translation.description.email`,
  ]),
]

describe.each(Object.entries(phraseCatalogues))('the catalogue %s', (language, catalogue) => {
  const { phrases, forms } = separateForms(texts(catalogue), texts(english))

  it('has the same keys and placeholders as English, except that the value of an identifier shows its type', () => {
    const isType = (text: string) => text === '{{type}}' || text === '{{method}}'
    const shape = (part: typeof phrases) =>
      part.map(([key, text]) => {
        const names = placeholders(text)
        return [key, names.includes('{{value}}') ? names.filter((name) => !isType(name)) : names]
      })
    expect(shape(phrases)).toEqual(shape(separateForms(texts(english), texts(english)).phrases))
  })

  it.each(Object.entries(forms))('has the plural forms of its language: %s', (_, texts) => {
    expect(Object.keys(texts)).toEqual(categoriesOf(language))
    const { other = '' } = texts
    for (const [category, text] of Object.entries(texts)) {
      if (!spelledOut.includes(category)) expect(placeholders(text)).toEqual(placeholders(other))
      expect(endOf(text, language)).toBe(endOf(other, language))
    }
  })

  it('has no text that is empty or has surrounding spaces', () => {
    expect(texts(catalogue).filter(([, text]) => text !== text.trim() || text === '')).toEqual([])
  })

  it('has a message for exactly the known error codes', () => {
    const codes = texts(catalogue.errors).map(([key]) => key)
    expect(codes.sort()).toEqual(Object.keys(errorCatalogue).sort())
  })

  it('has a full sentence wherever the English catalogue has one', () => {
    const ends = (part: typeof phrases, language: string) =>
      part.map(([key, text]) => [key, endOf(text, language)])
    const inEnglish = separateForms(texts(english), texts(english)).phrases
    // Thai has no full stop.
    if (language !== 'th') expect(ends(phrases, language)).toEqual(ends(inEnglish, 'en'))
  })

  it('contains no untranslated text', () => {
    const inEnglish = new Map(texts(english))
    const same = texts(catalogue).filter(
      ([key, text]) => inEnglish.get(key) === text && !sameWords.includes(`${language} ${key}`),
    )
    expect(same).toEqual(catalogue === english ? texts(english) : [])
  })
})

/**
 * Returns the final punctuation mark of a text. Greek uses a semicolon as its question mark, and Hindi a vertical bar
 * (।) as its full stop.
 */
function endOf(text: string, language: string): string {
  const isQuestion = language === 'el' ? /;$/ : /[?？؟]$/
  return isQuestion.test(text) ? '?' : /[.。।]$/.test(text) ? '.' : ''
}

it('operators may change every phrase outside "vestibule" and no others', () => {
  const keys = texts(english.translation).map(([key]) => key)
  expect(keys.filter((key) => !key.startsWith('vestibule.')).sort()).toEqual(listed().sort())
})

it.each([
  {
    page: testBootData,
    hint: 'At least 8 characters',
  },
  {
    page: { language: 'de', phrases: phraseCatalogues.de.translation },
    hint: 'Mindestens 8 Zeichen',
  },
])('the password hint states the minimum length: $hint', ({ page, hint }) => {
  const t = createTranslator(page)
  expect(t('vestibule.password_rule_length', { min: 8 })).toBe(hint)
})

it.each([
  { language: 'en', sentences: ['You have 1 backup code left.', 'You have 2 backup codes left.'] },
  { language: 'de', sentences: ['Sie haben noch 1 Backup-Code.', 'Sie haben noch 2 Backup-Codes.'] },
  {
    language: 'pl',
    sentences: [
      'Masz jeszcze 1 kod zapasowy.',
      'Masz jeszcze 2 kody zapasowe.',
      'Masz jeszcze 5 kodów zapasowych.',
    ],
  },
  { language: 'he', sentences: ['נותר לך קוד גיבוי אחד.', 'נותרו לך שני קודי גיבוי.'] },
  { language: 'ja', sentences: ['バックアップコードは残り1個です。', 'バックアップコードは残り2個です。'] },
] as const)(
  'a page shows the number of backup codes in the right plural form for $language',
  ({ language, sentences }) => {
    const t = createTranslator({ language, phrases: phraseCatalogues[language].translation })
    const texts = [1, 2, 5]
      .slice(0, sentences.length)
      .map((count) => t('vestibule.factor_few_codes', { count }))
    for (const [index, text] of texts.entries()) expect(text).toContain(sentences[index])
  },
)

it.each(builtInLanguages)(
  'the message about forbidden password characters begins with the specified sentence in %s',
  (language) => {
    const { vestibule } = phraseCatalogues[language].translation
    expect(vestibule.password_characters).toMatch(/^\{\{problem\}\}[.。।]? ?\p{L}/u)
  },
)

describe('the translator', () => {
  const t = createTranslator(testBootData)

  it.each([
    { types: ['username'], message: 'username is required' },
    { types: ['username', 'email'], message: 'username or email is required' },
    { types: ['username', 'email', 'phone'], message: 'username, email, or phone is required' },
  ])('lists $types in English', ({ types, message }) => {
    expect(t('error.general_required', { types })).toBe(message)
  })

  it.each([
    { language: 'de', message: 'a, b oder c fehlt' },
    { language: 'fr', message: 'Veuillez saisir votre a, b ou c' },
    { language: 'ko', message: 'a, b 또는 c 항목을 입력해 주세요' },
    { language: 'pt-PT', message: 'Introduza o seu a, b ou c' },
    { language: 'pt-BR', message: 'Digite seu a, b ou c' },
    { language: 'ru', message: 'Укажите a, b или c' },
    { language: 'tr-TR', message: 'a, b veya c gerekli' },
    { language: 'zh-CN', message: '请输入a、b或c' },
  ] as const)('formats a list in $language', ({ language, message }) => {
    const { translation: phrases } = phraseCatalogues[language]
    expect(
      createTranslator({ language, phrases })('error.general_required', { types: ['a', 'b', 'c'] }),
    ).toBe(message)
  })

  it('uses the English list format if Intl does not support the language', () => {
    const inZazaki = { language: 'zz-TR', phrases: { error: english.translation.error } }
    expect(createTranslator(inZazaki)('error.general_required', { types: ['a', 'b'] })).toBe(
      'a or b is required',
    )
  })

  it('applies value formatters in operators’ Chinese phrases (spec/experience#phrase-values)', () => {
    const general_required = '请输入{{types, list(type: disjunction;), zhOrSpaces}}'
    const theirs = { language: 'zh-CN', phrases: { error: { general_required } } }
    expect(createTranslator(theirs)('error.general_required', { types: ['a', 'b'] })).toBe('请输入a 或 b')
  })

  it('separates list items with commas if the format options are invalid, and ignores unknown formats', () => {
    const inWords = (text: string) =>
      createTranslator({ language: 'en', phrases: { error: { general_required: text } } })(
        'error.general_required',
        {
          types: ['a', 'b'],
        },
      )
    expect(inWords('{{types, list(type: anything;)}}')).toBe('a,b')
    expect(inWords('{{ types , list(type: conjunction; style: narrow) }}')).toBe('a, b')
    expect(inWords('{{types, uppercase}} {{others}}')).toBe('a,b ')
  })

  it('inserts a value literally even if it looks like a placeholder or a reference', () => {
    const value = '{{method}} $t(action.sign_in)'
    expect(t('action.sign_in_with', { name: value })).toBe(`Continue with ${value}`)
  })

  it('adds bidirectional isolation around values in right-to-left sentences', () => {
    const phrases = { action: { bind: 'ا {{address}} ب' } }
    const translate = (language: string) =>
      createTranslator({ language, phrases: { ...phrases } })('action.bind', { address: '+49' })
    expect([translate('ar-AR'), translate('de')]).toEqual(['ا \u2068+49\u2069 ب', 'ا +49 ب'])
  })

  it.each([
    { language: 'en', words: 'a and b' },
    { language: 'ko', words: 'a and b' },
    { language: 'zh-CN', words: 'aandb' },
    { language: 'ja', words: 'aandb' },
    { language: 'th', words: 'aandb' },
    { language: 'ar', words: 'a andb' },
    { language: 'jv-ID', words: 'a and b' },
  ])('puts spaces around a word only if $language requires them', ({ language, words }) => {
    expect(`a${surroundWithSpaces('and', language)}b`).toBe(words)
  })

  it('leaves HTML escaping to React', () => {
    expect(t('action.sign_in_with', { name: '<b>&' })).toBe('Continue with <b>&')
  })

  it('returns the phrases that the specification quotes', () => {
    expect([
      t('description.not_found'),
      t('error.unknown'),
      t('error.invalid_session'),
      t('error.timeout'),
      // The example follows the words of the specification: 'The email is invalid'.
      t('error.invalid_email'),
      t('error.invalid_connector_auth'),
      t('error.invalid_connector_request'),
      t('error.passwords_do_not_match'),
      t('error.password_min_length', { min: 8 }),
      t('error.invalid_password', { min: 8 }),
      t('demo_app.notification'),
      t('description.create_account_id_exists', { type: 'email', value: 'a@b.c' }),
    ]).toEqual([
      '404 Not Found',
      'Unknown error. Please try again later.',
      'Session not found. Please go back and sign in again.',
      'Request timeout. Please try again later.',
      'The email is invalid. Enter an address like name@example.com.',
      'The authorization is invalid',
      'The connector data is invalid',
      'Your passwords don’t match. Please try again.',
      'Password requires a minimum of 8 characters',
      'Password requires a minimum of 8 characters with a mix of letters, numbers and symbols',
      'Create an account first to test the sign-in experience.',
      'The account with email a@b.c already exists, would you like to sign in?',
    ])
  })
})
