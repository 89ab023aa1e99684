import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { flatten, unflatten } from '../../console/api/phrase-texts.ts'
import { cssNames } from '../../console/areas/experience/css-names.ts'
import { searchKeys } from '../../console/areas/experience/phrase-list.ts'
import {
  moved,
  signUpChoice,
  signUps,
  withIdentifier,
  withMethod,
} from '../../console/areas/experience/sign-in-methods.ts'
import { DEFAULT_EXPERIENCE } from '../../src/contract/experience.ts'
import { acceptExperience } from '../../src/domain/experience-settings.ts'

const { methods } = DEFAULT_EXPERIENCE.signIn

describe('the methods of the sign-in', () => {
  it('gain an address with a code, behind the others, and lose it again', () => {
    const more = withIdentifier(methods, 'email', true)
    expect(more.map(({ identifier }) => identifier)).toEqual(['username', 'email'])
    expect(more[1]).toMatchObject({ password: false, verificationCode: true })
    expect(withIdentifier(more, 'email', false)).toEqual(methods)
  })

  it.each([
    { changes: { password: true }, isPasswordPrimary: false },
    { changes: { password: true, verificationCode: false }, isPasswordPrimary: true },
    { changes: { password: false, isPasswordPrimary: true }, isPasswordPrimary: false },
    { changes: { password: true, isPasswordPrimary: true }, isPasswordPrimary: true },
  ])('ask for the password first as far as there is one: $changes', ({ changes, isPasswordPrimary }) => {
    const [method] = withMethod(withIdentifier([], 'email', true), 'email', changes)
    expect(method).toMatchObject({ ...changes, isPasswordPrimary })
  })

  it.each(Object.keys(signUps) as (keyof typeof signUps)[])(
    'the sign-up by %s is one that is accepted',
    (choice) => {
      const signUp = { ...signUps[choice], identifiers: [...signUps[choice].identifiers] }
      const offered = signUp.identifiers.reduce((all, type) => withIdentifier(all, type, true), [...methods])
      const facts = { connectors: { email: true, phone: true, targets: [] }, languages: ['en'] }
      const patch = { signUp, signIn: { methods: offered } }
      expect(acceptExperience(patch, DEFAULT_EXPERIENCE, facts)).toEqual(patch)
      expect(signUpChoice({ identifiers: signUp.identifiers.toReversed() })).toBe(choice)
    },
  )

  it('know a combination that has no name', () => {
    expect(signUpChoice({ identifiers: ['username', 'email'] })).toBeNull()
  })

  it('move a button by one place', () => {
    expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b'])
    expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
  })
})

describe('the texts of pages', () => {
  const nested = { a: { b: 'one', c: { d: 'two' } }, e: 'three' }
  const flat = { 'a.b': 'one', 'a.c.d': 'two', e: 'three' }

  it('are a list, and texts again without those that are empty', () => {
    expect(flatten(nested)).toEqual(flat)
    expect(unflatten({ ...flat, 'a.x': '', 'a.y': null })).toEqual(nested)
  })

  it.each([
    { search: '', keys: ['a.b', 'a.c.d', 'e'] },
    { search: ' C.D', keys: ['a.c.d'] },
    { search: 'three', keys: ['e'] },
    { search: 'mine', keys: ['a.b'] },
  ])('are found by key and text: "$search"', ({ search, keys }) => {
    expect(searchKeys({ search, lists: [flat, { 'a.b': 'Mine' }] })).toEqual(keys)
  })

  it.each([
    { search: 'Bei Acme anmelden', keys: ['sign_in'] },
    { search: 'acme', keys: ['sign_in'] },
    { search: '{{brand}}', keys: ['sign_in'] },
    { search: 'Sign in to', keys: ['sign_in'] },
    { search: 'Noch 3 Ver', keys: ['left'] },
    { search: '3 Versuche', keys: ['left'] },
    { search: 'Code: 123', keys: ['sent'] },
    { search: 'Codes', keys: [] },
  ])('are found as a page shows them, and in English: "$search"', ({ search, keys }) => {
    const lists: Record<string, string>[] = [
      {
        sign_in: 'Bei {{brand}} anmelden',
        left: 'Noch {{count}} Versuche',
        sent: 'Code: {{code}}',
        range: '{{min}} – {{max}}',
      },
      { sign_in: 'Sign in to {{brand}}' },
    ]
    expect(searchKeys({ search, lists, values: { brand: 'Acme' } })).toEqual(keys)
  })

  it('stay where they are while they are edited', () => {
    const edited = { search: 'Willkommen', lists: [{ a: 'W', b: 'Willkommen' }] }
    expect(searchKeys(edited)).toEqual(['b'])
    expect(searchKeys({ ...edited, kept: ['a'] })).toEqual(['a', 'b'])
  })
})

it('the names for custom CSS are those of the documentation', () => {
  const documented = readFileSync('docs/theming.md', 'utf8')
  const names = cssNames.flatMap(([each]) => each.split(' ').map((name) => name.replace('.', '')))
  expect(names.filter((name) => !documented.includes(`\`${name}\``))).toEqual([])
})
