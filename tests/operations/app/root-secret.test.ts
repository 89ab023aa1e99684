import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  openSignInPage,
  redeemCode,
  registerAccount,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { newReceiver } from '../../kit/receiver.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests the replacement of the root secret (docs/operations/runbook.md). Data sealed with the old secret remains
 * readable and is resealed. Afterwards, the old secret is no longer needed.
 */

const OLD = 'the root secret that has been in use for years'
const NEW = 'the root secret that takes its place from now on'

const withOld = () => openTestApp({ ROOT_SECRET: OLD })
const withBoth = () => openTestApp({ ROOT_SECRET: NEW, ROOT_SECRET_PREVIOUS: OLD })
const withNew = () => openTestApp({ ROOT_SECRET: NEW })

const forgetAll = async () => {
  const { DB } = openTestApp().env
  await DB.batch(
    ['connectors', 'hooks', 'configs', 'outbox'].map((table) => DB.prepare(`delete from ${table}`)),
  )
}
beforeEach(forgetAll)
afterEach(forgetAll)

const MAIL_PASSWORD = 'what the mail provider knows us by'
const connector = {
  id: 'mail',
  connectorId: 'http-email',
  config: { endpoint: 'https://mail.example/send', authentication: 'Bearer', secret: MAIL_PASSWORD },
}

/** Creates every kind of data that is sealed with the root secret. */
async function createFixtures(app: TestApp) {
  const operator = await newOperator(app)
  const receiver = await newReceiver()
  await operator.send('PATCH', '/configs/settings', { allowPrivateTargets: true })
  const responses = [
    await operator.send('POST', '/connectors', connector),
    await operator.send('POST', '/hooks', {
      id: 'crm',
      event: 'PostRegister',
      config: { url: receiver.url, retries: 0, headers: { 'x-key': 'what the receiver knows us by' } },
    }),
    await operator.send('PATCH', '/configs/settings', {
      storageProvider: {
        provider: 'S3Storage',
        bucket: 'b',
        endpoint: 'https://s3.example',
        accessKeyId: 'id',
        accessSecretKey: 'what S3 knows us by',
      },
    }),
  ]
  for (const answer of responses)
    expect([answer.status, answer.ok ? '' : await answer.text()]).toEqual([200, ''])
  return { receiver, hook: (await responses[1]?.json()) as { secret: string } }
}

const doctor = async (app: TestApp) => {
  const operator = await newOperator(app)
  return (await (await operator.get('/configs/doctor')).json()) as {
    connectors: { id: string; problem: string | null }[]
    uploads: { problem: string | null }
  }
}

describe('replacing the root secret', () => {
  it('keeps sessions and interactions in progress', async () => {
    const old = withOld()
    const client = newCookieClient(old)
    const request = await authorizationRequest()
    const uid = await openSignInPage(client, request)
    const name = freshName()
    const answer = await resumeAuthorization(client, await registerAccount(client, uid, name))
    expect((await redeemCode(old, request, answer.searchParams.get('code') ?? '')).status).toBe(200)
    const started = newCookieClient(old)
    const unfinished = await authorizationRequest()
    const openUid = await openSignInPage(started, unfinished)

    const now = withBoth()
    const same = { ...newCookieClient(now), cookies: client.cookies }
    const again = newCookieClient(now)
    for (const [key, value] of same.cookies) again.cookies.set(key, value)
    const silent = await again.get((await authorizationRequest({ prompt: 'none' })).url)
    expect(new URL(silent.headers.get('location') ?? '').searchParams.get('code')).toBeTruthy()

    const goesOn = newCookieClient(now)
    for (const [key, value] of started.cookies) goesOn.cookies.set(key, value)
    const back = await resumeAuthorization(goesOn, await registerAccount(goesOn, openUid, freshName()))
    expect(back.searchParams.get('code')).toBeTruthy()

    // The library has re-signed this browser's cookies, so they no longer depend on the old secret.
    const later = newCookieClient(withNew())
    for (const [key, value] of again.cookies) later.cookies.set(key, value)
    const still = await later.get((await authorizationRequest({ prompt: 'none' })).url)
    expect(new URL(still.headers.get('location') ?? '').searchParams.get('code')).toBeTruthy()
    // A browser that has made no request since the replacement must sign in again.
    const other = newCookieClient(withNew())
    for (const [key, value] of client.cookies) other.cookies.set(key, value)
    const refused = await other.get((await authorizationRequest({ prompt: 'none' })).url)
    expect(new URL(refused.headers.get('location') ?? '').searchParams.get('error')).toBe('login_required')
  })

  it('makes stored data unreadable if the old secret is removed before all data is resealed', async () => {
    await createFixtures(withOld())
    const broken = withNew()
    const answer = await broken.fetch('/oidc/jwks')
    expect(answer.status).toBe(500)
  })

  it('reseals stored data on schedule, after which the old secret can be deleted', async () => {
    const { receiver, hook } = await createFixtures(withOld())
    const app = withBoth()
    expect(await doctor(app)).toMatchObject({
      connectors: [{ id: 'mail', problem: null }],
      uploads: { problem: null },
    })
    await app.sweep()

    const later = withNew()
    expect((await doctor(later)).connectors).toEqual([expect.objectContaining({ id: 'mail', problem: null })])
    const operator = await newOperator(later)
    const settings = await (await operator.get('/configs/settings')).json()
    expect(settings).toMatchObject({ storageProvider: { provider: 'S3Storage' } })
    const storedHook = await (await operator.get('/hooks/crm')).json()
    expect(storedHook).toMatchObject({ config: { headers: { 'x-key': 'what the receiver knows us by' } } })
    // Webhook deliveries are still signed with the secret that the receiver knows.
    const client = newCookieClient(later)
    await resumeAuthorization(
      client,
      await registerAccount(client, await openSignInPage(client, await authorizationRequest()), freshName()),
    )
    const [delivery] = await receiver.received()
    expect(delivery?.headers['x-key']).toBe('what the receiver knows us by')
    expect(() => new Webhook(hook.secret).verify(delivery?.body ?? '', delivery?.headers ?? {})).not.toThrow()
  })

  it('leaves data that is already sealed with the new secret unchanged', async () => {
    await createFixtures(withOld())
    const app = withBoth()
    const stored = () =>
      app.env.DB.prepare('select config from connectors union all select secret from hooks order by 1').raw()
    const before = await stored()
    await app.sweep()
    const first = await stored()
    expect(first).not.toEqual(before)
    await app.sweep()
    expect(await stored()).toEqual(first)
  })
})
