import { beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_EXPERIENCE } from '../../../src/contract/experience/experience.ts'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  openSignInPage,
  registerAccount,
} from '../../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

const get = async () => (await operator.get('/sign-in-exp')).json()
const patch = (body: unknown) => operator.send('PATCH', '/sign-in-exp', body)
const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { code: string }).code,
]

describe('the sign-in experience', () => {
  it('has defaults for a new tenant', async () => {
    expect(await get()).toEqual({ tenantId: 'default', ...DEFAULT_EXPERIENCE })
  })

  it('can be changed field by field, and each change replaces the whole field', async () => {
    const changes = {
      color: { primaryColor: '#F00', isDarkModeEnabled: true, darkPrimaryColor: '#00ff00' },
      branding: { name: 'Acme & Söhne ‌🏦', logoUrl: 'https://example.com/logo.svg' },
      layout: { type: 'Split', pictureUrl: 'https://example.com/harbour.webp' },
      termsOfUseUrl: 'https://example.com/terms',
      customCss: 'body { color: red }',
      customContent: { '/sign-in': '<p>Hello</p>' },
      languageInfo: { autoDetect: false, fallbackLanguage: 'de' },
    }
    const response = await patch(changes)
    expect(response.status).toBe(200)
    const after = { tenantId: 'default', ...DEFAULT_EXPERIENCE, ...changes }
    expect(await response.json()).toEqual(after)
    expect(await get()).toEqual(after)

    const { id: _, ...everything } = DEFAULT_EXPERIENCE
    expect(await (await patch({ ...everything, termsOfUseUrl: '', customCss: null })).json()).toEqual({
      tenantId: 'default',
      ...DEFAULT_EXPERIENCE,
    })
  })

  it('is left unchanged by an empty body', async () => {
    expect(await (await patch({})).json()).toEqual(await get())
  })

  it.each([
    ['help@example.com', 'help@example.com'],
    ['https://example.com/help', 'https://example.com/help'],
    ['', null],
  ])('can name a support contact: "%s"', async (supportContact, stored) => {
    expect(await (await patch({ supportContact })).json()).toMatchObject({ supportContact: stored })
  })

  it('cannot include a social target that has no connector', async () => {
    expect(await codeOf(await patch({ socialSignInConnectorTargets: ['github'] }))).toEqual([
      422,
      'guard.invalid_input',
    ])
  })

  it('changes the sign-in pages immediately', async () => {
    const registrationStatus = async () => {
      const client = newCookieClient(app)
      return (
        await registerAccount(client, await openSignInPage(client, await authorizationRequest()), freshName())
      ).status
    }
    expect(await registrationStatus()).toBe(200)
    await patch({ signInMode: 'SignIn' })
    expect(await registrationStatus()).toBe(404)
    await patch({ signInMode: 'SignInAndRegister' })
    expect(await registrationStatus()).toBe(200)
  })

  it.each([
    { color: { primaryColor: 'red', isDarkModeEnabled: false, darkPrimaryColor: '#fff' } },
    { color: { primaryColor: '#ff', isDarkModeEnabled: false, darkPrimaryColor: '#fff' } },
    { color: { primaryColor: '#fff' } },
    { branding: { logoUrl: 'javascript:alert(1)' } },
    ...[
      '',
      ' Acme',
      'x'.repeat(65),
      'Acme\r\nBcc: eve@evil.example',
      'A\u2028B',
      'A\u202eB',
      'A\u0007',
      'A\0',
    ].map((name) => ({
      branding: { name },
    })),
    { layout: { type: 'Wide' } },
    { layout: { type: 'Plain', pictureUrl: 'https://example.com/harbour.webp' } },
    { layout: { type: 'Split', pictureUrl: 'javascript:alert(1)' } },
    { layout: null },
    { termsOfUseUrl: 'example.com' },
    { termsOfUseUrl: 'https://example.com/a b' },
    { termsOfUseUrl: 'https://example.com/\0' },
    { privacyPolicyUrl: `https://example.com/${'x'.repeat(2048)}` },
    ...[
      'http://example.com',
      'help',
      'javascript:alert(1)',
      'a@b@c',
      `https://example.com/${'x'.repeat(2048)}`,
    ].map((supportContact) => ({ supportContact })),
    { signInMode: 'Everything' },
    { customContent: { '/sign-in': 1 } },
    { customCss: 'a\0b' },
    { signUp: { identifiers: ['name'], password: true, verify: false } },
    { signIn: { methods: [{ identifier: 'username', password: true }] } },
  ])('cannot be changed to %o', async (body) => {
    expect(await codeOf(await patch(body))).toEqual([400, 'guard.invalid_input'])
    expect(await get()).toMatchObject({ tenantId: 'default', ...DEFAULT_EXPERIENCE })
  })

  it('cannot be set to use codes without a connector that sends them', async () => {
    const production = await newOperator(openTestApp({ ENVIRONMENT: 'production' }))
    const enableCodes = async () =>
      production.send('PATCH', '/sign-in-exp', {
        signUp: { identifiers: ['email'], password: true, verify: true },
      })
    const response = await enableCodes()
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      code: 'sign_in_experiences.enabled_connector_not_found',
      data: { type: 'Email' },
    })

    const config = { endpoint: 'https://sms.example', authentication: 'None' }
    const connector = await production.send('POST', '/connectors', { connectorId: 'http-sms', config })
    expect(connector.status).toBe(200)
    expect((await enableCodes()).status).toBe(400)
    const { id } = (await connector.json()) as { id: string }
    await production.send('DELETE', `/connectors/${id}`)
  })

  it('can be set to use codes with a connector or, in development, with the inbox', async () => {
    const email = {
      signUp: { identifiers: ['email'], password: true, verify: true },
      signIn: {
        methods: [{ identifier: 'email', password: true, verificationCode: true, isPasswordPrimary: true }],
      },
    }
    const inDevelopment = await patch(email)
    expect(inDevelopment.status).toBe(200)

    const production = await newOperator(openTestApp({ ENVIRONMENT: 'production' }))
    const installed = await production.send('POST', '/connectors', { connectorId: 'http-email' })
    const { id } = (await installed.json()) as { id: string }
    expect((await production.send('PATCH', '/sign-in-exp', email)).status).toBe(200)

    await production.send('DELETE', `/connectors/${id}`)
    const { signIn, signUp } = DEFAULT_EXPERIENCE
    await patch({ signIn, signUp })
  })

  it('can use a language that the operator added as its fallback language', async () => {
    const languageInfo = { autoDetect: true, fallbackLanguage: 'eo-EO' }
    expect(await codeOf(await patch({ languageInfo }))).toEqual([
      400,
      'sign_in_experiences.unsupported_default_language',
    ])
    await operator.send('PUT', '/custom-phrases/eo-EO', { action: { sign_in: 'Ensaluti' } })
    expect((await patch({ languageInfo })).status).toBe(200)
    await patch({ languageInfo: DEFAULT_EXPERIENCE.languageInfo })
    await operator.send('DELETE', '/custom-phrases/eo-EO')
  })

  it('[ASVS-2.2.3] cannot have a sign-up identifier that no sign-in method accepts', async () => {
    expect(await codeOf(await patch({ signIn: { methods: [] } }))).toEqual([
      400,
      'sign_in_experiences.miss_sign_up_identifier_in_sign_in',
    ])
    expect(
      await codeOf(await patch({ languageInfo: { autoDetect: true, fallbackLanguage: 'tlh' } })),
    ).toEqual([400, 'sign_in_experiences.unsupported_default_language'])
  })

  it('writes an audit entry for every change, successful or not', async () => {
    await patch({ signInMode: 'SignInAndRegister' })
    await patch({ signIn: { methods: [] } })
    const { results } = await app.env.DB.prepare(
      "select payload from logs where key = 'Management.SignInExperience.Update' order by created_at desc, rowid desc limit 2",
    ).all<{ payload: string }>()
    const rows = results.map(({ payload }) => JSON.parse(payload))
    expect(rows).toEqual([
      expect.objectContaining({ result: 'Error', changed: ['signIn'] }),
      expect.objectContaining({ result: 'Success', changed: ['signInMode'] }),
    ])
  })
})
