import { beforeAll, describe, expect, it } from 'vitest'
import type { InteractionEvent } from '../../src/contract/interactions/identifiers.ts'
import { insertConnector, sealConfig } from '../../src/storage/connectors/connectors.ts'
import { openD1 } from '../../src/storage/d1.ts'
import { createSeals } from '../../src/storage/seal.ts'
import { freshName, newCookieClient, PASSWORD } from '../kit/clients/cookie-client.ts'
import {
  beginInteraction,
  codeTo,
  freshEmail,
  freshPhone,
  type InteractionClient,
  outcomeOf,
  wrongCode,
} from '../kit/clients/interaction-client.ts'
import { newOperator } from '../kit/clients/management-client.ts'
import { offerTarget } from '../kit/clients/social-client.ts'
import { storeAccount } from '../kit/stored-account.ts'
import { everyMethod, setExperience, type WantedExperience } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/** Tests every error code of every interaction call, except those of social connectors (spec/interaction#refusals). */

const everything: WantedExperience = {
  methods: everyMethod,
  signUp: { identifiers: ['username', 'email', 'phone'], password: true, verify: true },
  signInMode: 'SignInAndRegister',
}

let app: TestApp
/** Three accounts: one with every type of identifier, a second one to conflict with it, and a suspended one. */
let ann: Account
let bob: Account
let suspended: Account

type Account = { username: string; email: string; phone: string }

beforeAll(async () => {
  app = openTestApp()
  await setExperience(app, everything)
  ann = await newAccount()
  bob = await newAccount()
  suspended = await newAccount()
  await app.env.DB.prepare('update users set is_suspended = 1 where username = ?')
    .bind(suspended.username)
    .run()
})

/** Changes the settings while `run` is running, and passes an app with empty caches to `run`. */
async function withSettings(changes: WantedExperience, run: (app: TestApp) => Promise<void>): Promise<void> {
  const other = openTestApp()
  await setExperience(other, changes)
  try {
    await run(other)
  } finally {
    await setExperience(other, everything)
  }
}

async function newAccount(): Promise<Account> {
  const phone = freshPhone()
  return { ...(await storeAccount({ phone })), phone }
}

const startInteraction = async (event: InteractionEvent, more: object = {}): Promise<InteractionClient> => {
  const interaction = await beginInteraction(app)
  expect((await interaction.start(event, more)).status).toBe(204)
  return interaction
}

const byPassword = ({ username }: Account) => ({ identifier: { username, password: PASSWORD } })

const otherIdentifier = { username: 'other', password: PASSWORD }

/** Every interaction call, with a valid body. */
const calls = [
  { name: 'PUT /', method: 'PUT', path: '', body: { event: 'SignIn' } },
  { name: 'PUT /event', method: 'PUT', path: '/event', body: { event: 'SignIn' } },
  { name: 'PATCH /identifiers', method: 'PATCH', path: '/identifiers', body: otherIdentifier },
  { name: 'PUT /profile', method: 'PUT', path: '/profile', body: { username: 'other' } },
  { name: 'PATCH /profile', method: 'PATCH', path: '/profile', body: { username: 'other' } },
  { name: 'DELETE /profile', method: 'DELETE', path: '/profile', body: undefined },
  {
    name: 'POST /verification/verification-code',
    method: 'POST',
    path: '/verification/verification-code',
    body: { email: 'other@example.com' },
  },
  { name: 'POST /submit', method: 'POST', path: '/submit', body: undefined },
  { name: 'POST /consent', method: 'POST', path: '/consent', body: undefined },
] as const

describe('the error session.not_found', () => {
  it.each(calls)('is returned by $name without a cookie', async ({ method, path, body }) => {
    const response = await newCookieClient(app).send(method, `/api/interaction${path}`, body)
    expect(await outcomeOf(response)).toEqual([
      400,
      'session.not_found',
      { error_description: expect.stringMatching(/\w/) },
    ])
  })

  it.each(calls)(
    'is returned by $name even for an invalid body if the provider does not know the interaction',
    async ({ method, path }) => {
      const interaction = await startInteraction('SignIn')
      await app.env.DB.prepare("delete from oidc_model_instances where model_name = 'Interaction' and id = ?")
        .bind(interaction.uid)
        .run()
      const body = method === 'DELETE' || path === '/submit' || path === '/consent' ? undefined : { event: 1 }
      expect((await outcomeOf(await interaction.call(method, path, body))).slice(0, 2)).toEqual([
        400,
        'session.not_found',
      ])
    },
  )

  it('is returned by POST /consent without a signed-in user', async () => {
    expect(await outcomeOf(await (await startInteraction('SignIn')).call('POST', '/consent'))).toEqual([
      400,
      'session.not_found',
      { error_description: 'the interaction does not ask for consent' },
    ])
  })
})

describe('the error guard.invalid_input', () => {
  it.each([
    ['PUT', '', { event: 'Nonsense' }],
    ['PUT', '', { event: 'SignIn', identifier: { email: 'not an address', verificationCode: '1' } }],
    ['PUT', '/event', {}],
    ['PATCH', '/identifiers', { username: 'a' }],
    ['PATCH', '/identifiers', { phone: '+49 1', verificationCode: '123456' }],
    ['PATCH', '/identifiers', { email: 'a@b.c', verificationCode: '' }],
    ['PUT', '/profile', { phone: '+491' }],
    ['PATCH', '/profile', { email: 'nonsense' }],
    ['POST', '/verification/verification-code', {}],
    ['POST', '/verification/verification-code', { email: 'nonsense' }],
    ['POST', '/verification/verification-code', { phone: '+49 1' }],
    ['POST', '/verification/verification-code', { username: 'ann' }],
  ])('is returned by %s %s for the body %o', async (method, path, body) => {
    const interaction = await startInteraction('SignIn')
    expect(await outcomeOf(await interaction.call(method, path, body))).toEqual([
      400,
      'guard.invalid_input',
      { name: 'ZodError', issues: expect.any(Array) },
    ])
  })
})

describe('the error session.verification_session_not_found', () => {
  it.each(calls.slice(1, -1))(
    'is returned if $name is called before PUT /',
    async ({ method, path, body }) => {
      const interaction = await beginInteraction(app)
      expect(await outcomeOf(await interaction.call(method, path, body))).toEqual([
        404,
        'session.verification_session_not_found',
      ])
    },
  )

  it.each([
    ['email', () => ({ email: freshEmail() })],
    ['phone', () => ({ phone: freshPhone() })],
  ] as const)('is returned by POST /submit for an unverified %s in the profile', async (_, address) => {
    const interaction = await startInteraction('Register', { profile: address() })
    expect(await outcomeOf(await interaction.submit())).toEqual([
      404,
      'session.verification_session_not_found',
    ])
  })
})

describe('a call that conflicts with the event or the settings', () => {
  it('returns session.interaction_not_found if PUT /event switches to or from a password reset', async () => {
    const expected = [404, 'session.interaction_not_found']
    const interaction = await startInteraction('SignIn')
    expect(await outcomeOf(await interaction.call('PUT', '/event', { event: 'ForgotPassword' }))).toEqual(
      expected,
    )
    await interaction.start('ForgotPassword')
    expect(await outcomeOf(await interaction.call('PUT', '/event', { event: 'SignIn' }))).toEqual(expected)
  })

  it.each([
    { signInMode: 'SignIn', event: 'Register', allowed: 'SignIn' },
    { signInMode: 'Register', event: 'SignIn', allowed: 'Register' },
  ] as const)('returns auth.forbidden for the event $event if the sign-in mode is $signInMode', (row) =>
    withSettings({ signInMode: row.signInMode }, async (strict) => {
      const interaction = await beginInteraction(strict)
      const expected = [403, 'auth.forbidden']
      expect(await outcomeOf(await interaction.start(row.event))).toEqual(expected)
      // The sign-in mode is checked before the interaction is read.
      expect(await outcomeOf(await interaction.call('PUT', '/event', { event: row.event }))).toEqual(expected)
      expect((await interaction.start(row.allowed)).status).toBe(204)
      expect(await outcomeOf(await interaction.call('PUT', '/event', { event: row.event }))).toEqual(expected)
      expect((await interaction.start('ForgotPassword')).status).toBe(204)
    }),
  )

  it('returns user.sign_in_method_not_enabled if the identifier’s type is disabled', () => {
    const byEmailOnly: WantedExperience = {
      methods: everyMethod.filter(({ identifier }) => identifier === 'email'),
      signUp: { identifiers: ['email'], password: false, verify: true },
    }
    return withSettings(byEmailOnly, async (strict) => {
      const expected = [422, 'user.sign_in_method_not_enabled']
      const interaction = await beginInteraction(strict)
      const identifier = { username: ann.username, password: PASSWORD }
      expect(await outcomeOf(await interaction.start('SignIn', { identifier }))).toEqual(expected)
      const byCode = { phone: ann.phone, verificationCode: '123456' }
      expect(await outcomeOf(await interaction.start('SignIn', { identifier: byCode }))).toEqual(expected)
      expect(
        await outcomeOf(await interaction.start('Register', { profile: { username: 'other' } })),
      ).toEqual(expected)
      expect(
        await outcomeOf(await interaction.start('Register', { profile: { password: PASSWORD } })),
      ).toEqual(expected)

      await interaction.start('SignIn')
      expect(await outcomeOf(await interaction.call('PATCH', '/identifiers', identifier))).toEqual(expected)
      expect(await outcomeOf(await interaction.call('PATCH', '/identifiers', byCode))).toEqual(expected)
      expect(await outcomeOf(await interaction.call('PUT', '/profile', { phone: ann.phone }))).toEqual(
        expected,
      )
      expect(await outcomeOf(await interaction.call('PATCH', '/profile', { username: 'other' }))).toEqual(
        expected,
      )

      // A password reset accepts codes sent to any type of address.
      await interaction.start('ForgotPassword')
      expect((await interaction.prove({ phone: ann.phone })).status).toBe(204)
      expect((await interaction.call('PATCH', '/profile', { password: PASSWORD })).status).toBe(204)
    })
  })
})

/** The two calls that accept an identifier, which return the same errors. */
const identifierCalls = [
  {
    by: 'PUT /',
    send: async (interaction: InteractionClient, identifier: object) =>
      interaction.start('SignIn', { identifier }),
  },
  {
    by: 'PATCH /identifiers',
    send: async (interaction: InteractionClient, identifier: object) =>
      interaction.call('PATCH', '/identifiers', identifier),
  },
]

describe.each(identifierCalls)('$by with an identifier', ({ send }) => {
  it.each([
    ['a wrong password', () => ({ email: ann.email, password: 'wrong-horse-7' })],
    ['an unknown address', () => ({ phone: freshPhone(), password: PASSWORD })],
  ])('returns session.invalid_credentials for %s', async (_, identifier) => {
    expect(await outcomeOf(await send(await startInteraction('SignIn'), identifier()))).toEqual([
      422,
      'session.invalid_credentials',
    ])
  })

  it('returns user.suspended for a suspended account’s correct password', async () => {
    const identifier = { email: suspended.email, password: PASSWORD }
    expect(await outcomeOf(await send(await startInteraction('SignIn'), identifier))).toEqual([
      401,
      'user.suspended',
    ])
  })

  it('returns the first applicable verification_code error', async () => {
    const interaction = await startInteraction('SignIn')
    const [email, phone] = [freshEmail(), freshPhone()]
    const type = async (verificationCode: string, address: object = { email }) =>
      (await outcomeOf(await send(interaction, { ...address, verificationCode }))).slice(0, 2)
    const failure = (reason: string) => [400, `verification_code.${reason}`]

    expect(await type('123456')).toEqual(failure('not_found'))
    await interaction.sendCode({ email })
    const code = await codeTo(app, { email })
    expect(await type(code, { email: freshEmail() })).toEqual(failure('email_mismatch'))
    expect(await type(code, { phone })).toEqual(failure('phone_mismatch'))
    expect(await type('not six digits')).toEqual(failure('code_mismatch'))
    for (let count = 2; count <= 10; count++) {
      expect(await type(wrongCode(code))).toEqual(failure('code_mismatch'))
    }
    expect(await type(code)).toEqual(failure('exceed_max_try'))

    await interaction.sendCode({ phone })
    await app.env.DB.prepare('update passcodes set created_at = created_at - 600001 where phone = ?')
      .bind(phone)
      .run()
    expect(await type(await codeTo(app, { phone }), { phone })).toEqual(failure('expired'))

    await interaction.sendCode({ phone })
    const second = await codeTo(app, { phone })
    expect(await type(second, { phone })).toEqual([204, null])
    expect(await type(second, { phone })).toEqual(failure('not_found'))
  })

  it('returns session.invalid_connector_id for an unknown connector', async () => {
    const identifier = { connectorId: 'unknown', connectorData: { code: '1' } }
    expect(await outcomeOf(await send(await startInteraction('SignIn'), identifier))).toEqual([
      422,
      'session.invalid_connector_id',
      { connectorId: 'unknown' },
    ])
  })

  it('returns session.connector_session_not_found for an address that no social provider has verified', async () => {
    const id = freshName()
    const operator = await newOperator(app)
    const metadata = { target: id, name: { en: 'Unused' } }
    const installed = await operator.send('POST', '/connectors', { connectorId: 'oauth2', id, metadata })
    expect(installed.status).toBe(200)
    await offerTarget(operator, id)
    const identifier = { connectorId: id, email: ann.email }
    expect(await outcomeOf(await send(await startInteraction('SignIn'), identifier))).toEqual([
      400,
      'session.connector_session_not_found',
    ])
  })
})

describe('sending a code', () => {
  it('returns connector.not_found without a connector', async () => {
    const production = openTestApp({ ENVIRONMENT: 'production' })
    for (const address of [{ email: freshEmail() }, { phone: freshPhone() }]) {
      const interaction = await beginInteraction(production)
      await interaction.start('SignIn')
      expect((await outcomeOf(await interaction.sendCode(address))).slice(0, 2)).toEqual([
        400,
        'connector.not_found',
      ])
    }
  })

  it('returns the connector’s error if sending fails', async () => {
    const seals = createSeals(app.env.ROOT_SECRET ?? '')
    const config = await sealConfig({ seals }, 'default', 'broken', {})
    const metadata = {}
    const row = {
      id: 'broken',
      connectorId: 'http-email',
      config,
      metadata,
      syncProfile: false,
      createdAt: 0,
    }
    await insertConnector(openD1(app.env.DB), 'default', row)
    try {
      const interaction = await startInteraction('SignIn')
      const [status, code] = await outcomeOf(await interaction.sendCode({ email: freshEmail() }))
      expect([status, code]).toEqual([400, 'connector.invalid_config'])
    } finally {
      await app.env.DB.prepare("delete from connectors where id = 'broken'").run()
    }
  })
})

describe('POST /submit', () => {
  const startWithProof = async (event: InteractionEvent, address: { email: string } | { phone: string }) => {
    const interaction = await startInteraction(event)
    expect((await interaction.prove(address)).status).toBe(204)
    return interaction
  }

  it('returns session.identifier_not_found if no identifier was entered', async () => {
    expect(await outcomeOf(await (await startInteraction('SignIn')).submit())).toEqual([
      404,
      'session.identifier_not_found',
    ])
  })

  it('returns session.verification_failed if the verified identifiers belong to two accounts', async () => {
    const interaction = await startWithProof('SignIn', { email: ann.email })
    await interaction.prove({ phone: bob.phone })
    expect(await outcomeOf(await interaction.submit())).toEqual([400, 'session.verification_failed'])
  })

  it('returns session.verification_failed if another account’s address is verified after the first attempt', async () => {
    const interaction = await startInteraction('ForgotPassword')
    await interaction.prove({ email: ann.email })
    expect(await outcomeOf(await interaction.submit())).toEqual([
      422,
      'user.new_password_required_in_profile',
    ])
    await interaction.prove({ email: bob.email })
    await interaction.call('PUT', '/profile', { password: 'another-horse-8' })
    expect(await outcomeOf(await interaction.submit())).toEqual([400, 'session.verification_failed'])
  })

  it('returns user.suspended if the verified address belongs to a suspended account', async () => {
    const interaction = await startWithProof('SignIn', { email: suspended.email })
    expect(await outcomeOf(await interaction.submit())).toEqual([401, 'user.suspended'])
  })

  it('returns user.user_not_exist and the verified address if no account has it', async () => {
    const phone = freshPhone()
    const interaction = await startWithProof('SignIn', { phone })
    expect(await outcomeOf(await interaction.submit())).toEqual([
      404,
      'user.user_not_exist',
      { identifier: phone },
    ])
  })

  it('returns user.*_exists_in_profile for values that the account already has', async () => {
    const [email, phone] = [freshEmail(), freshPhone()]
    for (const profile of [{ username: freshName() }, { email }, { phone }, { password: PASSWORD }]) {
      const [name] = Object.keys(profile)
      const interaction = await startInteraction('SignIn', byPassword(ann))
      if ('email' in profile) await interaction.prove({ email })
      if ('phone' in profile) await interaction.prove({ phone })
      await interaction.call('PUT', '/profile', profile)
      expect(await outcomeOf(await interaction.submit())).toEqual([400, `user.${name}_exists_in_profile`])
    }
  })

  it('returns user.*_already_in_use for another account’s identifiers', async () => {
    for (const type of ['username', 'email', 'phone'] as const) {
      const interaction = await startInteraction('Register', {
        profile: { [type]: ann[type], password: PASSWORD },
      })
      if (type === 'email') await interaction.prove({ email: ann.email })
      if (type === 'phone') await interaction.prove({ phone: ann.phone })
      expect(await outcomeOf(await interaction.submit())).toEqual([422, `user.${type}_already_in_use`])
    }
  })

  it('returns user.email_already_in_use for an address that differs only in case', async () => {
    const email = ann.email.toUpperCase()
    const interaction = await startInteraction('Register', { profile: { email } })
    await interaction.prove({ email })
    expect(await outcomeOf(await interaction.submit())).toEqual([422, 'user.email_already_in_use'])
  })

  it('returns user.missing_profile and lists the required items that are missing', async () => {
    const interaction = await startInteraction('Register')
    expect(await outcomeOf(await interaction.submit())).toEqual([
      422,
      'user.missing_profile',
      { missingProfile: ['password', 'username'] },
    ])
    await interaction.call('PUT', '/profile', { username: freshName(), password: PASSWORD })
    expect(await outcomeOf(await interaction.submit())).toEqual([
      422,
      'user.missing_profile',
      { missingProfile: ['emailOrPhone'] },
    ])

    await withSettings({ signUp: { identifiers: [], password: false, verify: false } }, async (lenient) => {
      const interaction = await beginInteraction(lenient)
      await interaction.start('Register')
      expect(await outcomeOf(await interaction.submit())).toEqual([422, 'user.missing_profile'])
    })
  })

  it('rejects a password reset without a new password or with the current password as the new one', async () => {
    const interaction = await startWithProof('ForgotPassword', { email: bob.email })
    expect(await outcomeOf(await interaction.submit())).toEqual([
      422,
      'user.new_password_required_in_profile',
    ])
    await interaction.call('PATCH', '/profile', { password: PASSWORD })
    expect(await outcomeOf(await interaction.submit())).toEqual([422, 'user.same_password'])
  })

  it('returns session.connector_session_not_found for a social profile without a verified identity', async () => {
    const interaction = await startInteraction('Register', { profile: { connectorId: 'unknown' } })
    expect(await outcomeOf(await interaction.submit())).toEqual([404, 'session.connector_session_not_found'])
  })
})

describe('default roles (spec/interaction#register-effects)', () => {
  const registerWith = async (names: string) => {
    const other = openTestApp({ USER_DEFAULT_ROLE_NAMES: names })
    const username = freshName()
    // Store the settings before the app reads and caches them.
    await setExperience(other, {
      ...everything,
      signUp: { identifiers: ['username'], password: true, verify: false },
    })
    const interaction = await beginInteraction(other)
    await interaction.start('Register', { profile: { username, password: PASSWORD } })
    const answer = await interaction.submit()
    await setExperience(other, everything)
    const { results } = await app.env.DB.prepare(
      'select roles.name from users_roles join roles on roles.id = role_id join users on users.id = user_id where username = ? order by roles.name',
    )
      .bind(username)
      .all<{ name: string }>()
    return { answer, roles: results.map(({ name }) => name) }
  }

  it('are assigned to every user who registers', async () => {
    await app.env.DB.batch(
      ['reader', 'writer'].map((name) =>
        app.env.DB.prepare(
          "insert into roles (tenant_id, id, name, description) values ('default', ?1, ?1, 'r')",
        ).bind(name),
      ),
    )
    const { answer, roles } = await registerWith('writer, reader')
    expect([answer.status, roles]).toEqual([200, ['reader', 'writer']])
  })

  it('cause registrations to fail, without storing a user, if one of them does not exist', async () => {
    const { answer, roles } = await registerWith('reader, unknown')
    expect(await outcomeOf(answer)).toEqual([400, 'role.default_role_missing'])
    expect(roles).toEqual([])
  })
})
