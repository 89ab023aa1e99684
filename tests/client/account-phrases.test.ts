import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import english from '../../locales/account/en.json'
import signInPages from '../../locales/en.json'
import { loadAccountPhrases } from '../../src/contract/account/account-catalogue.ts'
import { builtInLanguages } from '../../src/contract/experience/languages.ts'
import { sourceFiles } from '../kit/source-files.ts'
import { categoriesOf, separateForms, spelledOut } from './plural-forms.ts'

/** Tests the texts of the account centre (spec/account-centre#pages). */

const inEnglish = Object.entries(english)
const placeholders = (text: string) => [...new Set(text.match(/\{\{[^}]*\}\}/g))].sort()
/** Checks whether a text ends with a full stop. Hindi uses a vertical bar (।) as its full stop. */
const isSentence = (text: string) => /[.。।]$/.test(text)

it('the account centre has strings in every offered language', () => {
  const files = readdirSync('locales/account')
  expect(files).toEqual(builtInLanguages.map((language) => `${language}.json`).toSorted())
})

it.each(builtInLanguages.filter((language) => language !== 'en'))(
  'the account centre strings are complete in %s',
  async (language) => {
    const texts = await loadAccountPhrases(language)
    const { phrases, forms } = separateForms(Object.entries(texts), inEnglish)
    const shape = (of: typeof phrases) => of.map(([key, text]) => [key, placeholders(text)])
    expect(shape(phrases)).toEqual(shape(separateForms(inEnglish, inEnglish).phrases))
    const englishTexts: Record<string, string> = english
    const same = Object.entries(texts).filter(([key, text]) => englishTexts[key] === text)
    // Words that several languages share.
    expect(
      same.filter(
        ([, text]) =>
          !/^(?:Apps?|Passkeys|Name|No|Description|Domains?|Invitations|Roles|Type|Africa|Asia|Europe|Oceania)$/.test(
            text,
          ),
      ),
    ).toEqual([])
    for (const texts of Object.values(forms)) {
      expect(Object.keys(texts)).toEqual(categoriesOf(language))
      const numbered = Object.entries(texts).filter(([category]) => !spelledOut.includes(category))
      expect(numbered.filter(([, text]) => !text.includes('{{count}}'))).toEqual([])
    }
    const trimmed = Object.values(texts).filter((text) => text !== text.trim() || text === '')
    expect(trimmed).toEqual([])
    // Thai has no full stop.
    if (language === 'th') return
    const ends = (of: typeof phrases) => of.map(([key, text]) => [key, isSentence(text)])
    expect(ends(phrases)).toEqual(ends(separateForms(inEnglish, inEnglish).phrases))
  },
)

it('the account centre uses English strings in languages that an operator has added', async () => {
  expect(await loadAccountPhrases('eo-EO')).toEqual(english)
})

it('no account centre string hides a group of strings of the sign-in pages', () => {
  const groups = Object.entries(signInPages.translation).flatMap(([key, value]) =>
    typeof value === 'string' ? [] : key,
  )
  expect(groups.filter((group) => group in english)).toEqual([])
})

it('every account centre string is used', () => {
  const files = sourceFiles(['client/account', 'src/web/account', 'src/web/organisations'])
  const code = files.map((file) => readFileSync(file, 'utf8')).join()
  const { phrases } = separateForms(inEnglish, inEnglish)
  expect(phrases.filter(([key]) => !code.includes(`'${key}'`))).toEqual([])
})
