import { beforeAll, describe, expect, it } from 'vitest'
import { ORIGIN } from '../kit/cookie-client.ts'
import { outcomeOf } from '../kit/interaction-client.ts'
import { newOperator, type Operator } from '../kit/management-client.ts'
import {
  addUser,
  beginSocialInteraction,
  installUpstream,
  newProviderAccount,
  type SocialClient,
  userById,
} from '../kit/social-client.ts'
import { setExperience } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { newClient } from './parties.ts'

const OURS = `${ORIGIN}/callback/oidc`
const APP = 'com.example.shop://social'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  await setExperience(app, { signUp: { identifiers: [], password: false, verify: false } })
  await installUpstream(app, ['oidc'])
  await newClient(app, 'Native', { redirectUri: APP })
  await newClient(app, 'Traditional', { redirectUri: 'https://shop.example/back' })
})

const offer = async (...targets: string[]) => {
  const answer = await operator.send('PATCH', '/sign-in-exp', { socialSignInConnectorTargets: targets })
  expect(answer.status).toBe(200)
}

const started = async (event: 'SignIn' | 'Register' = 'SignIn') => {
  const flow = await beginSocialInteraction(app)
  expect((await flow.start(event)).status).toBe(204)
  return flow
}

describe('the redirect URI of a social sign-in', () => {
  const ask = (flow: SocialClient, redirectUri: string) =>
    flow.call('POST', '/verification/social-authorization-uri', {
      connectorId: 'oidc',
      state: `${flow.uid}.0123456789abc`,
      redirectUri,
    })

  it.each([
    'https://evil.example/callback/oidc',
    'https://shop.example/back',
    `${ORIGIN}/callback/another`,
    `${ORIGIN}/demo-app`,
    `${OURS}?next=https://evil.example`,
    `${OURS}/`,
    'com.example.other://social',
    `${APP}/x`,
  ])('is not %s', async (redirectUri) => {
    expect((await outcomeOf(await ask(await started(), redirectUri))).slice(0, 2)).toEqual([
      422,
      'guard.invalid_input',
    ])
  })

  it.each([OURS, APP])('may be %s', async (redirectUri) => {
    const asked = await ask(await started(), redirectUri)
    expect(asked.status).toBe(200)
    const { redirectTo } = (await asked.json()) as { redirectTo: string }
    expect(new URL(redirectTo).searchParams.get('redirect_uri')).toBe(redirectUri)
  })
})

describe('a connector that the experience does not offer', () => {
  const notOffered = [422, 'session.invalid_connector_id']
  const refusal = async (answer: Promise<Response>) => (await outcomeOf(await answer)).slice(0, 2)

  it('cannot be started', async () => {
    const flow = await started()
    await offer()
    expect(await refusal(flow.ask('oidc'))).toEqual(notOffered)
    await offer('oidc')
  })

  it('cannot be answered', async () => {
    const flow = await started()
    const person = await newProviderAccount({ email: 'ann@example.com' })
    const data = await flow.signInAtProvider('oidc', person)
    await offer()
    expect(await refusal(flow.show('oidc', data))).toEqual(notOffered)
    expect(
      await refusal(flow.call('PATCH', '/identifiers', { connectorId: 'oidc', email: 'ann@example.com' })),
    ).toEqual(notOffered)
    await offer('oidc')
  })

  it('cannot be linked with or signed in by, also after it was answered', async () => {
    const person = await newProviderAccount()
    const signingIn = await started()
    const owner = await addUser(app, { identity: ['oidc', person.id] })
    expect((await signingIn.proveBy('oidc', person)).status).toBe(204)
    const registering = await started('Register')
    expect((await registering.proveBy('oidc', await newProviderAccount())).status).toBe(204)
    expect((await registering.call('PATCH', '/profile', { connectorId: 'oidc' })).status).toBe(204)
    const users = async () =>
      (await app.env.DB.prepare('select count(*) as n from users').first('n')) as number
    const before = await users()
    await offer()
    expect(await refusal(signingIn.submit())).toEqual([404, 'entity.not_found'])
    expect(await refusal(registering.submit())).toEqual([404, 'entity.not_found'])
    expect([await users(), (await userById(app, owner))?.last_sign_in_at]).toEqual([before, null])
    await offer('oidc')
  })
})
