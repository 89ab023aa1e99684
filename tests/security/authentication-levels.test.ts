import { decodeJwt } from 'jose'
import { beforeAll, expect, it } from 'vitest'
import { DEMO_APP_ID } from '../../src/contract/product.ts'
import { ALL_SCOPES, asBearer, newMember } from '../kit/clients/account-client.ts'
import {
  authorizationRequest,
  freshName,
  redeemCode,
  resumeAuthorization,
} from '../kit/clients/cookie-client.ts'
import { freshEmail, outcomeOf } from '../kit/clients/interaction-client.ts'
import {
  addUser,
  beginSocialInteraction,
  installUpstream,
  newProviderAccount,
} from '../kit/clients/social-client.ts'
import { everyMethod, setExperience } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/**
 * A token must not claim a higher level or a later time than the sign-in that it is based on
 * (spec/provider#authentication-levels, spec/accounts#recent-verification).
 */
let app: TestApp
beforeAll(async () => {
  await setExperience(openTestApp(), { methods: everyMethod })
  app = openTestApp()
  await installUpstream(app, ['oidc'])
})

it('the level of a sign-in counts a social account and the address from its provider as a single factor', async () => {
  const email = freshEmail()
  const { id } = await newProviderAccount({ email, isVerified: true })
  const user = await addUser(app, { email, identity: ['oidc', id] })
  await app.env.DB.prepare(
    `update users set username = ?, password_encrypted = 'x', password_encryption_method = 'Argon2id' where id = ?`,
  )
    .bind(freshName(), user)
    .run()
  const flow = await beginSocialInteraction(app)
  await flow.start('SignIn')
  expect((await flow.proveBy('oidc', { id })).status).toBe(204)
  expect((await flow.call('PATCH', '/identifiers', { connectorId: 'oidc', email })).status).toBe(204)
  await resumeAuthorization(flow.client, await flow.submit())

  const request = await authorizationRequest({ scope: 'openid', prompt: 'none' })
  const answer = await flow.client.get(request.url)
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const { id_token: idToken } = (await (await redeemCode(app, request, code)).json()) as { id_token: string }
  expect(decodeJwt(idToken)).toMatchObject({ acr: 'urn:vestibule:acr:1fa', amr: [] })
})

it('a refreshed token has the level of its original sign-in, not of a later one', async () => {
  const scope = `${ALL_SCOPES} offline_access`
  const parameters = { max_age: '600', prompt: 'consent' }
  const request = await authorizationRequest({ scope, ...parameters })
  const member = await newMember(app)
  const redirect = await member.client.get(request.url)
  const uid =
    new URL(redirect.headers.get('location') ?? '', app.origin).searchParams.get('interaction') ?? ''
  const consented = await member.client.send('POST', '/api/interaction/consent', undefined, {
    Interaction: uid,
  })
  const code = (await resumeAuthorization(member.client, consented)).searchParams.get('code') ?? ''
  const first = (await (await redeemCode(app, request, code)).json()) as { refresh_token: string }
  await app.env.DB.prepare(
    `update oidc_model_instances set payload = json_set(payload, '$.loginTs', payload ->> '$.loginTs' - 7200,
     '$.authTime', payload ->> '$.authTime' - 7200)
     where model_name in ('Session', 'RefreshToken') and payload ->> '$.accountId' = ?`,
  )
    .bind(member.userId)
    .run()

  await newMember(app, { client: member.client, username: member.username, parameters: { prompt: 'login' } })
  const refreshed = await app.fetch('/oidc/token', {
    method: 'POST',
    body: new URLSearchParams({
      client_id: DEMO_APP_ID,
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token,
    }),
  })
  const { access_token: token } = (await refreshed.json()) as { access_token: string }
  const set = await asBearer(app, token)('POST', '/password', { password: 'wagon-silver-4-lamp' })
  expect(await outcomeOf(set)).toEqual([401, 'auth.insufficient_user_authentication', { maxAge: 600 }])
})
