import { describe, expect, it } from 'vitest'
import { findIdentifierProblem, readIdentifier } from '../../client/journeys/identifiers.ts'
import { loadNumberingPlans } from '../../client/phones/phones.ts'
import german from '../../locales/de.json'
import type { IdentifierType } from '../../src/contract/interactions/identifiers.ts'
import { testBootData } from './boot-data.ts'

const every: readonly IdentifierType[] = ['username', 'email', 'phone']
const problem = (message: string) => ({ kind: 'problem', message })
const identified = (type: IdentifierType, value: string) => ({
  kind: 'identifier',
  identifier: { type, value },
})

const read = (identifier: string, accepted: readonly IdentifierType[], more: object = {}) =>
  readIdentifier({ form: { identifier }, boot: testBootData, accepted, ...more })

describe('reading an identifier', () => {
  it.each<{ text: string; accepted: readonly IdentifierType[]; type: IdentifierType; value: string }>([
    { text: ' ada ', accepted: every, type: 'username', value: 'ada' },
    { text: 'ada@example.com', accepted: every, type: 'email', value: 'ada@example.com' },
    { text: '6502530000', accepted: every, type: 'phone', value: '16502530000' },
    { text: '(650) 253-0000', accepted: every, type: 'phone', value: '16502530000' },
    { text: '+49 170 1234567', accepted: every, type: 'phone', value: '491701234567' },
    { text: '+49 170 1234567', accepted: ['phone'], type: 'phone', value: '491701234567' },
    { text: '0049 170 1234567', accepted: ['email', 'phone'], type: 'phone', value: '491701234567' },
    { text: '1 650 253 0000', accepted: ['phone'], type: 'phone', value: '16502530000' },
    { text: '123', accepted: ['username'], type: 'username', value: '123' },
  ])(
    'parses "$text" as the $type $value if the accepted types are $accepted',
    async ({ text, accepted, type, value }) => {
      expect(await read(text, accepted, { purpose: 'known' })).toEqual(identified(type, value))
    },
  )

  it("adds the selected calling code to a national number, or else the calling code of the language's country", async () => {
    const chosen = { form: { identifier: '0170 1234567', countryCode: '49' } }
    expect(await read('', ['phone'], chosen)).toEqual(identified('phone', '491701234567'))
    const inGerman = { boot: { language: 'de', phrases: german.translation } }
    expect(await read('0170 1234567', ['phone'], inGerman)).toEqual(identified('phone', '491701234567'))
    const abroad = { form: { identifier: '+1 650 253 0000', countryCode: '49' } }
    expect(await read('', ['phone'], abroad)).toEqual(identified('phone', '16502530000'))
    const twice = { form: { identifier: '49 170 1234567', countryCode: '49' } }
    expect(await read('', ['phone'], twice)).toEqual(identified('phone', '491701234567'))
  })

  it('treats a short number as a phone number if a country is selected', async () => {
    const form = { identifier: '12', countryCode: '1' }
    expect(await read('', every, { form })).toEqual(
      problem('The phone number is invalid. Check the country code and the number.'),
    )
  })

  it.each<{ text: string; accepted: readonly IdentifierType[]; message: string }>([
    { text: ' ', accepted: every, message: 'Username, email, or phone number is required' },
    { text: '1ada', accepted: ['username'], message: 'Usernames can’t start with a number' },
    {
      text: 'a da',
      accepted: every,
      message: 'Use only letters, numbers and underscores',
    },
    { text: 'a'.repeat(129), accepted: ['username'], message: 'The username is invalid' },
    {
      text: 'ada@example',
      accepted: every,
      message: 'The email is invalid. Enter an address like name@example.com.',
    },
    {
      text: `${'a'.repeat(120)}@example.com`,
      accepted: every,
      message: 'The email is invalid. Enter an address like name@example.com.',
    },
    {
      text: 'ada',
      accepted: ['email', 'phone'],
      message: 'The email is invalid. Enter an address like name@example.com.',
    },
    {
      text: '555',
      accepted: every,
      message: 'The phone number is invalid. Check the country code and the number.',
    },
    {
      text: '+49 89 123456',
      accepted: ['phone'],
      message: 'The phone number is invalid. Check the country code and the number.',
    }, // a landline number
  ])('rejects the new identifier "$text" with "$message"', async ({ text, accepted, message }) => {
    expect(await read(text, accepted)).toEqual(problem(message))
  })

  it.each<{ text: string; accepted: readonly IdentifierType[]; message: string }>([
    { text: '', accepted: ['email', 'phone'], message: 'Email or phone number is required' },
    { text: '555', accepted: ['email', 'phone'], message: 'The email or phone number is invalid' },
    { text: 'ada', accepted: ['email'], message: 'The email is invalid' },
    { text: 'ada lovelace', accepted: every, message: 'The username, email, or phone number is invalid' },
    {
      text: 'ada@example',
      accepted: ['email', 'phone'],
      message: 'The email or phone number is invalid. Enter an address like name@example.com.',
    },
  ])('rejects "$text" at sign-in with a general message', async ({ text, accepted, message }) => {
    expect(await read(text, accepted, { purpose: 'known' })).toEqual(problem(message))
  })

  it('accepts at sign-in a username that new users cannot choose', async () => {
    expect(await read('1.ada', ['username'], { purpose: 'known' })).toEqual(identified('username', '1.ada'))
  })
})

describe('phone number limits (spec/pages#phone-numbers)', () => {
  /** A phone number within all limits. */
  const NUMBER = '+16502530000'
  const spaced = (length: number) => NUMBER.replace('+1', '+1'.padEnd(length - NUMBER.length + 2))
  it.each([
    { what: 'a text of 250 characters', text: spaced(250), isAccepted: true },
    { what: 'a text of 251 characters', text: spaced(251), isAccepted: false },
    { what: 'a national number of 1 digit', text: '+491', isAccepted: false },
    { what: 'a national number of 18 digits', text: `+49${'1'.repeat(18)}`, isAccepted: false },
    { what: 'an extension of 20 digits', text: `${NUMBER};ext=${'1'.repeat(20)}`, isAccepted: true },
    { what: 'an extension of 21 digits', text: `${NUMBER};ext=${'1'.repeat(21)}`, isAccepted: false },
  ])('accept $what: $isAccepted', async ({ text, isAccepted }) => {
    const { parsePhone } = await loadNumberingPlans()
    expect(parsePhone(text, '1') !== null).toBe(isAccepted)
    expect((await read(text, ['phone'])).kind).toBe(isAccepted ? 'identifier' : 'problem')
  })

  it('accept an extension, but omit it from the request', async () => {
    expect(await read(`${NUMBER} ext. 12`, ['phone'])).toEqual(identified('phone', '16502530000'))
  })
})

it('an identifier is checked synchronously once the numbering plans have loaded', async () => {
  const input = { form: { identifier: 'ada@example' }, boot: testBootData, accepted: every }
  expect(findIdentifierProblem(input)).toBe('The email is invalid. Enter an address like name@example.com.')
  await loadNumberingPlans()
  expect(findIdentifierProblem({ ...input, form: { identifier: '555' } })).toBe(
    'The phone number is invalid. Check the country code and the number.',
  )
  expect(findIdentifierProblem({ ...input, form: { identifier: '6502530000' } })).toBeNull()
})
