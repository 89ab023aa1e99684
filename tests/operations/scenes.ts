import { expect } from 'vitest'
import { freshName } from '../kit/clients/cookie-client.ts'
import { everyMethod } from '../kit/tenant-settings.ts'
import { beginInteraction, freshEmail, freshPassword, type RecordedRun } from './recorded-client.ts'

/** Valid and invalid requests of users, applications and operators. */

export type SceneUser = { username: string; email: string; password: string }

const CALLBACK = 'http://localhost:9/callback'

export async function settingsScene({ manage }: RecordedRun): Promise<void> {
  const changed = await manage('PATCH', '/sign-in-exp', {
    signIn: { methods: everyMethod.filter(({ identifier }) => identifier !== 'phone') },
    signUp: { identifiers: ['username'], password: true, verify: false },
  })
  expect(changed.ok).toBe(true)
}

/**
 * Registers a user, signs in with right and wrong passwords and codes, and resets a forgotten password. Returns the
 * user.
 */
export async function userScene(walk: RecordedRun): Promise<SceneUser> {
  const username = freshName()
  const first = freshPassword()
  const email = freshEmail()
  const newcomer = await beginInteraction(walk)
  await newcomer.call('PUT', '', { event: 'Register', profile: { username, password: first } })
  await newcomer.enter()
  const [user] = (await (
    await walk.manage('GET', `/users?search.username=${username}&mode.username=exact`)
  ).json()) as { id: string }[]
  expect((await walk.manage('PATCH', `/users/${user?.id}`, { primaryEmail: email })).ok).toBe(true)

  const wrong = await beginInteraction(walk)
  const refused = await wrong.call('PUT', '', {
    event: 'SignIn',
    identifier: { username, password: freshPassword() },
  })
  expect(refused.status).toBe(422)

  const byCode = await beginInteraction(walk)
  await byCode.call('PUT', '', { event: 'SignIn' })
  await byCode.call('POST', '/verification/verification-code', { email })
  const code = await byCode.codeFor(email)
  const guess = code === '135790' ? '135791' : '135790'
  walk.secrets.add('wrong code', guess)
  expect((await byCode.call('PATCH', '/identifiers', { email, verificationCode: guess })).status).toBe(400)
  expect((await byCode.call('PATCH', '/identifiers', { email, verificationCode: code })).ok).toBe(true)
  await byCode.enter()

  const password = freshPassword()
  const forgetful = await beginInteraction(walk)
  await forgetful.call('PUT', '', { event: 'ForgotPassword' })
  await forgetful.call('POST', '/verification/verification-code', { email })
  await forgetful.call('PATCH', '/identifiers', { email, verificationCode: await forgetful.codeFor(email) })
  await forgetful.call('PATCH', '/profile', { password })
  expect((await forgetful.call('POST', '/submit')).ok).toBe(true)

  // Signs in without JavaScript, first with a wrong password and then with the right one, which starts a session.
  const plain = await beginInteraction(walk)
  await plain.form('/sign-in', { identifier: username })
  expect((await plain.form('/sign-in/password', { password: freshPassword() })).status).toBe(422)
  expect((await plain.form('/sign-in/password', { password })).status).toBe(303)
  return { username, email, password }
}

/** Uses every grant type and the issued tokens, tries wrong secrets and codes, and ends the session. */
export async function applicationScene(walk: RecordedRun, { username, password }: SceneUser): Promise<void> {
  const { site, make, token } = walk
  const app = await make('/applications', {
    name: 'Shop',
    type: 'Traditional',
    oidcClientMetadata: { redirectUris: [CALLBACK], postLogoutRedirectUris: [CALLBACK] },
  })
  const basic: [string, string] = [app.id, app.secret]
  const interaction = await beginInteraction(walk, {
    client_id: app.id,
    redirect_uri: CALLBACK,
    scope: 'openid profile email offline_access',
    prompt: 'consent',
  })
  await interaction.call('PUT', '', { event: 'SignIn', identifier: { username, password } })
  const exchange = {
    grant_type: 'authorization_code',
    code: await interaction.enter(),
    redirect_uri: CALLBACK,
    code_verifier: interaction.request.verifier,
  }
  expect(await token(exchange, [app.id, freshPassword()])).toMatchObject({ error: 'invalid_client' })
  expect(await token({ ...exchange, code_verifier: 'x'.repeat(43) }, basic)).toMatchObject({
    error: 'invalid_grant',
  })
  const again = await beginInteraction(walk, {
    client_id: app.id,
    redirect_uri: CALLBACK,
    scope: 'openid profile offline_access',
    prompt: 'consent',
  })
  await again.call('PUT', '', { event: 'SignIn', identifier: { username, password } })
  const code = await again.enter()
  const tokens = await token({ ...exchange, code, code_verifier: again.request.verifier }, basic)
  expect(tokens).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) })
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }
  const fresh = await token(refresh, basic)
  expect(fresh).toMatchObject({ access_token: expect.any(String) })

  const post = (path: string, form: Record<string, string>) =>
    site.fetch(path, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(basic.join(':'))}` },
      body: new URLSearchParams(form),
    })
  const { access_token: bearer = '' } = fresh
  expect((await site.fetch('/oidc/me', { headers: { authorization: `Bearer ${bearer}` } })).ok).toBe(true)
  expect((await site.fetch('/oidc/me', { headers: { authorization: `Bearer ${bearer}x` } })).status).toBe(401)
  expect((await post('/oidc/token/introspection', { token: bearer })).ok).toBe(true)
  const pushed = await post('/oidc/request', {
    client_id: app.id,
    response_type: 'code',
    scope: 'openid',
    redirect_uri: CALLBACK,
    state: 'x',
  })
  expect(pushed.ok).toBe(true)
  expect((await post('/oidc/token/revocation', { token: fresh.refresh_token ?? '' })).ok).toBe(true)
  expect(await token({ ...refresh, refresh_token: fresh.refresh_token ?? '' }, basic)).toMatchObject({
    error: 'invalid_grant',
  })

  const ending = await again.client.get(
    `/oidc/session/end?${new URLSearchParams({ id_token_hint: fresh.id_token ?? '', post_logout_redirect_uri: CALLBACK })}`,
    { accept: 'text/html' },
  )
  const xsrf = /name="xsrf"[^>]*value="([^"]+)"/.exec(await ending.text())?.[1] ?? ''
  walk.secrets.add('xsrf', xsrf)
  expect((await again.client.post('/oidc/session/end/confirm', { xsrf, logout: 'yes' })).status).toBe(303)
}

/** Makes calls to the account API as the user. */
export async function accountScene(walk: RecordedRun, { username, password }: SceneUser): Promise<void> {
  const interaction = await beginInteraction(walk, {
    scope: 'openid profile email phone custom_data identities',
  })
  await interaction.call('PUT', '', { event: 'SignIn', identifier: { username, password } })
  const { access_token: bearer } = await walk.token({
    grant_type: 'authorization_code',
    client_id: 'demo-app',
    code: await interaction.enter(),
    code_verifier: interaction.request.verifier,
    redirect_uri: interaction.request.redirectUri,
  })
  const call = (method: string, path: string, body?: unknown) =>
    walk.site.fetch(`/api/me${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  expect((await call('GET', '')).ok).toBe(true)
  expect((await call('POST', '/password/verify', { password: freshPassword() })).status).toBe(422)
  expect((await call('POST', '/password/verify', { password })).ok).toBe(true)
  const { id } = (await (await call('GET', '')).json()) as { id: string }
  const email = freshEmail()
  await walk.manage('PATCH', `/users/${id}`, { primaryEmail: email })
  expect((await call('POST', '/verification-codes', { email })).ok).toBe(true)
  const verificationCode = await interaction.codeFor(email)
  expect((await call('POST', '/verification-codes/verify', { email, verificationCode })).ok).toBe(true)
  expect((await call('POST', '/password', { password: freshPassword() })).ok).toBe(true)
}

/** Sends and receives every kind of secret that an operator handles. */
export async function operatorScene(walk: RecordedRun): Promise<void> {
  const { manage, make, secrets } = walk
  const machine = await make('/applications', { name: 'Job', type: 'MachineToMachine' })
  await manage('PATCH', `/applications/${machine.id}`, { isAdmin: true })
  const s3 = { provider: 'S3Storage', endpoint: 'https://s3.example', bucket: 'b', accessKeyId: 'k' }
  const storageProvider = { ...s3, accessSecretKey: freshPassword() }
  expect(
    (await manage('PATCH', '/configs/settings', { storageProvider, allowPrivateTargets: true })).status,
  ).toBe(200)
  const digest = `$sha256$${btoa(freshName()).replaceAll('=', '')}$${'a1b2'.repeat(10)}abc`
  secrets.add('digest', digest)
  const users = [
    { username: freshName(), passwordDigest: digest, passwordAlgorithm: 'SHA256' },
    { username: freshName(), password: freshPassword() },
    { username: '1 no name', password: freshPassword(), primaryEmail: freshEmail() },
  ]
  expect((await manage('POST', '/users/import', { users })).ok).toBe(true)
  const user = await make('/users', { username: freshName(), password: freshPassword() })
  expect((await manage('PATCH', `/users/${user.id}/password`, { password: freshPassword() })).ok).toBe(true)
  expect((await manage('POST', '/configs/signing-keys/rotate', {})).ok).toBe(true)
  expect((await manage('GET', '/configs/doctor')).ok).toBe(true)
  await manage('POST', '/verification-codes', { email: freshEmail() })
  await manage('GET', '/users/unknown')
  await manage('DELETE', `/users/${user.id}`)
}

/** Sends invalid requests that contain secrets. */
export async function invalidRequestScene({ site, manage }: RecordedRun): Promise<void> {
  const secret = freshPassword()
  const body = `{"event":"SignIn","identifier":{"username":"ann","password":"${secret}"`
  const json = { 'content-type': 'application/json' }
  await site.fetch('/api/interaction', { method: 'PUT', headers: json, body })
  await site.fetch(`/api/interaction?password=${encodeURIComponent(secret)}`, {
    method: 'PUT',
    headers: json,
    body,
  })
  await site.fetch('/api/users', { headers: { authorization: `Bearer ${secret}` } })
  await site.fetch('/oidc/token', { method: 'POST', headers: json, body })
  await site.fetch('/oidc/token', {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('unknown')}${secret.slice(-8)}` },
    body,
  })
  await site.fetch(`/oidc/auth?client_id=unknown&id_token_hint=${encodeURIComponent(secret)}`)
  await site.fetch(`/sign-in?password=${encodeURIComponent(secret)}`, { headers: { accept: 'text/html' } })
  await site.fetch('/sign-in', { method: 'POST', body: new URLSearchParams({ password: secret }) })
  await site.fetch(`/callback/unknown?code=${encodeURIComponent(secret)}&state=x`)
  await manage('POST', '/users', { username: 'x', password: { deep: [secret] } })
  await manage('POST', '/connectors', { connectorId: 'http-email', config: { endpoint: 1, secret } })
  await manage('POST', '/users', { username: `\u0000${freshName()}`, password: secret })
}
