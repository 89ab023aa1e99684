import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { flatten, unflatten, withPluralForms } from '../../console/api/phrase-texts.ts'
import { cssNames } from '../../console/areas/experience/css-names.ts'
import { copyLightToDark, findUnbrandedDarkParts } from '../../console/areas/experience/dark-leftovers.ts'
import { findSimilarKeys, searchKeys } from '../../console/areas/experience/phrase-list.ts'
import {
  findSignUpChoice,
  moveItem,
  signUpPresets,
  toggleIdentifier,
  updateMethod,
} from '../../console/areas/experience/sign-in-methods.ts'
import {
  findFixedSettings,
  listImpliedChanges,
  withSignUp,
} from '../../console/areas/experience/sign-up-choice.ts'
import { SignInExperiencePatch } from '../../src/contract/experience/experience.schema.ts'
import { DEFAULT_EXPERIENCE } from '../../src/contract/experience/experience.ts'
import { isRefusal } from '../../src/contract/refused.ts'
import { deriveDarkBrand } from '../../src/domain/experience/dark-brand.ts'
import { checkExperiencePatch } from '../../src/domain/experience/experience-settings.ts'
import { findLogoUrlProblem } from '../../src/domain/experience/pictures.ts'

const { methods } = DEFAULT_EXPERIENCE.signIn
const allConnectors = { connectors: { email: true, phone: true, targets: [] }, languages: ['en'] }

describe('the sign-in methods', () => {
  it('include email with a code once email is added, and exclude it once it is removed', () => {
    const more = toggleIdentifier(methods, 'email', true)
    expect(more.map(({ identifier }) => identifier)).toEqual(['username', 'email'])
    expect(more[1]).toMatchObject({ password: false, verificationCode: true })
    expect(toggleIdentifier(more, 'email', false)).toEqual(methods)
  })

  it.each([
    { changes: { password: true }, isPasswordPrimary: false },
    { changes: { password: true, verificationCode: false }, isPasswordPrimary: true },
    { changes: { password: false, isPasswordPrimary: true }, isPasswordPrimary: false },
    { changes: { password: true, isPasswordPrimary: true }, isPasswordPrimary: true },
  ])('use the password first only if they accept passwords: $changes', ({ changes, isPasswordPrimary }) => {
    const [method] = updateMethod(toggleIdentifier([], 'email', true), 'email', changes)
    expect(method).toMatchObject({ ...changes, isPasswordPrimary })
  })

  it.each(Object.keys(signUpPresets) as (keyof typeof signUpPresets)[])(
    'support the sign-up preset %s, which the server accepts',
    (choice) => {
      const signUp = { ...signUpPresets[choice], identifiers: [...signUpPresets[choice].identifiers] }
      const patch = withSignUp(DEFAULT_EXPERIENCE, signUp)
      expect(checkExperiencePatch(patch, DEFAULT_EXPERIENCE, allConnectors)).toEqual(patch)
      expect(findSignUpChoice({ identifiers: signUp.identifiers.toReversed() })).toBe(choice)
    },
  )

  it('match no preset for other combinations of identifiers', () => {
    expect(findSignUpChoice({ identifiers: ['username', 'email'] })).toBeNull()
  })

  it('can be moved by one position', () => {
    expect(moveItem(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b'])
    expect(moveItem(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
  })
})

describe('the choice of what new users sign up with', () => {
  const presets = Object.values(signUpPresets).map((preset) => ({
    ...preset,
    identifiers: [...preset.identifiers],
  }))
  const email = withSignUp(DEFAULT_EXPERIENCE, { identifiers: ['email'], password: false, verify: true })

  it('names what it also switches', () => {
    expect(listImpliedChanges(DEFAULT_EXPERIENCE, email, 'identifiers')).toEqual([
      'methodAdded',
      'passwordOff',
      'verifyOn',
    ])
    const withPassword = withSignUp(email, { ...email.signUp, password: true })
    expect(listImpliedChanges(email, withPassword, 'password')).toEqual(['methodPassword'])
    const withoutCodes = withPassword.signIn.methods.map((method) => ({ ...method, verificationCode: false }))
    const before = { ...withPassword, signIn: { methods: withoutCodes } }
    const withCodes = withSignUp(before, { ...before.signUp, password: false })
    expect(listImpliedChanges(before, withCodes, 'password')).toEqual(['methodCode'])
    expect(listImpliedChanges(email, email, 'identifiers')).toEqual([])
  })

  it('disables exactly the switches that the server would reject', () => {
    const isRejected = (patch: Parameters<typeof checkExperiencePatch>[0]) =>
      isRefusal(checkExperiencePatch(patch, DEFAULT_EXPERIENCE, allConnectors))
    for (const preset of presets) {
      const start = withSignUp(DEFAULT_EXPERIENCE, preset)
      for (const password of [true, false])
        for (const verify of [true, false]) {
          const signUp = { ...preset, password, verify }
          const settings = withSignUp(start, signUp)
          if (isRejected(settings)) continue
          expect(findFixedSettings(signUp), JSON.stringify(signUp)).toEqual({
            password: password && isRejected(withSignUp(settings, { ...signUp, password: false })),
            verify: verify && isRejected(withSignUp(settings, { ...signUp, verify: false })),
          })
        }
    }
  })

  it('leaves values that the server would reject open to correction', () => {
    const wrong = { identifiers: ['username' as const, 'email' as const], password: false, verify: false }
    expect(findFixedSettings(wrong)).toEqual({ password: false, verify: false })
  })
})

describe('custom phrases for the pages', () => {
  const nested = { a: { b: 'one', c: { d: 'two' } }, e: 'three' }
  const flat = { 'a.b': 'one', 'a.c.d': 'two', e: 'three' }

  it('can be flattened and nested again, without empty phrases', () => {
    expect(flatten(nested)).toEqual(flat)
    expect(unflatten({ ...flat, 'a.x': '', 'a.y': null })).toEqual(nested)
  })

  it.each([
    { language: 'en', texts: { one: 'One', other: 'Others' } },
    { language: 'ja', texts: { other: 'Others' } },
    { language: 'sr-Latn', texts: { one: 'One', few: 'Others', other: 'Others' } },
  ])('are offered in each plural form that $language has', ({ language, texts }) => {
    const key = 'vestibule.factor_few_codes'
    const english = { [`${key}_one`]: 'One', [`${key}_other`]: 'Others', 'vestibule.factor_other': 'Other' }
    const forms = Object.entries(texts).map(([category, text]) => [`${key}_${category}`, text])
    expect(withPluralForms(english, language)).toEqual({
      'vestibule.factor_other': 'Other',
      ...Object.fromEntries(forms),
    })
  })

  it.each([
    { search: '', keys: ['a.b', 'a.c.d', 'e'] },
    { search: ' C.D', keys: ['a.c.d'] },
    { search: 'three', keys: ['e'] },
    { search: 'mine', keys: ['a.b'] },
  ])('can be searched by key and by text: "$search"', ({ search, keys }) => {
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
  ])('can be searched in English and in the page’s language: "$search"', ({ search, keys }) => {
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

  it.each([
    { key: 'sign_in', similar: ['link', 'again'] },
    { key: 'again', similar: [] },
    { key: 'no', similar: [] },
    { key: 'missing', similar: [] },
  ])('lists other phrases that contain the text of $key as words', ({ key, similar }) => {
    const phrases = {
      sign_in: 'Sign in',
      link: 'Have an account? Sign in to link it.',
      again: 'Please sign in',
      signing: 'Sign into nothing',
      no: 'No',
      other: 'No way',
    }
    expect(findSimilarKeys(key, phrases)).toEqual(similar)
  })

  it('remain in the search results while they are edited', () => {
    const edited = { search: 'Willkommen', lists: [{ a: 'W', b: 'Willkommen' }] }
    expect(searchKeys(edited)).toEqual(['b'])
    expect(searchKeys({ ...edited, pinned: ['a'] })).toEqual(['a', 'b'])
  })
})

describe('a logo URL', () => {
  it.each([
    ...[
      '/logo.svg',
      '/assets/brand/0dF-_9.svg',
      'https://cdn.example/a b.svg',
      'https://cdn.example/logo.svg',
      'https://cdn.example:8443',
    ],
    ...[
      'http://cdn.example/logo.svg',
      'data:image/svg+xml,x',
      'https://[::1]/x.svg',
      'https:cdn.example',
      'cdn',
    ],
    ...[
      '/logos/a.svg',
      '//cdn.example/x',
      '/',
      'https://',
      'HTTPS://CDN.example',
      'javascript:x',
      'https://a/\0',
    ],
    `https://cdn.example/${'x'.repeat(2048)}`,
  ])('is valid in the form if and only if the server accepts it: %s', (logoUrl) => {
    const parsed = SignInExperiencePatch.safeParse({ branding: { logoUrl } })
    const facts = { connectors: { email: false, phone: false, targets: [] }, languages: ['en'] }
    const isTaken = parsed.success && !isRefusal(checkExperiencePatch(parsed.data, DEFAULT_EXPERIENCE, facts))
    expect(findLogoUrlProblem(logoUrl) === null).toBe(isTaken)
  })
})

describe('a dark theme', () => {
  const { branding } = DEFAULT_EXPERIENCE
  const color = { ...DEFAULT_EXPERIENCE.color, isDarkModeEnabled: true }
  const own = { primaryColor: '#0a7d55' }
  const logo = { ...branding, logoUrl: 'https://cdn.example/logo.svg' }

  it.each([
    { defaultParts: null, looks: { color, branding } },
    { defaultParts: 'color', looks: { color: { ...color, ...own }, branding } },
    { defaultParts: 'logo', looks: { color, branding: logo } },
    { defaultParts: 'both', looks: { color: { ...color, ...own }, branding: logo } },
    { defaultParts: null, looks: { color: { ...color, ...own, isDarkModeEnabled: false }, branding: logo } },
    { defaultParts: null, looks: { color: { ...color, primaryColor: '#0a7d' }, branding } },
  ])(
    'can take the branding that it leaves at the default ($defaultParts) from the light theme',
    ({ defaultParts, looks }) => {
      expect(findUnbrandedDarkParts(looks)).toBe(defaultParts)
      const after = { ...looks, ...copyLightToDark(looks) }
      expect(findUnbrandedDarkParts(after)).toBeNull()
      if (defaultParts === 'both')
        expect(after).toMatchObject({
          color: { ...own, darkPrimaryColor: deriveDarkBrand(own.primaryColor) },
          branding: { darkLogoUrl: logo.logoUrl },
        })
    },
  )
})

it('the custom CSS editor lists only documented CSS names', () => {
  const documented = readFileSync('docs/guides/theming.md', 'utf8')
  const names = cssNames.flatMap(([each]) => each.split(' ').map((name) => name.replace('.', '')))
  expect(names.filter((name) => !documented.includes(`\`${name}\``))).toEqual([])
})
