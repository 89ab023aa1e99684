import { describe, expect, it } from 'vitest'
import { findJourney } from '../../client/app/find-journey.ts'
import { choosePage } from '../../client/app/page-choice.ts'
import type { ErrorCode } from '../../src/contract/errors.ts'
import type { Experience, SignInMode } from '../../src/contract/experience/experience.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { IdentifierType } from '../../src/contract/interactions/identifiers.ts'
import { bootExperience, testBootData } from './boot-data.ts'
import { errorResponse, networkStub, noContent, redirectResponse } from './network.ts'

const methods = (['username', 'email', 'phone'] as const).map((identifier) => ({
  identifier,
  password: true,
  isPasswordPrimary: false,
  verificationCode: identifier !== 'username',
}))

const asking = (identifiers: IdentifierType[], more: Partial<Experience> = {}): Experience => ({
  ...bootExperience,
  signIn: { methods },
  signUp: { identifiers, password: false, verify: true },
  forgotPassword: { email: true, phone: true },
  ...more,
})

const toAda = { identifier: { type: 'email', value: 'ada@example.com' } } as const
const toPhone = { identifier: { type: 'phone', value: '4917012345678' } } as const
const page: BootData = { ...testBootData, navigation: toAda, experience: asking(['email', 'phone']) }
const code = Object.fromEntries([...'123456'].map((digit, index) => [`passcode_${index}`, digit]))

async function send(
  path: string,
  responses: (Response | Error)[],
  more: Partial<BootData> = {},
  form = code,
) {
  return sendAs('send', path, responses, more, form)
}

async function sendAs(
  intent: string,
  path: string,
  responses: (Response | Error)[],
  more: Partial<BootData> = {},
  form: Record<string, string> = {},
) {
  const { api, calls, requests } = networkStub(...responses)
  const reaction = await (await findJourney(path, intent))?.({ api, form, boot: { ...page, path, ...more } })
  return { reaction, requests: requests(), bodies: calls.map(({ body }) => body).filter(Boolean) }
}

const leaves = { kind: 'leave', url: 'https://id.example.com/oidc/auth/uid' }
const PROVE = 'PATCH /api/interaction/identifiers'
const COMPLETE = 'PATCH /api/interaction/profile'
const REPLACE = 'PUT /api/interaction/profile'
const EVENT = 'PUT /api/interaction/event'
const SUBMIT = 'POST /api/interaction/submit'
const email = 'ada@example.com'

describe('a correct code', () => {
  const proof = { email, verificationCode: '123456' }

  it.each([
    { path: '/sign-in/verification-code', requests: [PROVE, SUBMIT], bodies: [proof] },
    { path: '/register/verification-code', requests: [PROVE, COMPLETE, SUBMIT], bodies: [proof, { email }] },
    { path: '/continue/verification-code', requests: [PROVE, COMPLETE, SUBMIT], bodies: [proof, { email }] },
  ])('completes $path and redirects to the application', async ({ path, requests, bodies }) => {
    const responses = [...requests.slice(1).map(noContent), redirectResponse()]
    expect(await send(path, responses)).toEqual({ reaction: leaves, requests, bodies })
  })

  it('opens the page for a new password, and keeps the address', async () => {
    const responses = [noContent(), errorResponse('user.new_password_required_in_profile', 422)]
    const { reaction } = await send('/forgot-password/verification-code', responses)
    expect(reaction).toEqual({
      kind: 'goTo',
      path: '/forgot-password/reset',
      navigation: toAda,
      replace: true,
    })
  })

  it.each<{ form: Record<string, string> }>([
    { form: { passcode_0: '123456' } },
    { form: { passcode_2: ' 123 456 ' } },
    { form: { passcode_0: '１２３４５６' } },
  ])('can be typed into a single box: $form', async ({ form }) => {
    const { bodies } = await send('/sign-in/verification-code', [noContent(), redirectResponse()], {}, form)
    expect(bodies).toEqual([proof])
  })

  it('is sent with the phone number as digits only', async () => {
    const { bodies } = await send('/sign-in/verification-code', [noContent(), redirectResponse()], {
      navigation: toPhone,
    })
    expect(bodies).toEqual([{ phone: '4917012345678', verificationCode: '123456' }])
  })
})

describe('submitting an invalid code', () => {
  const codes: ErrorCode[] = [
    'verification_code.not_found',
    'verification_code.email_mismatch',
    'verification_code.phone_mismatch',
    'verification_code.expired',
    'verification_code.exceed_max_try',
    'verification_code.code_mismatch',
  ]

  it.each(codes)('shows the error %s below the boxes, and clears them', async (code) => {
    const message = `message of ${code}`
    for (const flow of ['sign-in', 'register', 'forgot-password', 'continue']) {
      const { reaction } = await send(`/${flow}/verification-code`, [errorResponse(code, 400)])
      expect(reaction).toEqual({ kind: 'inline', field: 'passcode', message, clears: 'passcode_' })
    }
  })

  it('clears the boxes after any other error as well', async () => {
    const failures = [errorResponse('server.internal', 500), errorResponse('user.suspended', 401)]
    for (const failure of failures) {
      const { reaction } = await send('/register/verification-code', [failure])
      expect(reaction).toMatchObject({ clears: 'passcode_' })
    }
  })

  it.each<Record<string, string>>([
    {},
    { passcode_0: '1' },
    { passcode_0: '1234567' },
    { passcode_0: 'abcdef' },
  ])('causes no API call if the format is wrong: %o', async (form) => {
    expect(await send('/sign-in/verification-code', [], {}, form)).toEqual({
      reaction: { kind: 'inline', field: 'passcode', message: 'The verification code is invalid' },
      requests: [],
      bodies: [],
    })
  })

  it('shows an error if the page has lost its navigation state', async () => {
    const intents = { 'sign-in': ['send', 'resend', 'register'], continue: ['link'] }
    for (const [flow, names] of Object.entries(intents)) {
      for (const intent of names) {
        const { reaction, requests } = await sendAs(
          intent,
          `/${flow}/verification-code`,
          [],
          { navigation: null },
          code,
        )
        expect([reaction, requests]).toEqual([
          { kind: 'inline', field: null, message: expect.stringContaining('Session not found') },
          [],
        ])
      }
    }
  })
})

describe('signing in with an address that has no account', () => {
  const unknown = () => [noContent(), errorResponse('user.user_not_exist', 404, { identifier: email })]

  it('offers to create an account', async () => {
    const { reaction } = await send('/sign-in/verification-code', unknown())
    expect(reaction).toEqual({
      kind: 'confirm',
      message:
        'The account with email ada@example.com does not exist. Would you like to create a new account?',
      yes: 'Create',
      intent: 'register',
      back: 1,
    })
  })

  it('shows a phone number in full, with bidirectional isolation', async () => {
    const { reaction } = await send('/sign-in/verification-code', unknown(), { navigation: toPhone })
    expect(reaction).toMatchObject({
      message: expect.stringContaining('phone number \u2066+49 17012345678\u2069 does not exist'),
    })
  })

  it('registers the address without asking for another code', async () => {
    expect(
      await sendAs('register', '/sign-in/verification-code', [noContent(), noContent(), redirectResponse()]),
    ).toEqual({
      reaction: leaves,
      requests: [EVENT, REPLACE, SUBMIT],
      bodies: [{ event: 'Register' }, { email }],
    })
  })

  it.each([
    { where: 'registration is off', experience: asking(['email'], { signInMode: 'SignIn' }) },
    { where: 'users register without an address', experience: asking(['username']) },
  ])('shows an alert instead if $where', async ({ experience }) => {
    const { reaction } = await send('/sign-in/verification-code', unknown(), { experience })
    expect(reaction).toEqual({
      kind: 'alert',
      message: 'The account with email ada@example.com does not exist.',
      button: 'Change email',
      back: 1,
    })
  })

  it('shows an alert during a password reset', async () => {
    const { reaction } = await send('/forgot-password/verification-code', unknown())
    expect(reaction).toMatchObject({
      kind: 'alert',
      back: 1,
      message: expect.stringMatching(/does not exist\.$/),
    })
  })
})

describe('registering an address that has an account', () => {
  const known = () => [noContent(), noContent(), errorResponse('user.email_already_in_use', 422)]
  const mode = (signInMode: SignInMode) => ({ experience: asking(['email'], { signInMode }) })

  it('offers to sign in', async () => {
    const { reaction } = await send('/register/verification-code', known())
    expect(reaction).toEqual({
      kind: 'confirm',
      message: 'The account with email ada@example.com already exists, would you like to sign in?',
      yes: 'Sign in',
      intent: 'signIn',
      back: 1,
    })
  })

  it('signs in without asking for another code', async () => {
    expect(
      await sendAs('signIn', '/register/verification-code', [noContent(), noContent(), redirectResponse()]),
    ).toEqual({
      reaction: leaves,
      requests: ['DELETE /api/interaction/profile', EVENT, SUBMIT],
      bodies: [{ event: 'SignIn' }],
    })
  })

  it('opens the password page without an API call if users cannot sign in with codes', async () => {
    const methods = [
      { identifier: 'email' as const, password: true, verificationCode: false, isPasswordPrimary: true },
    ]
    const experience = asking(['email'], { signIn: { methods } })
    const navigation = { ...toAda, hasAgreed: true as const }
    const answered = await sendAs('signIn', '/register/verification-code', [], { experience, navigation })
    expect(answered).toEqual({
      reaction: { kind: 'goTo', path: '/sign-in/password', navigation },
      requests: [],
      bodies: [],
    })
  })

  it('shows an alert if sign-in is off', async () => {
    const { reaction } = await send('/register/verification-code', known(), mode('Register'))
    expect(reaction).toEqual({
      kind: 'alert',
      message: 'ada@example.com is already in use. Try another email.',
      button: 'Change email',
      back: 1,
    })
  })
})

describe('completing an account with another account’s address', () => {
  const known = () => [noContent(), noContent(), errorResponse('user.email_already_in_use', 422)]
  const linking = { search: '?interaction=uid&link_social=github' }

  it('shows an alert', async () => {
    const { reaction } = await send('/continue/verification-code', known())
    expect(reaction).toMatchObject({
      kind: 'alert',
      back: 1,
      message: expect.stringContaining('already in use'),
    })
  })

  it('offers to link the pending social identity', async () => {
    const { reaction } = await send('/continue/verification-code', known(), linking)
    expect(reaction).toEqual({
      kind: 'confirm',
      message: 'The account with email ada@example.com already exists. Would you like to link?',
      yes: 'Link and continue',
      intent: 'link',
      back: 1,
    })
  })

  it('shows an alert while sign-in is off, because linking would fail', async () => {
    const registering = { ...linking, experience: asking(['email'], { signInMode: 'Register' }) }
    const { reaction } = await send('/continue/verification-code', known(), registering)
    expect(reaction).toMatchObject({ kind: 'alert', back: 1 })
  })

  it('links the social identity', async () => {
    const responses = [noContent(), noContent(), redirectResponse()]
    expect(await sendAs('link', '/continue/verification-code', responses, linking)).toEqual({
      reaction: leaves,
      requests: [EVENT, REPLACE, SUBMIT],
      bodies: [{ event: 'SignIn' }, { connectorId: 'github' }],
    })
  })

  it('has the same reactions if a phone number is in use ("user.phone_already_in_use, user.email_already_in_use")', async () => {
    const taken = () => [noContent(), noContent(), errorResponse('user.phone_already_in_use', 422)]
    const reactionTo = async (flow: string, more: Partial<BootData> = {}) => {
      const navigation = toPhone
      return (await send(`/${flow}/verification-code`, taken(), { navigation, ...more })).reaction
    }
    const registerOnly = { experience: asking(['phone'], { signInMode: 'Register' }) }
    expect(await reactionTo('continue')).toMatchObject({ kind: 'alert', button: 'Change phone number' })
    expect(await reactionTo('continue', linking)).toMatchObject({ kind: 'confirm', intent: 'link' })
    expect(await reactionTo('register')).toMatchObject({ kind: 'confirm', intent: 'signIn' })
    expect(await reactionTo('register', registerOnly)).toMatchObject({ kind: 'alert' })
  })

  it("shows the server's message if the error does not name the address", async () => {
    const { reaction } = await send('/continue/verification-code', known(), { navigation: toPhone })
    expect(reaction).toEqual({ kind: 'alert', message: 'message of user.email_already_in_use', back: 1 })
  })
})

it.each([{ code: 'user.suspended', hasToast: true }, { code: 'verification_code.expired' }] as const)(
  'the error $code is shown above the form if the user has just confirmed a dialog',
  async ({ code, ...more }) => {
    const intents = { register: '/sign-in', signIn: '/register' }
    for (const [intent, flow] of Object.entries(intents)) {
      const { reaction } = await sendAs(intent, `${flow}/verification-code`, [
        noContent(),
        noContent(),
        errorResponse(code, 401),
      ])
      expect(reaction).toEqual({ kind: 'inline', field: null, message: `message of ${code}`, ...more })
    }
  },
)

describe('a username that was taken before the code was entered', () => {
  const taken = () => [noContent(), noContent(), errorResponse('user.username_already_in_use', 422)]
  const message = 'message of user.username_already_in_use'

  it.each(['/register/verification-code', '/continue/verification-code'])(
    'is an alert on %s, which leads to the page that asks for the name and keeps everything else',
    async (path) => {
      const experience = asking(['username', 'email'])
      const { reaction } = await send(path, taken(), { experience })
      expect(reaction).toEqual({ kind: 'alert', message, back: '/continue/username' })
      expect(choosePage('/continue/username', { experience, navigation: null }).kind).toBe('page')
    },
  )

  it('is a message above the form if no page asks for a name', async () => {
    const { reaction } = await send('/continue/verification-code', taken())
    expect(reaction).toEqual({ kind: 'inline', field: null, message, clears: 'passcode_' })
  })
})

it.each([
  ['/sign-in/verification-code', 'register'],
  ['/register/verification-code', 'signIn'],
  ['/sign-in/verification-code', 'send'],
])('on %s, no call follows the first error for the intent %s', async (path, intent) => {
  const { reaction, requests } = await sendAs(
    intent,
    path,
    [errorResponse('session.not_found', 400)],
    {},
    code,
  )
  expect(reaction).toMatchObject({ kind: 'restart' })
  expect(requests).toHaveLength(1)
})

describe('sending another code', () => {
  it.each([
    { flow: 'sign-in', event: 'SignIn' },
    { flow: 'register', event: 'Register' },
    { flow: 'forgot-password', event: 'ForgotPassword' },
  ])('restarts the interaction for $flow without leaving the page', async ({ flow, event }) => {
    const search = '?interaction=uid&link_social=x'
    expect(
      await sendAs('resend', `/${flow}/verification-code`, [noContent(), noContent()], { search }),
    ).toEqual({
      reaction: {
        kind: 'goTo',
        path: `/${flow}/verification-code?link_social=x`,
        navigation: { ...toAda, codeSentAt: expect.any(Number), flash: undefined },
        flash: 'passcode_sent',
        replace: true,
      },
      requests: ['PUT /api/interaction', 'POST /api/interaction/verification/verification-code'],
      bodies: [{ event }, { email }],
    })
  })

  it('does not restart the interaction while an account is being completed', async () => {
    const { requests } = await sendAs('resend', '/continue/verification-code', [noContent()])
    expect(requests).toEqual(['POST /api/interaction/verification/verification-code'])
  })

  it('shows an error above the form, because the page has no field for it', async () => {
    const { reaction } = await sendAs('resend', '/continue/verification-code', [
      errorResponse('guard.invalid_input', 400),
    ])
    expect(reaction).toEqual({
      kind: 'inline',
      field: null,
      message: 'The email is invalid. Enter an address like name@example.com.',
    })
  })

  it('shows how long to wait after too many codes have been requested', async () => {
    const responses = [noContent(), errorResponse('request.too_many_requests', 429, { retryAfter: 541 })]
    expect((await sendAs('resend', '/sign-in/verification-code', responses)).reaction).toEqual({
      kind: 'inline',
      field: null,
      message: 'Too many attempts. Please try again in 10 minutes.',
    })
  })
})

describe('resetting a forgotten password', () => {
  it('sends a code to the address, and opens the page for the code', async () => {
    const responses = [noContent(), noContent()]
    const sent = await sendAs(
      'send',
      '/forgot-password',
      responses,
      { navigation: null },
      { identifier: ` ${email} ` },
    )
    expect(sent).toMatchObject({
      reaction: { kind: 'goTo', path: '/forgot-password/verification-code', navigation: toAda },
      bodies: [{ event: 'ForgotPassword' }, { email }],
    })
  })

  it('accepts a phone number in any common notation', async () => {
    const responses = [noContent(), noContent()]
    const { bodies } = await sendAs(
      'send',
      '/forgot-password',
      responses,
      {},
      { identifier: '+49 170 12345678' },
    )
    expect(bodies).toEqual([{ event: 'ForgotPassword' }, { phone: '4917012345678' }])
  })

  it.each([
    { identifier: '', message: 'Email or phone number is required' },
    { identifier: 'ada', message: 'The email is invalid. Enter an address like name@example.com.' },
    { identifier: '+49 1', message: 'The phone number is invalid. Check the country code and the number.' },
  ])('makes no API call for the invalid identifier "$identifier"', async ({ identifier, message }) => {
    expect(await sendAs('send', '/forgot-password', [], {}, { identifier })).toEqual({
      reaction: { kind: 'inline', field: 'identifier', message },
      requests: [],
      bodies: [],
    })
  })

  it('shows an error next to the field if the server rejects the address format', async () => {
    const responses = [noContent(), errorResponse('guard.invalid_input', 400)]
    const { reaction } = await sendAs('send', '/forgot-password', responses, {}, { identifier: email })
    expect(reaction).toEqual({
      kind: 'inline',
      field: 'identifier',
      message: 'The email is invalid. Enter an address like name@example.com.',
    })
  })

  it('ends on the sign-in page, which shows a message and prefills the identifier', async () => {
    const responses = [noContent(), noContent()]
    expect(
      await sendAs('send', '/forgot-password/reset', responses, {}, { newPassword: 'correct1' }),
    ).toEqual({
      reaction: {
        kind: 'goTo',
        path: '/sign-in',
        navigation: toAda,
        flash: 'password_changed',
        replace: true,
      },
      requests: [COMPLETE, SUBMIT],
      bodies: [{ password: 'correct1' }],
    })
  })

  it('shows an error if the new password equals the old one', async () => {
    const responses = [noContent(), errorResponse('user.same_password', 422)]
    const { reaction } = await sendAs(
      'send',
      '/forgot-password/reset',
      responses,
      {},
      { newPassword: 'correct1' },
    )
    expect(reaction).toEqual({
      kind: 'inline',
      field: 'newPassword',
      message: 'message of user.same_password',
    })
  })

  it('makes no API call for an invalid password', async () => {
    const { reaction, requests } = await sendAs(
      'send',
      '/forgot-password/reset',
      [],
      {},
      { newPassword: 'short' },
    )
    expect([reaction, requests]).toEqual([expect.objectContaining({ field: 'newPassword' }), []])
  })
})

describe('a missing profile item', () => {
  const missing = (...items: unknown[]) =>
    errorResponse('user.missing_profile', 422, { missingProfile: items })

  it.each(['password', 'username', 'email', 'phone', 'emailOrPhone'])(
    'is requested on a dedicated page: %s',
    async (item) => {
      const { reaction } = await send('/sign-in/verification-code', [noContent(), missing(item, 'username')])
      expect(reaction).toMatchObject({ kind: 'goTo', path: `/continue/${item}`, replace: true })
    },
  )

  it.each([
    { path: '/sign-in/verification-code', intent: 'send', calls: 1, event: 'SignIn' },
    { path: '/sign-in/verification-code', intent: 'register', calls: 2, event: 'Register' },
    { path: '/register/verification-code', intent: 'send', calls: 2, event: 'Register' },
    { path: '/register/verification-code', intent: 'signIn', calls: 2, event: 'SignIn' },
  ])(
    'is requested with the event $event after the intent $intent on $path',
    async ({ path, intent, calls, event }) => {
      const responses = [...Array.from({ length: calls }, noContent), missing('password')]
      const { reaction } = await sendAs(intent, path, responses, {}, code)
      expect(reaction).toMatchObject({ navigation: { ...toAda, event } })
    },
  )

  it('is requested after another item, and the pending social identity is kept', async () => {
    const responses = [noContent(), missing('email')]
    const more = { search: '?interaction=uid&link_social=github', navigation: { event: 'Register' } as const }
    const { reaction } = await sendAs('send', '/continue/username', responses, more, { identifier: 'ada' })
    expect(reaction).toMatchObject({
      kind: 'goTo',
      path: '/continue/email?link_social=github',
      navigation: { event: 'Register' },
      replace: false,
    })
  })

  it("is requested along with the social account's address if another account uses that address", async () => {
    const data = { missingProfile: ['email'], registeredSocialIdentity: { email } }
    const responses = [noContent(), errorResponse('user.missing_profile', 422, data)]
    const { reaction } = await send('/sign-in/verification-code', responses)
    expect(reaction).toMatchObject({ navigation: { registeredSocialIdentity: { email } } })
  })

  it.each([
    [undefined],
    [{}],
    [{ missingProfile: [] }],
    [{ missingProfile: ['avatar'] }],
    [{ missingProfile: 'x' }],
  ])(
    'is shown as a toast and above the form if it is unknown ("unknown item shows a toast"): %o',
    async (data) => {
      const responses = [noContent(), errorResponse('user.missing_profile', 422, data)]
      const { reaction } = await send('/sign-in/verification-code', responses)
      expect(reaction).toEqual({
        kind: 'inline',
        field: null,
        clears: 'passcode_',
        message: 'message of user.missing_profile',
        hasToast: true,
      })
    },
  )
})

describe('completing an account', () => {
  const byName = { experience: asking(['username', 'email', 'phone']) }

  it.each<{ path: string; form: Record<string, string>; body: object }>([
    { path: '/continue/password', form: { newPassword: 'correct1' }, body: { password: 'correct1' } },
    { path: '/continue/username', form: { identifier: ' ada ' }, body: { username: 'ada' } },
  ])(
    'updates the profile on $path, submits the interaction, and redirects to the application',
    async ({ path, form, body }) => {
      expect(await sendAs('send', path, [noContent(), redirectResponse()], {}, form)).toEqual({
        reaction: leaves,
        requests: [COMPLETE, SUBMIT],
        bodies: [body],
      })
    },
  )

  it.each([
    { path: '/continue/email', identifier: email, body: { email } },
    { path: '/continue/phone', identifier: '+49 170 12345678', body: { phone: '4917012345678' } },
    { path: '/continue/emailOrPhone', identifier: email, body: { email } },
    { path: '/continue/emailOrPhone', identifier: '+4917012345678', body: { phone: '4917012345678' } },
  ])('sends a code to $identifier on $path, and keeps the event', async ({ path, identifier, body }) => {
    const navigation = { event: 'Register' } as const
    const { reaction, bodies } = await sendAs('send', path, [noContent()], { navigation }, { identifier })
    expect(bodies).toEqual([body])
    expect(reaction).toMatchObject({
      kind: 'goTo',
      path: '/continue/verification-code',
      navigation: { event: 'Register', identifier: { value: Object.values(body)[0] } },
    })
  })

  it('shows an alert with a button to go back if the account already has a password', async () => {
    const responses = [noContent(), errorResponse('user.password_exists_in_profile', 400)]
    const { reaction } = await sendAs(
      'send',
      '/continue/password',
      responses,
      {},
      { newPassword: 'correct1' },
    )
    expect(reaction).toEqual({
      kind: 'alert',
      message: 'message of user.password_exists_in_profile',
      back: 1,
    })
  })

  it('shows an error next to the field if the username is taken', async () => {
    const responses = [noContent(), errorResponse('user.username_already_in_use', 422)]
    const { reaction } = await sendAs('send', '/continue/username', responses, byName, { identifier: 'ada' })
    expect(reaction).toEqual({
      kind: 'inline',
      field: 'identifier',
      message: 'message of user.username_already_in_use',
    })
  })

  it.each([
    { path: '/continue/username', identifier: '1st', message: 'Usernames can’t start with a number' },
    { path: '/continue/username', identifier: '', message: 'Username is required' },
    {
      path: '/continue/email',
      identifier: 'ada',
      message: 'The email is invalid. Enter an address like name@example.com.',
    },
    {
      path: '/continue/phone',
      identifier: '12',
      message: 'The phone number is invalid. Check the country code and the number.',
    },
  ])(
    'makes no API call for the invalid identifier "$identifier" on $path',
    async ({ path, identifier, message }) => {
      expect(await sendAs('send', path, [], byName, { identifier })).toMatchObject({
        reaction: { kind: 'inline', field: 'identifier', message },
        requests: [],
      })
    },
  )
})
