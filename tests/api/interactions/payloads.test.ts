import { beforeAll, describe, expect, it } from 'vitest'
import type { SignUp } from '../../../src/contract/experience/experience.ts'
import { freshName, PASSWORD, resumeAuthorization } from '../../kit/clients/cookie-client.ts'
import { beginInteraction, freshEmail, freshPhone } from '../../kit/clients/interaction-client.ts'
import {
  beginSocialInteraction,
  installUpstream,
  newProviderAccount,
} from '../../kit/clients/social-client.ts'
import { everyMethod, setExperience } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** The twelve calls with the payloads and answers of the original specification. Each title quotes it. */

describe('the payloads of the calls, and the redirectTo in their answers', () => {
  let app: TestApp
  const identifier = { username: freshName(), password: PASSWORD }
  beforeAll(async () => {
    app = openTestApp()
    await installUpstream(app, ['oidc'])
    const signUp: SignUp = { identifiers: ['username'], password: true, verify: false }
    await setExperience(app, { methods: everyMethod, signUp })
    app = openTestApp()
  })

  const redirect = { redirectTo: expect.stringMatching(/^https?:/) }
  const jsonOf = async (answer: Response) => [answer.status, await answer.json()]

  it('"optional query no_cache" and "query lng, optional no_cache", which the settings and phrases answer', async () => {
    expect((await app.fetch('/api/.well-known/sign-in-exp?no_cache')).status).toBe(200)
    const phrases = await app.fetch('/api/.well-known/phrases?lng=de&no_cache', {
      headers: { 'accept-language': 'fr' },
    })
    expect([phrases.status, phrases.headers.get('content-language')]).toEqual([200, 'de'])
  })

  it('"{event, profile:{username, optional password}} for register", and "PATCH profile {password}"', async () => {
    const { call, submit } = await beginInteraction(app)
    const profile = { username: identifier.username }
    expect((await call('PUT', '', { event: 'Register', profile })).status).toBe(204)
    expect((await call('PATCH', '/profile', { password: PASSWORD })).status).toBe(204)
    expect(await jsonOf(await submit())).toEqual([200, redirect])
    const whole = { event: 'Register', profile: { username: freshName(), password: PASSWORD } }
    const other = await beginInteraction(app)
    expect((await other.call('PUT', '', whole)).status).toBe(204)
    expect(await jsonOf(await other.submit())).toEqual([200, redirect])
  })

  it('"{event, identifier} for sign-in", then "POST consent" with "none"', async () => {
    const { client, call, submit } = await beginInteraction(app, undefined, { prompt: 'login consent' })
    expect((await call('PUT', '', { event: 'SignIn', identifier })).status).toBe(204)
    const submitted = await submit()
    const consent = (await resumeAuthorization(client, submitted)).searchParams.get('interaction') ?? ''
    const headers = { Interaction: consent }
    const consented = await client.send('POST', '/api/interaction/consent', undefined, headers)
    expect(await jsonOf(consented)).toEqual([200, redirect])
  })

  it('"or {event}", "PUT event {event}", "POST verification-code {email} or {phone}", and "identifier with verificationCode"', async () => {
    const { call, prove } = await beginInteraction(app)
    for (const event of ['ForgotPassword', 'SignIn'])
      expect((await call('PUT', '', { event })).status).toBe(204)
    expect((await call('PUT', '/event', { event: 'Register' })).status).toBe(204)
    expect((await prove({ email: freshEmail() })).status).toBe(204)
    expect((await prove({ phone: freshPhone() })).status).toBe(204)
  })

  it('"{connectorId, state, redirectUri}", "connector data", "PUT profile {connectorId}" and "DELETE profile" with "none"', async () => {
    const social = await beginSocialInteraction(app)
    await social.start('SignIn')
    expect(await jsonOf(await social.ask('oidc'))).toEqual([200, redirect])
    const proved = await social.proveBy('oidc', await newProviderAccount())
    expect(proved.status).toBe(204)
    expect((await social.call('PUT', '/event', { event: 'Register' })).status).toBe(204)
    expect((await social.call('PUT', '/profile', { connectorId: 'oidc' })).status).toBe(204)
    expect((await social.call('DELETE', '/profile')).status).toBe(204)
  })
})
