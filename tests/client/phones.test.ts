import { getCountries, getExampleNumber } from 'libphonenumber-js/mobile'
import examples from 'libphonenumber-js/mobile/examples'
import { describe, expect, it } from 'vitest'
import { formatPhone, loadNumberingPlans, splitPhone } from '../../client/phones/phones.ts'
import { listCountries, searchCountries } from '../../client/ui/country-search.ts'

const { countryCallingCodes, getHomeCountry, listLikelyCountries, parsePhone } = await loadNumberingPlans()

describe('a phone number from any country', () => {
  const numbers = getCountries().flatMap((country) => getExampleNumber(country, examples) ?? [])

  it('is split identically with and without the numbering plans', () => {
    expect(numbers.length).toBeGreaterThan(200)
    for (const { number, countryCallingCode, nationalNumber } of numbers) {
      const parts = { callingCode: countryCallingCode, national: nationalNumber }
      expect(splitPhone(number.slice(1))).toEqual(parts)
    }
  })

  it('is parsed from its national form with a calling code, and from its international form', () => {
    for (const each of numbers) {
      const parts = { callingCode: each.countryCallingCode, national: each.nationalNumber }
      expect(parsePhone(each.nationalNumber, each.countryCallingCode)).toEqual(parts)
      expect(parsePhone(each.formatInternational(), '1')).toEqual(parts)
      expect(parsePhone(each.formatNational(), each.countryCallingCode)).toEqual(parts)
    }
  })

  it('is shown with its calling code separated', () => {
    expect(formatPhone('491701234567')).toBe('+49 1701234567')
  })
})

describe('the preselected country (spec/pages#phone-numbers)', () => {
  it.each([
    { language: 'en', home: { code: '1', country: 'US' } },
    { language: 'fr-CA', home: { code: '1', country: 'CA' } },
    { language: 'de', home: { code: '49', country: 'DE' } },
    { language: 'pt-BR', home: { code: '55', country: 'BR' } },
    { language: 'zh-CN', home: { code: '86', country: 'CN' } },
    { language: 'ko', home: { code: '82', country: 'KR' } },
    { language: 'ar', home: { code: '20', country: 'EG' } },
    { language: 'sv', home: { code: '46', country: 'SE' } },
    { language: 'zh-TW', home: { code: '886', country: 'TW' } },
    { language: 'zh', home: { code: '86', country: 'CN' } },
  ])(
    'is $home.country for $language: "zh gives CN, en gives US; otherwise derived from the language region"',
    ({ language, home }) => {
      expect(getHomeCountry({ language })).toEqual(home)
    },
  )
})

describe('the list of countries', () => {
  const rowsIn = (language: string, country = '') =>
    listCountries(countryCallingCodes, { language, likely: listLikelyCountries({ language, country }) })
  const inEnglish = rowsIn('en')
  const search = (query: string, rows = inEnglish) =>
    searchCountries(rows, query).map(({ country }) => country)

  it.each(['en', 'de', 'tr-TR', 'zh-CN'])(
    'contains each country once, that of %s first and that of the network second, and is sorted',
    (language) => {
      const [first, second, ...others] = rowsIn(language, 'AT')
      expect([first?.country, second?.country]).toEqual([getHomeCountry({ language }).country, 'AT'])
      const { compare } = new Intl.Collator(language)
      const names = others.map(({ name }) => name)
      expect(names).toEqual(names.toSorted(compare))
      const all = [first, second, ...others].map((row) => row?.country)
      expect(all.toSorted()).toEqual(getCountries().toSorted())
    },
  )

  it.each([
    { query: 'us', first: 'US' },
    { query: 'USA', first: 'US' },
    { query: 'u.s.a.', first: 'US' },
    { query: 'uk', first: 'GB' },
    { query: 'uae', first: 'AE' },
    { query: 'in', first: 'IN' },
    { query: ' de ', first: 'DE' },
    { query: 'germ', first: 'DE' },
    { query: 'KINGDOM', first: 'GB' },
    { query: 'cote d', first: 'CI' },
    { query: 'ivory', first: 'CI' },
    { query: 'bissau', first: 'GW' },
    { query: 'Deutschland', first: 'DE' },
    { query: 'schwei', first: 'CH' },
    { query: 'Ísland', first: 'IS' },
    { query: '日本', first: 'JP' },
    { query: '49', first: 'DE' },
    { query: '+49', first: 'DE' },
    { query: '+44', first: 'GB' },
    { query: '1', first: 'US' },
    { query: ' +35 ', first: 'AX' },
    { query: '9999', first: undefined },
    { query: 'nowhere', first: undefined },
  ])('starts with $first for the query "$query"', ({ query, first }) => {
    expect(search(query)[0]).toBe(first)
  })

  it('can be searched by country name in the page language, and shows likely matches first', () => {
    expect(search('öster', rowsIn('de'))).toEqual(['AT'])
    expect(search('美国', rowsIn('zh-CN'))[0]).toBe('US')
    expect(search('1', rowsIn('en', 'CA')).slice(0, 2)).toEqual(['US', 'CA'])
    expect(search('4', rowsIn('de', 'AT'))[0]).toBe('DE')
    expect(
      rowsIn('en', 'XX')
        .slice(0, 2)
        .map(({ country }) => country),
    ).toEqual(['US', 'AF'])
    expect(search('')).toHaveLength(getCountries().length)
  })
})
