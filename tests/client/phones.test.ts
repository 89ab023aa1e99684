import { getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/mobile'
import examples from 'libphonenumber-js/mobile/examples'
import { describe, expect, it } from 'vitest'
import { loadPhones, shownPhone, splitPhone } from '../../client/forms/phones.ts'
import { searchCountries } from '../../client/ui/country-search.ts'

const { callingCodes, homeOf, readPhone } = await loadPhones()

describe('a phone number of any country', () => {
  const numbers = getCountries().flatMap((country) => getExampleNumber(country, examples) ?? [])

  it('is split alike with and without the numbering plans', () => {
    expect(numbers.length).toBeGreaterThan(200)
    for (const { number, countryCallingCode, nationalNumber } of numbers) {
      const parts = { callingCode: countryCallingCode, national: nationalNumber }
      expect(splitPhone(number.slice(1))).toEqual(parts)
    }
  })

  it('is read with its country beside it, before it, and in its national form', () => {
    for (const each of numbers) {
      const parts = { callingCode: each.countryCallingCode, national: each.nationalNumber }
      expect(readPhone(each.nationalNumber, each.countryCallingCode)).toEqual(parts)
      expect(readPhone(each.formatInternational(), '1')).toEqual(parts)
      expect(readPhone(each.formatNational(), each.countryCallingCode)).toEqual(parts)
    }
  })

  it('is shown with its calling code apart', () => {
    expect(shownPhone('491701234567')).toBe('+49 1701234567')
  })
})

describe('the list of calling codes (spec/pages#phone-numbers)', () => {
  it.each([
    { language: 'en', code: '1', country: 'US' },
    { language: 'fr-CA', code: '1', country: 'CA' },
    { language: 'de', code: '49', country: 'DE' },
    { language: 'pt-BR', code: '55', country: 'BR' },
    { language: 'zh-CN', code: '86', country: 'CN' },
    { language: 'ko', code: '1', country: 'US' },
  ])('starts with +$code in $language', ({ language, code, country }) => {
    expect(homeOf(language)).toEqual({ code, country })
    expect(callingCodes(language)[0]).toMatchObject({ code, countries: expect.arrayContaining([country]) })
    expect(callingCodes(language)[0]?.countries[0]).toBe(country)
  })

  it('has every other code once, sorted as strings', () => {
    const [first, ...others] = callingCodes('de').map(({ code }) => code)
    expect(others).toEqual(others.toSorted())
    expect([...others, first].toSorted()).toEqual([...new Set(getCountries().map(codeOf))].toSorted())
  })
})

const codeOf = (country: Parameters<typeof getCountryCallingCode>[0]) => getCountryCallingCode(country)

describe('searching a country', () => {
  const names = new Intl.DisplayNames('en', { type: 'region' })
  const search = (query: string) =>
    searchCountries(callingCodes('en'), query, (country) => names.of(country) ?? country)

  it.each([
    { query: '', first: '1', count: 206 },
    { query: '49', first: '49', count: 1 },
    { query: ' +35 ', first: '350', count: 10 },
    { query: '9999', first: undefined, count: 0 },
    { query: 'germ', first: '49', count: 1 },
    { query: 'KINGDOM', first: '44', count: 1 },
    { query: 'cote d', first: '225', count: 1 },
    { query: 'bissau', first: '245', count: 1 },
    { query: 'nowhere', first: undefined, count: 0 },
  ])('for "$query" finds $count, +$first first', ({ query, first, count }) => {
    const rows = search(query)
    expect([rows[0]?.code, rows.length]).toEqual([first, count])
  })

  it('names the country of the query, among all that share its code', () => {
    expect(search('jamaica')).toEqual([{ code: '1', names: ['Jamaica'], hasMore: false }])
    expect(search('39')).toEqual([{ code: '39', names: ['Italy', 'Vatican City'], hasMore: false }])
    expect(search('1')).toEqual([{ code: '1', names: ['United States'], hasMore: true }])
  })
})
