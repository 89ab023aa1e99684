import { describe, expect, it } from 'vitest'
import { findJourney } from '../../client/app/find-journey.ts'
import type { IdentifierType } from '../../src/contract/interactions/identifiers.ts'
import { adaIdentifier, bootExperience, testBootData, withTerms } from './boot-data.ts'
import { errorResponse, networkStub, noContent, redirectResponse } from './network.ts'

async function send(
  path: string,
  form: Record<string, string>,
  responses: (Response | Error)[],
  page = testBootData,
) {
  const { api, calls, requests } = networkStub(...responses)
  const reaction = await (await findJourney(path, 'send'))?.({
    api,
    form,
    boot: { ...page, path, navigation: adaIdentifier },
  })
  return { reaction, requests: requests(), bodies: calls.map(({ body }) => body).filter(Boolean) }
}

const inline = (field: string | null, message: string) => ({ kind: 'inline', field, message })

it('“Not now” submits without a second factor, and redirects to the application', async () => {
  const { api, calls, requests } = networkStub(redirectResponse())
  const boot = { ...testBootData, path: '/second-factor/set-up' }
  const reaction = await (await findJourney(boot.path, 'later'))?.({ api, form: {}, boot })
  expect(reaction).toEqual({ kind: 'leave', url: 'https://id.example.com/oidc/auth/uid' })
  expect(requests()).toEqual(['POST /api/interaction/submit'])
  expect(calls.map(({ body }) => body)).toEqual([{ putsOffSecondFactor: true }])
})

describe('signing in', () => {
  const form = { identifier: ' ada ', password: 'correct1' }

  it('starts the interaction with the password, submits it, and redirects to the application', async () => {
    expect(await send('/sign-in', form, [noContent(), redirectResponse()])).toEqual({
      reaction: { kind: 'leave', url: 'https://id.example.com/oidc/auth/uid' },
      requests: ['PUT /api/interaction', 'POST /api/interaction/submit'],
      bodies: [{ event: 'SignIn', identifier: { username: 'ada', password: 'correct1' } }],
    })
  })

  it.each([
    { typed: 'ada', identifier: { username: 'ada', password: 'x' } },
    { typed: 'ada@example.com', identifier: { email: 'ada@example.com', password: 'x' } },
    { typed: '(650) 253-0000', identifier: { phone: '16502530000', password: 'x' } },
  ])('guesses the identifier type of $typed', async ({ typed, identifier }) => {
    const types: IdentifierType[] = ['username', 'email', 'phone']
    const methods = types.map((type) => ({
      identifier: type,
      password: true,
      verificationCode: false,
      isPasswordPrimary: true,
    }))
    const page = { ...testBootData, experience: { ...bootExperience, signIn: { methods } } }
    const { bodies } = await send(
      '/sign-in',
      { identifier: typed, password: 'x' },
      [noContent(), redirectResponse()],
      page,
    )
    expect(bodies).toEqual([{ event: 'SignIn', identifier }])
  })

  it.each<{ form: Record<string, string>; reaction: object }>([
    { form: {}, reaction: inline('identifier', 'Username is required') },
    { form: { identifier: '  ', password: 'x' }, reaction: inline('identifier', 'Username is required') },
    { form: { identifier: 'ada' }, reaction: inline('password', 'Password is required') },
  ])('makes no API call for the incomplete form $form', async ({ form, reaction }) => {
    expect(await send('/sign-in', form, [])).toEqual({ reaction, requests: [], bodies: [] })
  })

  it('shows an error next to the password field for wrong credentials', async () => {
    const { reaction } = await send('/sign-in', form, [errorResponse('session.invalid_credentials', 422)])
    expect(reaction).toEqual(inline('password', 'message of session.invalid_credentials'))
  })

  it('alerts if the session is not found, "then go back 2 steps"', async () => {
    const code = 'session.verification_session_not_found'
    const { reaction } = await send('/sign-in', form, [errorResponse(code, 404)])
    expect(reaction).toEqual({ kind: 'alert', message: `message of ${code}`, back: 2 })
  })
})

describe('registering', () => {
  it('opens the password page after the username is entered', async () => {
    const responses = [
      noContent(),
      errorResponse('user.missing_profile', 422, { missingProfile: ['password'] }),
    ]
    expect(await send('/register', { identifier: 'ada' }, responses)).toEqual({
      reaction: {
        kind: 'goTo',
        path: '/register/password',
        navigation: { identifier: { type: 'username', value: 'ada' } },
      },
      requests: ['PUT /api/interaction', 'POST /api/interaction/submit'],
      bodies: [{ event: 'Register', profile: { username: 'ada' } }],
    })
  })

  it.each([
    { username: '', message: 'Username is required' },
    { username: '1ada', message: 'Usernames can’t start with a number' },
    { username: 'a da', message: 'Use only letters, numbers and underscores' },
  ])('rejects the username "$username"', async ({ username, message }) => {
    const { reaction, requests } = await send('/register', { identifier: username }, [])
    expect(reaction).toEqual(inline('identifier', message))
    expect(requests).toEqual([])
  })

  it('requires agreement to the terms if the tenant has any', async () => {
    const page = { ...testBootData, experience: withTerms }
    const { reaction } = await send('/register', { identifier: 'ada' }, [], page)
    expect(reaction).toEqual(
      inline('termsAgreement', 'To proceed, please agree to the Terms of Use and Privacy Policy'),
    )
    const agreed = { identifier: 'ada', termsAgreement: 'on' }
    expect((await send('/register', agreed, [noContent(), redirectResponse()], page)).reaction).toMatchObject(
      {
        kind: 'leave',
      },
    )
  })

  it('shows an error next to the field if the username is taken', async () => {
    const responses = [noContent(), errorResponse('user.username_already_in_use', 422)]
    const { reaction } = await send('/register', { identifier: 'ada' }, responses)
    expect(reaction).toEqual(inline('identifier', 'message of user.username_already_in_use'))
  })

  it('opens the page for the next missing profile item', async () => {
    const responses = [noContent(), errorResponse('user.missing_profile', 422, { missingProfile: ['email'] })]
    expect((await send('/register', { identifier: 'ada' }, responses)).reaction).toMatchObject({
      kind: 'goTo',
      path: '/continue/email',
      navigation: { identifier: { type: 'username', value: 'ada' }, event: 'Register' },
    })
  })
})

describe('entering the password for a new account', () => {
  const form = { newPassword: 'correct1', confirmPassword: 'correct1' }

  it('completes the profile, submits the interaction, and redirects to the application', async () => {
    expect(await send('/register/password', form, [noContent(), redirectResponse()])).toEqual({
      reaction: { kind: 'leave', url: 'https://id.example.com/oidc/auth/uid' },
      requests: ['PATCH /api/interaction/profile', 'POST /api/interaction/submit'],
      bodies: [{ password: 'correct1' }],
    })
  })

  // The specification: "Password messages: minimum {min} characters; minimum {min} characters with a mix of letters,
  // numbers and symbols". What helps further stands after its sentence.
  const mixed = 'Password requires a minimum of 8 characters with a mix of letters, numbers and symbols'
  const charactersHint = 'Use letters without accents, numbers and symbols, but no spaces.'
  it.each([
    { password: '', message: 'Password is required' },
    { password: 'pässwörd1', message: `${mixed}. ${charactersHint}` },
    { password: 'correct 1', message: `${mixed}. ${charactersHint}` },
    { password: `a1${'x'.repeat(255)}`, message: 'Use at most 256 characters' },
    { password: 'short1', message: 'Password requires a minimum of 8 characters' },
    { password: 'vkqzwtjx', message: mixed },
  ])('fails if the password is "$password"', async ({ password, message }) => {
    const { reaction, requests } = await send('/register/password', { newPassword: password }, [])
    expect(reaction).toEqual(inline('newPassword', message))
    expect(requests).toEqual([])
  })

  it('requires the password twice unless users can reset it later', async () => {
    const differing = { newPassword: 'correct1', confirmPassword: 'correct2' }
    const { reaction } = await send('/register/password', differing, [])
    expect(reaction).toEqual(inline('confirmPassword', 'Your passwords don’t match. Please try again.'))

    const resettable = {
      ...testBootData,
      experience: { ...bootExperience, forgotPassword: { email: true, phone: false } },
    }
    const once = await send(
      '/register/password',
      { newPassword: 'correct1' },
      [noContent(), redirectResponse()],
      resettable,
    )
    expect(once.reaction).toMatchObject({ kind: 'leave' })
  })

  it('shows an alert if the username has been taken ("in the password-registration step an alert then go back")', async () => {
    const { reaction } = await send('/register/password', form, [
      noContent(),
      errorResponse('user.username_already_in_use', 422),
    ])
    expect(reaction).toEqual({ kind: 'alert', message: 'message of user.username_already_in_use', back: 1 })
  })
})

describe('consent', () => {
  it('replaces the consent page in the browser history', async () => {
    expect(await send('/sign-in/consent', {}, [redirectResponse()])).toMatchObject({
      reaction: { kind: 'leave', url: 'https://id.example.com/oidc/auth/uid', replace: true },
      requests: ['POST /api/interaction/consent'],
    })
  })

  it('shows an error on the page', async () => {
    const { reaction } = await send('/sign-in/consent', {}, [errorResponse('server.unavailable', 503)])
    expect(reaction).toEqual({ ...inline(null, 'message of server.unavailable'), hasToast: true })
  })

  it('offers to start again if the interaction has ended', async () => {
    const { reaction } = await send('/sign-in/consent', {}, [errorResponse('session.not_found', 400)])
    expect(reaction).toMatchObject({ kind: 'restart' })
  })
})
