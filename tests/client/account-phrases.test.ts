import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import english from '../../locales/account/en.json'
import { loadAccountPhrases } from '../../src/contract/account/account-catalogue.ts'
import { builtInLanguages } from '../../src/contract/experience/languages.ts'
import { sourceFiles } from '../kit/source-files.ts'

/** Tests the texts of the account centre (spec/account-centre#pages). */

const placeholders = (text: string) => [...new Set(text.match(/\{\{[^}]*\}\}/g))].sort()
/** Checks whether a text ends with a full stop. Hindi uses a vertical bar (।) as its full stop. */
const isSentence = (text: string) => /[.。।]$/.test(text)

it('the account centre has texts in every offered language', () => {
  const files = readdirSync('locales/account')
  expect(files).toEqual(builtInLanguages.map((language) => `${language}.json`).toSorted())
})

it.each(builtInLanguages.filter((language) => language !== 'en'))(
  'the account centre texts are complete in %s',
  async (language) => {
    const texts = await loadAccountPhrases(language)
    const shape = (of: Record<string, string>) =>
      Object.entries(of).map(([key, text]) => [key, placeholders(text)])
    expect(shape(texts)).toEqual(shape(english))
    const repeated = Object.entries(english).filter(
      ([key, text]) => texts[key as keyof typeof english] === text,
    )
    expect(repeated).toEqual([])
    const trimmed = Object.values(texts).filter((text) => text !== text.trim() || text === '')
    expect(trimmed).toEqual([])
    // Thai has no full stop.
    if (language === 'th') return
    const ends = (of: Record<string, string>) =>
      Object.entries(of).map(([key, text]) => [key, isSentence(text)])
    expect(ends(texts)).toEqual(ends(english))
  },
)

it('the account centre uses English texts in languages that an operator has added', async () => {
  expect(await loadAccountPhrases('eo-EO')).toEqual(english)
})

it('every account centre text is used', () => {
  const files = sourceFiles(['client/account', 'src/web/account'])
  const code = files.map((file) => readFileSync(file, 'utf8')).join()
  expect(Object.keys(english).filter((key) => !code.includes(`'${key}'`))).toEqual([])
})
