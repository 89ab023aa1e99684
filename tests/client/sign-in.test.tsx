import { describe, expect, it } from 'vitest'
import { findJourney } from '../../client/app/find-journey.ts'
import type { Experience, SignInMethod } from '../../src/contract/experience/experience.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { IdentifierType } from '../../src/contract/interactions/identifiers.ts'
import { adaIdentifier, bootExperience, testBootData, withTerms } from './boot-data.ts'
import { errorResponse, networkStub, noContent, redirectResponse } from './network.ts'
import { renderElement } from './render.tsx'

const method = (identifier: IdentifierType, how: Partial<SignInMethod> = {}): SignInMethod => ({
  identifier,
  password: true,
  verificationCode: false,
  isPasswordPrimary: true,
  ...how,
})
const code = { verificationCode: true }
const codeFirst = { ...code, isPasswordPrimary: false }

const offering = (...methods: SignInMethod[]): BootData => ({
  ...testBootData,
  experience: { ...bootExperience, signIn: { methods }, forgotPassword: { email: true, phone: false } },
})

/** One of these methods signs in with a code, so the page asks only for the identifier at first. */
const mixed = offering(method('username'), method('email', codeFirst), method('phone', code))

async function send(
  path: string,
  form: Record<string, string>,
  responses: Response[],
  page: BootData = mixed,
  intent = 'send',
) {
  const { api, calls, requests } = networkStub(...responses)
  const reaction = await (await findJourney(path, intent))?.({ api, form, boot: { ...page, path } })
  return { reaction, requests: requests(), bodies: calls.map(({ body }) => body).filter(Boolean) }
}

const renderPage = (page: Partial<BootData>) => renderElement({ ...mixed, ...page })
const inputNamed = (html: string, name: string) =>
  html.match(new RegExp(`<input[^>]* name="${name}"[^>]*>`))?.[0] ?? ''

const phone = { identifier: { type: 'phone', value: '491701234567' } } as const
const email = { identifier: { type: 'email', value: 'ada@example.com' } } as const

describe('a form with only an identifier', () => {
  it.each([
    { typed: 'ada', navigation: adaIdentifier },
    { typed: '+49 170 1234567', navigation: phone },
  ])('opens the password page for $typed without an API call', async ({ typed, navigation }) => {
    expect(await send('/sign-in', { identifier: typed }, [])).toEqual({
      reaction: { kind: 'goTo', path: '/sign-in/password', navigation },
      requests: [],
      bodies: [],
    })
  })

  it('sends a code if codes are the primary sign-in method', async () => {
    expect(
      await send('/sign-in', { identifier: 'ada@example.com' }, [noContent(), noContent()]),
    ).toMatchObject({
      reaction: { kind: 'goTo', path: '/sign-in/verification-code', navigation: email },
      requests: ['PUT /api/interaction', 'POST /api/interaction/verification/verification-code'],
      bodies: [{ event: 'SignIn' }, { email: 'ada@example.com' }],
    })
  })

  it('shows an error that names no type if the identifier is missing', async () => {
    const { reaction, requests } = await send('/sign-in', { identifier: '' }, [])
    expect(reaction).toEqual({
      kind: 'inline',
      field: 'identifier',
      message: 'Username, email, or phone number is required',
    })
    expect(requests).toEqual([])
  })

  it('shows an error next to the field if the server rejects the identifier’s format', async () => {
    const responses = [noContent(), errorResponse('guard.invalid_input', 400)]
    const { reaction } = await send('/sign-in', { identifier: 'ada@example.com' }, responses)
    expect(reaction).toEqual({
      kind: 'inline',
      field: 'identifier',
      message: 'The email is invalid. Enter an address like name@example.com.',
    })
  })
})

describe('the password page after the identifier', () => {
  const page: BootData = { ...mixed, navigation: phone }

  it('signs in with the identifier from the previous page', async () => {
    const responses = [noContent(), redirectResponse()]
    expect(await send('/sign-in/password', { password: 'correct1' }, responses, page)).toMatchObject({
      reaction: { kind: 'leave' },
      requests: ['PUT /api/interaction', 'POST /api/interaction/submit'],
      bodies: [{ event: 'SignIn', identifier: { phone: '491701234567', password: 'correct1' } }],
    })
  })

  it('requires a password, and shows errors next to its field', async () => {
    const nothing = await send('/sign-in/password', {}, [], page)
    expect(nothing.reaction).toEqual({ kind: 'inline', field: 'password', message: 'Password is required' })
    const wrong = [errorResponse('session.invalid_credentials', 422)]
    const { reaction } = await send('/sign-in/password', { password: 'x' }, wrong, page)
    expect(reaction).toMatchObject({ kind: 'inline', field: 'password' })
  })

  it('can send a code instead', async () => {
    const responses = [noContent(), noContent()]
    expect((await send('/sign-in/password', {}, responses, page, 'code')).reaction).toMatchObject({
      kind: 'goTo',
      path: '/sign-in/verification-code',
      navigation: phone,
      // The browser's Back button returns to the password, and the page's to the identifier.
      replace: false,
      isSibling: true,
    })
  })

  it.each(['guard.invalid_input', 'request.too_many_requests', 'connector.general'] as const)(
    'shows an error above the form if a code could not be sent: %s',
    async (refusal) => {
      const responses = [noContent(), errorResponse(refusal, 400)]
      expect((await send('/sign-in/password', {}, responses, page, 'code')).reaction).toMatchObject({
        kind: 'inline',
        field: null,
      })
    },
  )

  it('reports that the code could not be sent, without mentioning connectors', async () => {
    const responses = [noContent(), errorResponse('connector.template_not_found', 400)]
    const { reaction } = await send('/sign-in/password', {}, responses, page, 'code')
    expect(reaction).toMatchObject({ message: 'We couldn’t send the code. Please try again later.' })
  })

  it.each(['send', 'code'])(
    'reports a missing session for the intent "%s" without an identifier',
    async (intent) => {
      const { reaction, requests } = await send('/sign-in/password', { password: 'x' }, [], mixed, intent)
      expect(reaction).toMatchObject({ message: 'Session not found. Please go back and sign in again.' })
      expect(requests).toEqual([])
    },
  )

  // The specification: "Shows the identifier (masked for phone)".
  it('masks a phone number, but exposes the full number to password managers', () => {
    const html = renderPage({ path: '/sign-in/password', navigation: phone })
    expect(html).toContain('Sign in with the password for phone number <bdi>****4567</bdi>')
    expect(html).toContain(
      '<bdi class="chip-name" aria-hidden="true" title="****4567"><span>****4567</span><span></span></bdi>',
    )
    expect(html).toMatch(/<input[^>]*autoComplete="username"[^>]*value="\+491701234567"/)
    expect(inputNamed(html, 'password')).toContain('autoComplete="current-password"')
  })

  it('shows an email address and a username in full', () => {
    const email = { identifier: { type: 'email', value: 'ada.lovelace@example.com' } } as const
    const chipName = (navigation: typeof email | typeof adaIdentifier) =>
      /class="chip-name"[^>]*>(.*?)<\/bdi>/
        .exec(renderPage({ path: '/sign-in/password', navigation }))?.[1]
        ?.replaceAll(/<[^>]*>/g, '')
    expect([chipName(email), chipName(adaIdentifier)]).toEqual(['ada.lovelace@example.com', 'ada'])
  })

  it('offers a code or a password reset only if the settings allow it', () => {
    const withCode = renderPage({ path: '/sign-in/password', navigation: phone })
    expect(withCode).toContain('Text me a code instead')
    expect(withCode).toContain('href="/forgot-password?interaction=uid"')
    const without = { ...mixed.experience, forgotPassword: { email: false, phone: false } }
    const plain = renderPage({ path: '/sign-in/password', navigation: adaIdentifier, experience: without })
    expect(plain).not.toContain('a code instead')
    expect(plain).not.toContain('/forgot-password')
  })
})

describe('/sign-in', () => {
  it.each<{ screen: string; page: Partial<BootData>; has: RegExp; hasNot: RegExp }>([
    {
      screen: 'both fields if every method is a password',
      page: offering(method('email'), method('phone')),
      has: /name="password"/,
      hasNot: /can’t sign in/,
    },
    {
      screen: 'only the identifier if one method uses codes',
      page: mixed,
      has: /name="identifier"/,
      hasNot: /name="password"/,
    },
    { screen: 'no fields without a method', page: offering(), has: /can’t sign in/, hasNot: /<input/ },
  ])('shows $screen', ({ page, has, hasNot }) => {
    const html = renderPage(page)
    expect(html).toMatch(has)
    expect(html).not.toMatch(hasNot)
  })

  it.each<{ types: IdentifierType[]; attributes: string[] }>([
    { types: ['username'], attributes: ['type="text"', 'autoComplete="username"', 'maxLength="128"'] },
    { types: ['email'], attributes: ['type="email"', 'autoComplete="username"'] },
    {
      types: ['phone'],
      attributes: ['type="tel"', 'inputMode="tel"', 'autoComplete="tel"', 'maxLength="250"'],
    },
    {
      types: ['email', 'phone'],
      attributes: ['inputMode="email"', 'autoComplete="username"', 'maxLength="250"'],
    },
  ])(
    'sets the attributes for keyboards and password managers if the types are $types',
    ({ types, attributes }) => {
      const input = inputNamed(renderPage(offering(...types.map((type) => method(type)))), 'identifier')
      for (const attribute of attributes) expect(input).toContain(attribute)
    },
  )

  it('reserves space for the calling code before JavaScript runs if the field always shows one', () => {
    expect(renderPage(offering(method('phone')))).toContain(
      '<span class="country-code" data-shown="true"></span>',
    )
    expect(renderPage(offering(method('email'), method('phone')))).toContain(
      '<span class="country-code"></span>',
    )
    expect(renderPage(offering(method('email')))).not.toContain('country-code')
  })

  it('prefills the known identifier, and splits phone numbers into calling code and number', () => {
    const html = renderPage({ ...offering(method('phone', code)), navigation: phone })
    expect(inputNamed(html, 'identifier')).toContain('value="1701234567"')
    expect(inputNamed(html, 'countryCode')).toContain('value="49"')
    expect(html).toContain('<bdi>+<!-- -->49</bdi>')
  })

  it('does not prefill an identifier of an unsupported type', () => {
    expect(
      inputNamed(renderPage({ ...offering(method('email')), navigation: phone }), 'identifier'),
    ).toContain('value=""')
  })

  it('keeps the submitted values without JavaScript, including the calling code', () => {
    const values = { identifier: '0170', countryCode: '49' }
    const html = renderPage({
      ...mixed,
      values,
      notice: { kind: 'inline', field: 'identifier', message: 'No.' },
    })
    expect(inputNamed(html, 'identifier')).toContain('value="0170"')
    expect(inputNamed(html, 'countryCode')).toContain('value="49"')
  })
})

describe('/register', () => {
  const asking = (...identifiers: IdentifierType[]): Experience => ({
    ...withTerms,
    signIn: { methods: identifiers.map((type) => method(type, code)) },
    signUp: { identifiers, password: true, verify: true },
  })
  const page = (...identifiers: IdentifierType[]) => ({ ...testBootData, experience: asking(...identifiers) })
  const termsAgreement = 'on'

  it.each([
    { typed: 'ada@example.com', navigation: email, body: { email: 'ada@example.com' } },
    { typed: '+49 170 1234567', navigation: phone, body: { phone: '491701234567' } },
  ])('sends a code to $typed', async ({ typed, navigation, body }) => {
    const form = { identifier: typed, termsAgreement }
    expect(await send('/register', form, [noContent(), noContent()], page('email', 'phone'))).toMatchObject({
      reaction: { kind: 'goTo', path: '/register/verification-code', navigation },
      bodies: [{ event: 'Register' }, body],
    })
  })

  it('validates a new address before asking for agreement to the terms', async () => {
    const { reaction } = await send('/register', { identifier: 'ada@x' }, [], page('email'))
    expect(reaction).toEqual({
      kind: 'inline',
      field: 'identifier',
      message: 'The email is invalid. Enter an address like name@example.com.',
    })
    const second = await send('/register', { identifier: 'ada@example.com' }, [], page('email'))
    expect(second.reaction).toMatchObject({ kind: 'inline', field: 'termsAgreement' })
  })

  it('has an identifier field only if users register with an identifier', () => {
    expect(inputNamed(renderPage({ ...page('email'), path: '/register' }), 'identifier')).toContain(
      'type="email"',
    )
    const none = renderPage({ ...page(), path: '/register' })
    expect(none).not.toContain('<input')
    expect(none).toContain('can’t create an account')
  })
})
