import { describe, expect, it } from 'vitest'
import { findJourney } from '../../client/app/find-journey.ts'
import { findPreviousPath } from '../../client/app/page-choice.ts'
import { buildNativeMessage } from '../../client/browser/open-provider.ts'
import type { Experience, SignInMode, SocialConnector } from '../../src/contract/experience/experience.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { bootExperience, testBootData, withTerms } from './boot-data.ts'
import { errorResponse, networkStub, noContent, redirectResponse } from './network.ts'

const STATE = 'uid.aaaaaaaaaaaaaaaaaaaaaa'
const CALLBACK = 'https://id.example.com/callback/github'
const RETURN = '/sign-in/social/github'
const LINK = '/social/link/github'

async function sendAs(
  intent: string,
  path: string,
  responses: (Response | Error)[],
  more: Partial<BootData> = {},
  form: Record<string, string> = {},
) {
  const { api, calls, requests } = networkStub(...responses)
  const reaction = await (await findJourney(path, intent))?.({
    api,
    form,
    boot: { ...testBootData, path, ...more },
  })
  return { reaction, requests: requests(), bodies: calls.map(({ body }) => body).filter(Boolean) }
}

const under = (signInMode: SignInMode) => ({ experience: { ...bootExperience, signInMode } })

const START = 'PUT /api/interaction'
const AUTHORIZE = 'POST /api/interaction/verification/social-authorization-uri'
const STEP = 'PUT /api/interaction/step'
const PROVE = 'PATCH /api/interaction/identifiers'
const COMPLETE = 'PATCH /api/interaction/profile'
const EVENT = 'PUT /api/interaction/event'
const SUBMIT = 'POST /api/interaction/submit'

const NEXT = 'Try again, or choose another way to sign in.'
const EXPIRED = `The authorization is invalid. The sign-in with github has expired or was already used. ${NEXT}`

describe('a social button', () => {
  const provider = () => Response.json({ redirectTo: 'https://github.com/login?x=1' })
  const button = { connectorId: 'github' }
  const leaves = {
    kind: 'leave',
    url: 'https://github.com/login?x=1',
    connectorId: 'github',
    state: expect.stringMatching(/^uid\.[\w-]{22}$/),
  }

  it.each([
    { path: '/sign-in', mode: 'SignInAndRegister', event: 'SignIn' },
    { path: '/sign-in', mode: 'SignIn', event: 'SignIn' },
    { path: '/register', mode: 'SignInAndRegister', event: 'SignIn' },
    { path: '/register', mode: 'Register', event: 'Register' },
  ] as const)(
    'starts the event $event on $path in the mode $mode, and redirects to the provider',
    async ({ path, mode, event }) => {
      const { reaction, requests, bodies } = await sendAs(
        'social',
        path,
        [noContent(), provider()],
        under(mode),
        button,
      )
      expect(reaction).toEqual(leaves)
      expect(requests).toEqual([START, AUTHORIZE])
      expect(bodies).toEqual([
        { event },
        {
          connectorId: 'github',
          state: expect.stringMatching(/^uid\.[\w-]{22}$/),
          redirectUri: 'https://id.example.com/callback/github',
        },
      ])
    },
  )

  it('generates a new state each time', async () => {
    const states = await Promise.all(
      [1, 2].map(
        async () => (await sendAs('social', '/sign-in', [noContent(), provider()], {}, button)).bodies[1],
      ),
    )
    expect(states[0]).not.toEqual(states[1])
  })

  it('shows an error on the page', async () => {
    const { reaction } = await sendAs(
      'social',
      '/sign-in',
      [noContent(), errorResponse('user.suspended', 401)],
      {},
      button,
    )
    expect(reaction).toEqual({
      kind: 'inline',
      field: null,
      message: 'message of user.suspended',
      hasToast: true,
    })
  })

  describe('on a page with terms and no other way to register', () => {
    const settings: Experience = {
      ...withTerms,
      signUp: { ...withTerms.signUp, identifiers: [] },
      signInMode: 'Register',
    }
    const socialOnly = { experience: settings }

    it('asks for the terms first', async () => {
      const { reaction, requests } = await sendAs('social', '/register', [], socialOnly, button)
      expect(reaction).toMatchObject({ kind: 'inline', field: 'termsAgreement' })
      expect(requests).toEqual([])
    })

    it('stores the agreement', async () => {
      const form = { ...button, termsAgreement: 'on' }
      const responses = [noContent(), provider(), noContent()]
      const { reaction, requests, bodies } = await sendAs('social', '/register', responses, socialOnly, form)
      expect(reaction).toEqual(leaves)
      expect(requests).toEqual([START, AUTHORIZE, STEP])
      expect(bodies[2]).toEqual({ hasAgreed: true })
    })

    it('does not ask for the terms on /sign-in, because only new users have to agree', async () => {
      const both = { experience: { ...settings, signInMode: 'SignInAndRegister' as const } }
      const { requests } = await sendAs('social', '/sign-in', [noContent(), provider()], both, button)
      expect(requests).toEqual([START, AUTHORIZE])
    })
  })

  describe('beside a form with a required checkbox', () => {
    const { identifiers: _, ...signUp } = bootExperience.signUp
    const withForm = { ...withTerms, signUp: { ...signUp, identifiers: ['email' as const] } }
    const manual = { ...withForm, agreeToTermsPolicy: 'Manual' as const }
    const registration = { ...withForm, agreeToTermsPolicy: 'ManualRegistrationOnly' as const }
    const responses = () => [noContent(), provider(), noContent()]

    it.each([
      { path: '/register', experience: registration },
      { path: '/register', experience: manual },
      { path: '/sign-in', experience: manual },
    ])('asks for the terms before the user leaves $path ($experience.agreeToTermsPolicy)', async (page) => {
      const { reaction, requests } = await sendAs('social', page.path, [], page, button)
      expect(reaction).toMatchObject({ kind: 'confirm', intent: 'agreeSocial', back: 0, about: 'terms' })
      expect(requests).toEqual([])
      const agreed = await sendAs('agreeSocial', page.path, responses(), page, button)
      expect(agreed.reaction).toEqual(leaves)
      expect(agreed.requests).toEqual([START, AUTHORIZE, STEP])
      expect(agreed.bodies[2]).toEqual({ hasAgreed: true })
    })

    it('does not ask if the checkbox is ticked, but stores the agreement', async () => {
      const page = { experience: manual, navigation: { hasAgreed: true } as const }
      const { reaction, bodies } = await sendAs('social', '/sign-in', responses(), page, button)
      expect(reaction).toEqual(leaves)
      expect(bodies[2]).toEqual({ hasAgreed: true })
    })

    it('does not ask on /sign-in if only new users have to agree', async () => {
      const page = { experience: registration }
      const { requests } = await sendAs('social', '/sign-in', responses(), page, button)
      expect(requests).toEqual([START, AUTHORIZE])
    })
  })
})

describe('the page that a provider redirects to', () => {
  const search = `?code=a%2Bb&state=${STATE}&iss=x&interaction=uid&lng=de`
  const back = (responses: (Response | Error)[], more: Partial<BootData> = {}, intent = 'send') =>
    sendAs(intent, RETURN, responses, { search, ...more })
  const landed = (message: string, path = '/sign-in') => ({
    kind: 'goTo',
    path,
    message,
    replace: true,
    // A refusal without a reaction of its own is in the words of the server.
    ...(/^message of (?!user\.password_exists)/.test(message) && { hasToast: true }),
  })
  const newcomer = (data: object = {}) => errorResponse('user.identity_not_exist', 422, data)
  const related = { relatedUser: { type: 'email', value: 'ada@example.com' } } as const

  it("verifies the provider's response, submits the interaction, and redirects to the application", async () => {
    expect(await back([noContent(), redirectResponse()])).toEqual({
      reaction: { kind: 'leave', url: 'https://id.example.com/oidc/auth/uid', replace: true },
      requests: [PROVE, SUBMIT],
      bodies: [
        {
          connectorId: 'github',
          connectorData: { code: 'a+b', state: STATE, iss: 'x', redirectUri: CALLBACK },
        },
      ],
    })
  })

  it("forwards a provider's error to the server", async () => {
    const denied = { search: `?error=access_denied&state=${STATE}&interaction=uid` }
    const { reaction, bodies } = await back([errorResponse('connector.authorization_failed', 401)], denied)
    expect(bodies).toEqual([
      {
        connectorId: 'github',
        connectorData: { error: 'access_denied', state: STATE, redirectUri: CALLBACK },
      },
    ])
    expect(reaction).toEqual(
      landed(`The connector data is invalid. Something went wrong while signing in with github. ${NEXT}`),
    )
  })

  it.each([
    { what: 'no state', more: { search: '?code=a&interaction=uid' } },
    {
      what: 'a state of another interaction',
      more: { search: '?code=a&state=other.aaaaaaaaaaa&interaction=uid' },
    },
    { what: 'a state that is not one of ours', more: { search: '?code=a&state=uid&interaction=uid' } },
    { what: 'no interaction', more: { interaction: null } },
  ])('makes no API call if the response or page has $what', async ({ more }) => {
    const { reaction, requests } = await back([], more)
    expect(reaction).toEqual(landed(EXPIRED))
    expect(requests).toEqual([])
  })

  it('makes no API call if the authorization belongs to another app: "if invalid: error.invalid_connector_auth"', async () => {
    const { reaction, requests } = await back([], {}, 'reject')
    expect(reaction).toEqual(landed(EXPIRED))
    expect(requests).toEqual([])
  })

  it('rejects a response that has already been used', async () => {
    const { reaction } = await back([errorResponse('session.connector_validation_session_not_found', 400)])
    expect(reaction).toEqual(landed(EXPIRED))
  })

  it.each([
    {
      responses: [errorResponse('session.invalid_connector_id', 422)],
      message: 'message of session.invalid_connector_id',
    },
    {
      responses: [errorResponse('connector.general', 400)],
      message: `We can’t reach github right now. ${NEXT}`,
    },
    { responses: [new Error('broken')], message: 'Unknown error. Please try again later.' },
    { responses: [noContent(), errorResponse('user.suspended', 401)], message: 'message of user.suspended' },
    {
      responses: [noContent(), errorResponse('user.password_exists_in_profile', 400)],
      message: 'message of user.password_exists_in_profile',
    },
    {
      responses: [noContent(), newcomer(), errorResponse('auth.forbidden', 403)],
      message: 'message of auth.forbidden',
    },
  ])('redirects to the first page after a failure: $message', async ({ responses, message }) => {
    expect((await back(responses)).reaction).toEqual(landed(message))
  })

  it('keeps the known identifier after a failure', async () => {
    const navigation = { identifier: { type: 'username', value: 'ada' } } as const
    const { reaction } = await back([errorResponse('user.suspended', 401)], { navigation })
    expect(reaction).toEqual({ ...landed('message of user.suspended'), navigation })
  })

  it('alerts if the session is not found, because there are no two pages to go back', async () => {
    const code = 'session.verification_session_not_found'
    const { reaction } = await back([errorResponse(code, 404)])
    expect(reaction).toEqual({ kind: 'alert', message: `message of ${code}`, back: 2 })
    expect(findPreviousPath(RETURN, 2)).toBeNull()
  })

  it('offers to start again if the interaction has ended', async () => {
    const { reaction } = await back([errorResponse('session.not_found', 400)])
    expect(reaction).toMatchObject({ kind: 'restart' })
  })

  it('asks for a missing profile item', async () => {
    const missing = errorResponse('user.missing_profile', 422, {
      missingProfile: ['email'],
      registeredSocialIdentity: { email: 'ada@example.com' },
    })
    expect((await back([noContent(), missing])).reaction).toEqual({
      kind: 'goTo',
      path: '/continue/email',
      navigation: {
        identifier: undefined,
        registeredSocialIdentity: { email: 'ada@example.com', phone: undefined },
        event: 'SignIn',
      },
      replace: true,
    })
  })

  describe('for a new user', () => {
    it('registers the user and redirects to the application', async () => {
      const { reaction, requests, bodies } = await back([
        noContent(),
        newcomer(),
        noContent(),
        noContent(),
        redirectResponse(),
      ])
      expect(reaction).toMatchObject({ kind: 'leave', replace: true })
      expect(requests).toEqual([PROVE, SUBMIT, EVENT, COMPLETE, SUBMIT])
      expect(bodies.slice(1)).toEqual([{ event: 'Register' }, { connectorId: 'github' }])
    })

    it('offers to link an account with the same address', async () => {
      expect((await back([noContent(), newcomer(related)])).reaction).toEqual({
        kind: 'goTo',
        path: LINK,
        navigation: related,
        replace: true,
      })
    })

    it.each([
      { relatedUser: null },
      { relatedUser: { type: 'username', value: 'x' } },
      { relatedUser: { type: 'email' } },
    ])('ignores incomplete data about a related account: %o', async (data) => {
      const { reaction } = await back([
        noContent(),
        newcomer(data),
        noContent(),
        noContent(),
        redirectResponse(),
      ])
      expect(reaction).toMatchObject({ kind: 'leave' })
    })

    it('asks for missing items, and keeps the pending social identity', async () => {
      const missing = errorResponse('user.missing_profile', 422, { missingProfile: ['username'] })
      const { reaction } = await back([noContent(), newcomer(), noContent(), noContent(), missing])
      expect(reaction).toMatchObject({
        kind: 'goTo',
        path: '/continue/username?link_social=github',
        navigation: { event: 'Register' },
        replace: true,
      })
    })

    it('shows an error if registration is off', async () => {
      const { reaction, requests } = await back([noContent(), newcomer(related)], under('SignIn'))
      expect(reaction).toEqual(landed(`No account is linked to this github account yet. ${NEXT}`))
      expect(requests).toEqual([PROVE, SUBMIT])
    })

    it('registers immediately if sign-in is off, and shows errors on /register', async () => {
      const responses = [
        noContent(),
        noContent(),
        noContent(),
        errorResponse('user.identity_already_in_use', 422),
      ]
      const { reaction, requests } = await back(responses, under('Register'))
      expect(requests).toEqual([PROVE, EVENT, COMPLETE, SUBMIT])
      expect(reaction).toEqual(
        landed(`This github account is already linked to another account. ${NEXT}`, '/register'),
      )
    })
  })

  describe('with terms', () => {
    const terms = { experience: withTerms }
    const question = {
      kind: 'confirm',
      message: 'To proceed, please agree to the <link></link>',
      yes: 'Agree',
      intent: 'agree',
      back: 1,
      about: 'terms',
    }

    it('asks new users for agreement before mentioning a related account', async () => {
      expect((await back([noContent(), newcomer(related)], terms)).reaction).toEqual(question)
      expect((await back([noContent(), newcomer()], terms)).reaction).toEqual(question)
    })

    it('asks for agreement even if sign-in is off', async () => {
      const only = { experience: { ...withTerms, signInMode: 'Register' as const } }
      expect(await back([noContent()], only)).toMatchObject({ reaction: question, requests: [PROVE] })
    })

    it('asks for agreement only from new users who have not yet agreed', async () => {
      expect((await back([noContent(), redirectResponse()], terms)).reaction).toMatchObject({ kind: 'leave' })
      const agreed = { ...terms, navigation: { hasAgreed: true } } as const
      expect((await back([noContent(), newcomer(related)], agreed)).reaction).toMatchObject({ path: LINK })
    })

    it('continues with the verified identity after the user has agreed', async () => {
      const linked = await back([newcomer(related)], terms, 'agree')
      expect(linked).toMatchObject({
        reaction: { kind: 'goTo', path: LINK, navigation: related },
        requests: [SUBMIT],
      })
      const registered = await back(
        [newcomer(), noContent(), noContent(), redirectResponse()],
        terms,
        'agree',
      )
      expect(registered).toMatchObject({
        reaction: { kind: 'leave', replace: true },
        requests: [SUBMIT, EVENT, COMPLETE, SUBMIT],
      })
    })
  })
})

describe('the page to link an account with the same address', () => {
  const navigation = { relatedUser: { type: 'email', value: 'ada@example.com' } } as const

  it.each([
    { type: 'email', value: 'ada@example.com', proof: { email: 'ada@example.com' } },
    { type: 'phone', value: '4915', proof: { phone: '4915' } },
  ] as const)('links the identity to the account with the same $type', async ({ type, value, proof }) => {
    const navigation = { relatedUser: { type, value } }
    const { reaction, requests, bodies } = await sendAs(
      'send',
      LINK,
      [noContent(), noContent(), noContent(), redirectResponse()],
      {
        navigation,
      },
    )
    expect(reaction).toMatchObject({ kind: 'leave' })
    expect(requests).toEqual([EVENT, PROVE, COMPLETE, SUBMIT])
    expect(bodies).toEqual([
      { event: 'SignIn' },
      { connectorId: 'github', ...proof },
      { connectorId: 'github' },
    ])
  })

  it('registers a new account without linking', async () => {
    const missing = errorResponse('user.missing_profile', 422, { missingProfile: ['email'] })
    const { reaction, requests } = await sendAs('register', LINK, [noContent(), noContent(), missing], {
      navigation,
    })
    expect(requests).toEqual([EVENT, COMPLETE, SUBMIT])
    expect(reaction).toMatchObject({
      kind: 'goTo',
      path: '/continue/email?link_social=github',
      replace: true,
    })
  })

  it('shows an error if the sign-in with the provider has expired', async () => {
    const gone = await sendAs(
      'send',
      LINK,
      [noContent(), errorResponse('session.connector_session_not_found', 400)],
      {
        navigation,
      },
    )
    expect(gone.reaction).toEqual({ kind: 'inline', field: null, message: EXPIRED })
    const forgotten = await sendAs('send', LINK, [])
    expect(forgotten).toMatchObject({ reaction: { kind: 'inline', field: null }, requests: [] })
  })
})

describe('the message to a native app', () => {
  const connector = (platform: SocialConnector['platform']): SocialConnector => ({
    id: 'id',
    target: 'wechat',
    platform,
    name: { en: 'WeChat' },
    logo: '/logo.svg',
  })
  const url = 'https://provider.example/auth?state=a&b=c'
  const origin = 'https://id.example'

  it.each([
    { platform: 'Native', redirectTo: url },
    { platform: 'Web', redirectTo: url },
    {
      platform: 'Universal',
      redirectTo: `${origin}/social/landing/id?redirect_to=https%3A%2F%2Fprovider.example%2Fauth%3Fstate%3Da%26b%3Dc&native_callback=app%3A%2F%2Fback`,
    },
  ] as const)('contains the URLs for a $platform connector', ({ platform, redirectTo }) => {
    const message = buildNativeMessage(
      { callbackLink: 'app://back' },
      { origin, connector: connector(platform), url },
    )
    expect(message).toEqual({ callbackUri: `${origin}/sign-in/social/id`, redirectTo })
  })
})
