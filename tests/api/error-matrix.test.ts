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

/** Each code by each call that answers it, without those of social connectors (spec/interaction#refusals). */

const everything: WantedExperience = {
  methods: everyMethod,
  signUp: { identifiers: ['username', 'email', 'phone'], password: true, verify: true },
  signInMode: 'SignInAndRegister',
}

let app: TestApp
/** An account with all identifiers, another account, and a suspended one. */
let ann: Account
let bob: Account
let gone: Account

type Account = { username: string; email: string; phone: string }

beforeAll(async () => {
  app = openTestApp()
  await setExperience(app, everything)
  ann = await newAccount()
  bob = await newAccount()
  gone = await newAccount()
  await app.env.DB.prepare('update users set is_suspended = 1 where username = ?').bind(gone.username).run()
})

/** Other settings while `run` runs, in an app with empty caches. */
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

const started = async (event: InteractionEvent, more: object = {}): Promise<InteractionClient> => {
  const interaction = await beginInteraction(app)
  expect((await interaction.start(event, more)).status).toBe(204)
  return interaction
}

const byPassword = ({ username }: Account) => ({ identifier: { username, password: PASSWORD } })

const somewhere = { username: 'other', password: PASSWORD }

/** Every call with a body it accepts. */
const calls = [
  { name: 'PUT /', method: 'PUT', path: '', body: { event: 'SignIn' } },
  { name: 'PUT /event', method: 'PUT', path: '/event', body: { event: 'SignIn' } },
  { name: 'PATCH /identifiers', method: 'PATCH', path: '/identifiers', body: somewhere },
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

describe('session.not_found', () => {
  it.each(calls)('400 by $name without a cookie', async ({ method, path, body }) => {
    const response = await newCookieClient(app).send(method, `/api/interaction${path}`, body)
    expect(await outcomeOf(response)).toEqual([
      400,
      'session.not_found',
      { error_description: expect.stringMatching(/\w/) },
    ])
  })

  it.each(calls)(
    '400 by $name when the provider has no row of the interaction, for any body',
    async ({ method, path }) => {
      const interaction = await started('SignIn')
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

  it('400 by POST /consent without a signed-in user', async () => {
    expect(await outcomeOf(await (await started('SignIn')).call('POST', '/consent'))).toEqual([
      400,
      'session.not_found',
      { error_description: 'the interaction does not ask for consent' },
    ])
  })
})

describe('guard.invalid_input', () => {
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
    ['POST', '/verification/verification-code', { phone: '+491' }],
    ['POST', '/verification/verification-code', { username: 'ann' }],
  ])('400 by %s %s of %o', async (method, path, body) => {
    const interaction = await started('SignIn')
    expect(await outcomeOf(await interaction.call(method, path, body))).toEqual([
      400,
      'guard.invalid_input',
      { name: 'ZodError', issues: expect.any(Array) },
    ])
  })
})

describe('session.verification_session_not_found', () => {
  it.each(calls.slice(1, -1))('404 by $name before PUT /', async ({ method, path, body }) => {
    const interaction = await beginInteraction(app)
    expect(await outcomeOf(await interaction.call(method, path, body))).toEqual([
      404,
      'session.verification_session_not_found',
    ])
  })

  it.each([
    ['email', () => ({ email: freshEmail() })],
    ['phone', () => ({ phone: freshPhone() })],
  ] as const)('404 by POST /submit for an unproved %s of the profile', async (_, address) => {
    const interaction = await started('Register', { profile: address() })
    expect(await outcomeOf(await interaction.submit())).toEqual([
      404,
      'session.verification_session_not_found',
    ])
  })
})

describe('events and settings', () => {
  it('session.interaction_not_found 404 by PUT /event to and from a reset', async () => {
    const refused = [404, 'session.interaction_not_found']
    const interaction = await started('SignIn')
    expect(await outcomeOf(await interaction.call('PUT', '/event', { event: 'ForgotPassword' }))).toEqual(
      refused,
    )
    await interaction.start('ForgotPassword')
    expect(await outcomeOf(await interaction.call('PUT', '/event', { event: 'SignIn' }))).toEqual(refused)
  })

  it.each([
    { signInMode: 'SignIn', event: 'Register', allowed: 'SignIn' },
    { signInMode: 'Register', event: 'SignIn', allowed: 'Register' },
  ] as const)('auth.forbidden 403 by PUT / and PUT /event in mode $signInMode', (row) =>
    withSettings({ signInMode: row.signInMode }, async (strict) => {
      const interaction = await beginInteraction(strict)
      const refused = [403, 'auth.forbidden']
      expect(await outcomeOf(await interaction.start(row.event))).toEqual(refused)
      // Checked before the record is read.
      expect(await outcomeOf(await interaction.call('PUT', '/event', { event: row.event }))).toEqual(refused)
      expect((await interaction.start(row.allowed)).status).toBe(204)
      expect(await outcomeOf(await interaction.call('PUT', '/event', { event: row.event }))).toEqual(refused)
      expect((await interaction.start('ForgotPassword')).status).toBe(204)
    }),
  )

  it('user.sign_in_method_not_enabled 422 by PUT /, PATCH /identifiers and PUT and PATCH /profile', () => {
    const byEmailOnly: WantedExperience = {
      methods: everyMethod.filter(({ identifier }) => identifier === 'email'),
      signUp: { identifiers: ['email'], password: false, verify: true },
    }
    return withSettings(byEmailOnly, async (strict) => {
      const refused = [422, 'user.sign_in_method_not_enabled']
      const interaction = await beginInteraction(strict)
      const identifier = { username: ann.username, password: PASSWORD }
      expect(await outcomeOf(await interaction.start('SignIn', { identifier }))).toEqual(refused)
      const byCode = { phone: ann.phone, verificationCode: '123456' }
      expect(await outcomeOf(await interaction.start('SignIn', { identifier: byCode }))).toEqual(refused)
      expect(
        await outcomeOf(await interaction.start('Register', { profile: { username: 'other' } })),
      ).toEqual(refused)
      expect(
        await outcomeOf(await interaction.start('Register', { profile: { password: PASSWORD } })),
      ).toEqual(refused)

      await interaction.start('SignIn')
      expect(await outcomeOf(await interaction.call('PATCH', '/identifiers', identifier))).toEqual(refused)
      expect(await outcomeOf(await interaction.call('PATCH', '/identifiers', byCode))).toEqual(refused)
      expect(await outcomeOf(await interaction.call('PUT', '/profile', { phone: ann.phone }))).toEqual(
        refused,
      )
      expect(await outcomeOf(await interaction.call('PATCH', '/profile', { username: 'other' }))).toEqual(
        refused,
      )

      // A reset may use a code to any address.
      await interaction.start('ForgotPassword')
      expect((await interaction.prove({ phone: ann.phone })).status).toBe(204)
      expect((await interaction.call('PATCH', '/profile', { password: PASSWORD })).status).toBe(204)
    })
  })
})

/** PUT / and PATCH /identifiers answer the same. */
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

describe.each(identifierCalls)('identifiers sent to $by', ({ send }) => {
  it.each([
    ['a wrong password', () => ({ email: ann.email, password: 'wrong-horse-7' })],
    ['an unknown address', () => ({ phone: freshPhone(), password: PASSWORD })],
  ])('session.invalid_credentials 422 for %s', async (_, identifier) => {
    expect(await outcomeOf(await send(await started('SignIn'), identifier()))).toEqual([
      422,
      'session.invalid_credentials',
    ])
  })

  it('user.suspended 401 for the right password of a suspended account', async () => {
    const identifier = { email: gone.email, password: PASSWORD }
    expect(await outcomeOf(await send(await started('SignIn'), identifier))).toEqual([401, 'user.suspended'])
  })

  it('verification_code.* 400, in the order of the checks', async () => {
    const interaction = await started('SignIn')
    const [email, phone] = [freshEmail(), freshPhone()]
    const type = async (verificationCode: string, address: object = { email }) =>
      (await outcomeOf(await send(interaction, { ...address, verificationCode }))).slice(0, 2)
    const refused = (reason: string) => [400, `verification_code.${reason}`]

    expect(await type('123456')).toEqual(refused('not_found'))
    await interaction.sendCode({ email })
    const code = await codeTo(app, { email })
    expect(await type(code, { email: freshEmail() })).toEqual(refused('email_mismatch'))
    expect(await type(code, { phone })).toEqual(refused('phone_mismatch'))
    expect(await type('not six digits')).toEqual(refused('code_mismatch'))
    for (let count = 2; count <= 10; count++) {
      expect(await type(wrongCode(code))).toEqual(refused('code_mismatch'))
    }
    expect(await type(code)).toEqual(refused('exceed_max_try'))

    await interaction.sendCode({ phone })
    await app.env.DB.prepare('update passcodes set created_at = created_at - 600001 where phone = ?')
      .bind(phone)
      .run()
    expect(await type(await codeTo(app, { phone }), { phone })).toEqual(refused('expired'))

    await interaction.sendCode({ phone })
    const second = await codeTo(app, { phone })
    expect(await type(second, { phone })).toEqual([204, null])
    expect(await type(second, { phone })).toEqual(refused('not_found'))
  })

  it('session.invalid_connector_id 422 for an unknown connector', async () => {
    const identifier = { connectorId: 'unknown', connectorData: { code: '1' } }
    expect(await outcomeOf(await send(await started('SignIn'), identifier))).toEqual([
      422,
      'session.invalid_connector_id',
      { connectorId: 'unknown' },
    ])
  })

  it('session.connector_session_not_found 400 for an address that no provider proved', async () => {
    const id = freshName()
    const operator = await newOperator(app)
    const metadata = { target: id, name: { en: 'Unused' } }
    const installed = await operator.send('POST', '/connectors', { connectorId: 'oauth2', id, metadata })
    expect(installed.status).toBe(200)
    await offerTarget(operator, id)
    const identifier = { connectorId: id, email: ann.email }
    expect(await outcomeOf(await send(await started('SignIn'), identifier))).toEqual([
      400,
      'session.connector_session_not_found',
    ])
  })
})

describe('sending a code', () => {
  it('connector.not_found 400 without a connector', async () => {
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

  it('connector.* when the connector fails', async () => {
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
      const interaction = await started('SignIn')
      const [status, code] = await outcomeOf(await interaction.sendCode({ email: freshEmail() }))
      expect([status, code]).toEqual([400, 'connector.invalid_config'])
    } finally {
      await app.env.DB.prepare("delete from connectors where id = 'broken'").run()
    }
  })
})

describe('POST /submit', () => {
  const proving = async (event: InteractionEvent, address: { email: string } | { phone: string }) => {
    const interaction = await started(event)
    expect((await interaction.prove(address)).status).toBe(204)
    return interaction
  }

  it('session.identifier_not_found 404 without a proof of an account', async () => {
    expect(await outcomeOf(await (await started('SignIn')).submit())).toEqual([
      404,
      'session.identifier_not_found',
    ])
  })

  it('session.verification_failed 400 for proofs of two accounts', async () => {
    const interaction = await proving('SignIn', { email: ann.email })
    await interaction.prove({ phone: bob.phone })
    expect(await outcomeOf(await interaction.submit())).toEqual([400, 'session.verification_failed'])
  })

  it('session.verification_failed 400 for another account than the pinned one', async () => {
    const interaction = await started('ForgotPassword')
    await interaction.prove({ email: ann.email })
    expect(await outcomeOf(await interaction.submit())).toEqual([
      422,
      'user.new_password_required_in_profile',
    ])
    await interaction.prove({ email: bob.email })
    await interaction.call('PUT', '/profile', { password: 'another-horse-8' })
    expect(await outcomeOf(await interaction.submit())).toEqual([400, 'session.verification_failed'])
  })

  it('user.suspended 401 for the proved address of a suspended account', async () => {
    const interaction = await proving('SignIn', { email: gone.email })
    expect(await outcomeOf(await interaction.submit())).toEqual([401, 'user.suspended'])
  })

  it('user.user_not_exist 404 with the address', async () => {
    const phone = freshPhone()
    const interaction = await proving('SignIn', { phone })
    expect(await outcomeOf(await interaction.submit())).toEqual([
      404,
      'user.user_not_exist',
      { identifier: phone },
    ])
  })

  it('user.*_exists_in_profile 400 for values that the account has already', async () => {
    const [email, phone] = [freshEmail(), freshPhone()]
    for (const profile of [{ username: freshName() }, { email }, { phone }, { password: PASSWORD }]) {
      const [name] = Object.keys(profile)
      const interaction = await started('SignIn', byPassword(ann))
      if ('email' in profile) await interaction.prove({ email })
      if ('phone' in profile) await interaction.prove({ phone })
      await interaction.call('PUT', '/profile', profile)
      expect(await outcomeOf(await interaction.submit())).toEqual([400, `user.${name}_exists_in_profile`])
    }
  })

  it('user.*_already_in_use 422 for identifiers of another account', async () => {
    for (const type of ['username', 'email', 'phone'] as const) {
      const interaction = await started('Register', { profile: { [type]: ann[type], password: PASSWORD } })
      if (type === 'email') await interaction.prove({ email: ann.email })
      if (type === 'phone') await interaction.prove({ phone: ann.phone })
      expect(await outcomeOf(await interaction.submit())).toEqual([422, `user.${type}_already_in_use`])
    }
  })

  it('user.email_already_in_use 422 for the same address in another case', async () => {
    const email = ann.email.toUpperCase()
    const interaction = await started('Register', { profile: { email } })
    await interaction.prove({ email })
    expect(await outcomeOf(await interaction.submit())).toEqual([422, 'user.email_already_in_use'])
  })

  it('user.missing_profile 422 with the missing items, and without them where no item is required', async () => {
    const interaction = await started('Register')
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

  it('user.new_password_required_in_profile and user.same_password 422', async () => {
    const interaction = await proving('ForgotPassword', { email: bob.email })
    expect(await outcomeOf(await interaction.submit())).toEqual([
      422,
      'user.new_password_required_in_profile',
    ])
    await interaction.call('PATCH', '/profile', { password: PASSWORD })
    expect(await outcomeOf(await interaction.submit())).toEqual([422, 'user.same_password'])
  })

  it('session.connector_session_not_found 404 for a social profile without proof', async () => {
    const interaction = await started('Register', { profile: { connectorId: 'unknown' } })
    expect(await outcomeOf(await interaction.submit())).toEqual([404, 'session.connector_session_not_found'])
  })
})

describe('default roles (spec/interaction#register-effects)', () => {
  const registerWith = async (names: string) => {
    const other = openTestApp({ USER_DEFAULT_ROLE_NAMES: names })
    const username = freshName()
    // Before the app has read them: it caches the result.
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

  it('are given to each user who registers', async () => {
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

  it('that do not exist refuse the registration, and leave no row', async () => {
    const { answer, roles } = await registerWith('reader, unknown')
    expect(await outcomeOf(answer)).toEqual([400, 'role.default_role_missing'])
    expect(roles).toEqual([])
  })
})
