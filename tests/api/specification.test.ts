import { beforeAll, describe, expect, it } from 'vitest'
import { newOperator, type Operator } from '../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/** Calls and answers that the original specification describes. Each title quotes it. */

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

describe('the settings fetched at load', () => {
  it('are "sign-in methods, sign-up methods, social connectors, sign-in mode, forgot-password availability, terms and privacy links, custom CSS, custom per-path HTML content, branding logo, favicon, brand colour and dark mode"', async () => {
    const config = { clientId: 'x', clientSecret: 'y' }
    const body = { connectorId: 'github-universal', id: 'github', config }
    expect((await operator.send('POST', '/connectors', body)).status).toBe(200)
    await operator.send('POST', '/connectors', { connectorId: 'http-email', id: 'mail' })
    const settings = {
      signIn: {
        methods: [
          { identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true },
          { identifier: 'email', password: true, verificationCode: true, isPasswordPrimary: false },
        ],
      },
      signUp: { identifiers: ['username'], password: true, verify: false },
      socialSignInConnectorTargets: ['github'],
      signInMode: 'SignInAndRegister',
      termsOfUseUrl: 'https://example.com/terms',
      privacyPolicyUrl: 'https://example.com/privacy',
      customCss: '.title{color:red}',
      customContent: { '/sign-in': '<p>Hello</p>' },
      branding: { logoUrl: '/logo.svg', darkLogoUrl: '/logo-dark.svg', favicon: '/logo.svg' },
      color: { primaryColor: '#123456', darkPrimaryColor: '#abcdef', isDarkModeEnabled: true },
    }
    expect((await operator.send('PATCH', '/sign-in-exp', settings)).status).toBe(200)
    const answer = await app.fetch('/api/.well-known/sign-in-exp?no_cache')
    expect(await answer.json()).toMatchObject({
      ...settings,
      forgotPassword: { email: true, phone: false },
      socialConnectors: [
        {
          id: 'github',
          target: 'github',
          platform: 'Universal',
          name: { en: 'GitHub' },
          logo: expect.any(String),
        },
      ],
    })
  })
})

describe('the calls of the pages', () => {
  it('are the twelve that the specification lists', async () => {
    const { paths } = (await (await app.fetch('/api/openapi.json')).json()) as {
      paths: Record<string, Record<string, unknown>>
    }
    const twelve = [
      'GET /api/.well-known/sign-in-exp',
      'GET /api/.well-known/phrases',
      'PUT /api/interaction',
      'PUT /api/interaction/event',
      'POST /api/interaction/submit',
      'PATCH /api/interaction/profile',
      'PUT /api/interaction/profile',
      'DELETE /api/interaction/profile',
      'PATCH /api/interaction/identifiers',
      'POST /api/interaction/verification/verification-code',
      'POST /api/interaction/verification/social-authorization-uri',
      'POST /api/interaction/consent',
    ]
    const isServed = (call: string) => {
      const [method = '', path = ''] = call.split(' ')
      return paths[path]?.[method.toLowerCase()] !== undefined
    }
    expect(twelve.filter((call) => !isServed(call))).toEqual([])
  })
})

describe('"the custom language map must include en"', () => {
  it.each([
    { name: { de: 'Unseres' }, status: 400 },
    { name: { en: 'Ours', de: 'Unseres' }, status: 200 },
    { name: { en: 'Ours', 'xx-YY': 'Nobody’s' }, status: 400 },
  ])('in the name $name of a connector: $status', async ({ name, status }) => {
    const config = {
      clientId: 'x',
      clientSecret: 'y',
      authorizationEndpoint: 'https://a.example/auth',
      tokenEndpoint: 'https://a.example/token',
      userInfoEndpoint: 'https://a.example/me',
    }
    const metadata = { target: 'ours', name }
    const body = { connectorId: 'oauth2', id: `ours-${status}`, config, metadata }
    expect((await operator.send('POST', '/connectors', body)).status).toBe(status)
  })
})
