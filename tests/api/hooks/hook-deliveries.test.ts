import { Webhook } from 'standardwebhooks'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  openSignInPage,
  registerAccount,
  resumeAuthorization,
  signIn,
} from '../../kit/clients/cookie-client.ts'
import { beginInteraction, freshEmail } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { newReceiver, type Receiver } from '../../kit/receiver.ts'
import type { ReceivedCall } from '../../kit/receiver-server.ts'
import { shortDeadlines } from '../../kit/short-deadlines.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
})

afterEach(async () => {
  await app.env.DB.prepare('delete from hooks').run()
})

type Hook = { id: string; secret: string }

async function hookFor(
  receiver: Pick<Receiver, 'url'>,
  { event = 'PostRegister', ...config }: { event?: string; retries?: number; headers?: object } = {},
): Promise<Hook> {
  const response = await operator.send('POST', '/hooks', {
    event,
    config: { url: receiver.url, retries: 0, ...config },
  })
  expect(response.status).toBe(200)
  return response.json()
}

/** Registers a user through the demo application or another application. */
async function registerUser(parameters: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const client = newCookieClient(app)
  const username = freshName()
  const uid = await openSignInPage(client, await authorizationRequest(parameters))
  const allHeaders = { Interaction: uid, ...headers }
  const profile = { username, password: 'correct-horse-7' }
  await client.send('PUT', '/api/interaction', { event: 'Register', profile }, allHeaders)
  const submitted = await client.send('POST', '/api/interaction/submit', undefined, allHeaders)
  expect(submitted.status).toBe(200)
  return { client, username, uid, submitted }
}

const verify = ({ secret }: Hook, { body, headers }: ReceivedCall): unknown =>
  new Webhook(secret).verify(body, headers)

/** Makes all pending deliveries due. */
const makeRetriesDue = () =>
  app.env.DB.prepare("update outbox set next_attempt_at = 0 where status = 'pending'").run()

const outboxOf = async ({ id }: Hook) => {
  const { results } = await app.env.DB.prepare(
    'select id, status, attempts, next_attempt_at - created_at as wait from outbox where hook_id = ?',
  )
    .bind(id)
    .all<{ id: string; status: string; attempts: number; wait: number }>()
  return results
}

const logsOf = async ({ id }: Hook, key = 'TriggerHook.PostRegister') => {
  const logs = (await (await operator.get(`/logs?logKey=${key}&page_size=100`)).json()) as {
    payload: Record<string, unknown>
  }[]
  return logs.map(({ payload }) => payload).filter(({ hookId }) => hookId === id)
}

describe('the receiver of a hook', () => {
  it('[ASVS-4.1.5] gets a signed message with the new user after a registration', async () => {
    const receiver = await newReceiver()
    const hook = await hookFor(receiver)
    const { username, uid } = await registerUser({}, { 'user-agent': 'Test Browser' })

    const [delivery, ...others] = await receiver.received()
    expect(others).toEqual([])
    expect(delivery?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Vestibule',
      'webhook-id': expect.stringMatching(/^msg_\w+$/),
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    })
    expect(delivery && verify(hook, delivery)).toEqual({
      hookId: hook.id,
      event: 'PostRegister',
      interactionEvent: 'Register',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      sessionId: uid,
      userAgent: 'Test Browser',
      userId: expect.stringMatching(/^\w{12}$/),
      user: {
        id: expect.stringMatching(/^\w{12}$/),
        username,
        primaryEmail: null,
        primaryPhone: null,
        name: null,
        avatar: null,
        customData: {},
        termsAgreement: null,
        identities: {},
        lastSignInAt: expect.any(Number),
        createdAt: expect.any(Number),
        applicationId: null,
        emailVerified: false,
        phoneVerified: false,
        isSuspended: false,
        profile: {},
        profileUpdatedAt: null,
      },
    })
    expect((await outboxOf(hook)).map(({ status }) => status)).toEqual(['delivered'])
  })

  it('gets a message after a sign-in that names the application, unless the application is built in', async () => {
    const receiver = await newReceiver()
    const created = await operator.send('POST', '/applications', {
      name: 'Shop',
      type: 'SPA',
      oidcClientMetadata: { redirectUris: ['https://shop.example/back'], postLogoutRedirectUris: [] },
    })
    const { id } = (await created.json()) as { id: string }
    const request = { client_id: id, redirect_uri: 'https://shop.example/back' }
    const { client, username, submitted } = await registerUser(request)
    await resumeAuthorization(client, submitted)

    const hook = await hookFor(receiver, { event: 'PostSignIn' })
    const other = newCookieClient(app)
    await signIn(other, await openSignInPage(other, await authorizationRequest(request)), username)

    const [delivery] = await receiver.received()
    expect(delivery && verify(hook, delivery)).toMatchObject({
      event: 'PostSignIn',
      interactionEvent: 'SignIn',
      user: { username, applicationId: id },
      application: { id, type: 'SPA', name: 'Shop', description: null },
    })
  })

  it('gets a message only once a password reset is complete', async () => {
    const { username } = await registerUser()
    const [user] = (await (await operator.get(`/users?search.username=${username}`)).json()) as {
      id: string
    }[]
    const email = freshEmail()
    await operator.send('PATCH', `/users/${user?.id}`, { primaryEmail: email })
    const receiver = await newReceiver()
    const hook = await hookFor(receiver, { event: 'PostResetPassword' })

    const interaction = await beginInteraction(app)
    await interaction.start('ForgotPassword')
    await interaction.prove({ email })
    expect((await interaction.submit()).status).toBe(422)
    expect(await receiver.received()).toEqual([])
    await interaction.call('PUT', '/profile', { password: 'other-horse-8' })
    expect((await interaction.submit()).status).toBe(204)

    const [delivery, ...others] = await receiver.received()
    expect(others).toEqual([])
    expect(delivery && verify(hook, delivery)).toMatchObject({
      event: 'PostResetPassword',
      interactionEvent: 'ForgotPassword',
      sessionId: interaction.uid,
      userId: user?.id,
      user: { id: user?.id, primaryEmail: email },
    })
    expect(delivery?.body).not.toMatch(/other-horse-8|argon2/i)
  })

  it('gets no messages about other events or rejected submissions', async () => {
    const receiver = await newReceiver()
    await hookFor(receiver, { event: 'PostSignIn' })
    const { username } = await registerUser()
    await hookFor(receiver)
    const client = newCookieClient(app)
    const rejected = await registerAccount(
      client,
      await openSignInPage(client, await authorizationRequest()),
      username,
    )
    expect(rejected.status).toBe(422)
    expect(await receiver.received()).toEqual([])
  })

  it('gets only one message if an interaction is submitted twice concurrently', async () => {
    const receiver = await newReceiver()
    await hookFor(receiver)
    const client = newCookieClient(app)
    const headers = { Interaction: await openSignInPage(client, await authorizationRequest()) }
    const profile = { username: freshName(), password: 'correct-horse-7' }
    await client.send('PUT', '/api/interaction', { event: 'Register', profile }, headers)
    const submit = () => client.send('POST', '/api/interaction/submit', undefined, headers)
    const statuses = (await Promise.all([submit(), submit(), submit()])).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(await receiver.received()).toHaveLength(1)
  })

  it('gets the hook’s custom headers, except those that would override built-in ones', async () => {
    const receiver = await newReceiver()
    const hook = await hookFor(receiver, {
      headers: {
        Authorization: 'Bearer me',
        'User-Agent': 'Mine',
        'Webhook-Id': 'mine',
        'WEBHOOK-SIGNATURE': 'v1,mine',
        'webhook-timestamp': '1',
        'Content-Type': 'text/plain',
        'Content-Length': '1',
        Host: 'elsewhere.example',
      },
    })
    await registerUser()
    const [delivery] = await receiver.received()
    expect(delivery?.headers).toMatchObject({
      authorization: 'Bearer me',
      'user-agent': 'Mine',
      'content-type': 'application/json',
      host: new URL(receiver.url).host,
    })
    expect(delivery && verify(hook, delivery)).toMatchObject({ event: 'PostRegister' })
  })

  it('is notified without an additional database round trip when an interaction completes', async () => {
    await hookFor(await newReceiver())
    const client = newCookieClient(app)
    const uid = await openSignInPage(client, await authorizationRequest())
    const profile = { username: freshName(), password: 'correct-horse-7' }
    await client.send('PUT', '/api/interaction', { event: 'Register', profile }, { Interaction: uid })
    app.trips()
    await client.send('POST', '/api/interaction/submit', undefined, { Interaction: uid })
    expect(app.trips().awaited).toBe(2)
  })
})

describe('the receiver of a failed delivery', () => {
  it.each([
    { what: 'is down', manner: { isDown: true }, error: /./, response: undefined },
    {
      what: 'fails',
      manner: { status: 500, body: '{"why":"no","token":"abc"}' },
      error: /responded with 500/,
      response: { statusCode: 500, body: { why: '******', token: '******' } },
    },
  ])('gets the same message again later if it $what', async ({ manner, error, response }) => {
    const receiver = await newReceiver(manner)
    const hook = await hookFor(receiver)
    await registerUser()
    expect(await outboxOf(hook)).toMatchObject([
      { status: 'pending', attempts: 1, wait: expect.closeTo(60_000, -4) },
    ])

    await app.sweep()
    expect((await outboxOf(hook)).map(({ attempts }) => attempts)).toEqual([1])

    await receiver.behave({ body: 'x'.repeat(20_000), status: 200 })
    await makeRetriesDue()
    await app.sweep()
    const [delivery] = await outboxOf(hook)
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 2 })

    const accepted = (await receiver.received()).filter(({ answered }) => answered === 200)
    expect(accepted.map(({ headers }) => headers['webhook-id'])).toEqual([delivery?.id])
    expect(accepted[0] && verify(hook, accepted[0])).toMatchObject({ hookId: hook.id })

    const [second, first] = await logsOf(hook)
    expect(first).toMatchObject({
      key: 'TriggerHook.PostRegister',
      deliveryId: delivery?.id,
      result: 'Error',
      error: expect.stringMatching(error),
      json: { event: 'PostRegister', hookId: hook.id },
    })
    expect(first?.response).toEqual(response)
    expect(second).toMatchObject({ result: 'Success', response: { statusCode: 200, body: 'x'.repeat(8192) } })
    expect(second).not.toHaveProperty('error')
  })

  it('is called again immediately after a failure, as many times as the hook is configured to retry', async () => {
    const receiver = await newReceiver({ status: 503 })
    const hook = await hookFor(receiver, { retries: 2 })
    await registerUser()
    const received = await receiver.received()
    expect(received).toHaveLength(3)
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(await logsOf(hook)).toHaveLength(3)
    // The immediate attempts count as one scheduled attempt.
    expect(await outboxOf(hook)).toMatchObject([{ status: 'pending', attempts: 1 }])
  })

  it('must respond within ten seconds', async () => {
    const receiver = await newReceiver({ delay: 120_000 })
    const hook = await hookFor(receiver)
    const deadlines = shortDeadlines()
    await registerUser()
    expect(deadlines()).toContain(10_000)
    expect(await logsOf(hook)).toMatchObject([
      { result: 'Error', error: expect.stringMatching(/timeout|aborted/i) },
    ])
    expect(await outboxOf(hook)).toMatchObject([{ status: 'pending' }])
  })

  it('must not redirect, because redirects are not followed', async () => {
    const elsewhere = await newReceiver()
    const receiver = await newReceiver({ status: 307, location: elsewhere.url })
    const hook = await hookFor(receiver)
    await registerUser()
    expect(await elsewhere.received()).toEqual([])
    expect(await logsOf(hook)).toMatchObject([
      { result: 'Error', error: 'The receiver responded with 307', response: { statusCode: 307 } },
    ])
  })

  it('is not called at a private address once private targets are forbidden', async () => {
    const receiver = await newReceiver()
    const hook = await hookFor(receiver, { event: 'User.Created' })
    const production = openTestApp({ ENVIRONMENT: 'production' }, { hasCalmDatabase: true })
    const { send } = await newOperator(production)
    await send('POST', '/users', { username: freshName() })
    expect(await receiver.received()).toEqual([])
    expect(await logsOf(hook, 'TriggerHook.User.Created')).toMatchObject([
      { result: 'Error', error: 'The address must use https' },
    ])
    await send('PATCH', '/configs/settings', { allowPrivateTargets: true })
    try {
      await makeRetriesDue()
      await production.sweep()
      expect(await receiver.received()).toHaveLength(1)
    } finally {
      await send('PATCH', '/configs/settings', { allowPrivateTargets: false })
    }
  })

  it('gets each message once even if scheduled runs overlap', async () => {
    const receiver = await newReceiver({ isDown: true })
    const hook = await hookFor(receiver)
    for (let count = 0; count < 5; count++) await registerUser()
    await receiver.behave({ delay: 200 })
    await makeRetriesDue()
    await Promise.all(Array.from({ length: 4 }, () => app.sweep()))
    const ids = (await receiver.received()).map(({ headers }) => headers['webhook-id'])
    expect(ids).toHaveLength(5)
    expect(new Set(ids).size).toBe(5)
    expect((await outboxOf(hook)).map(({ status, attempts }) => [status, attempts])).toEqual(
      Array.from({ length: 5 }, () => ['delivered', 2]),
    )
  })

  it('gets a message again with the same id if its successful delivery was not recorded', async () => {
    const receiver = await newReceiver()
    const hook = await hookFor(receiver)
    // Simulate a sender that crashes between claiming the message and recording the outcome.
    await app.env.DB.prepare(
      "create trigger lost before update of status on outbox begin select raise(abort, 'lost'); end",
    ).run()
    await registerUser()
    await app.env.DB.prepare('drop trigger lost').run()
    expect(await outboxOf(hook)).toMatchObject([{ status: 'pending', attempts: 1 }])
    await makeRetriesDue()
    await app.sweep()
    const ids = (await receiver.received()).map(({ headers }) => headers['webhook-id'])
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
    expect(await outboxOf(hook)).toMatchObject([{ status: 'delivered', attempts: 2 }])
  })
})

describe('a delivery that has been failing for 24 hours', () => {
  /** Makes the retries of a delivery fail from the given one on. Earlier ones are only counted. */
  async function failDelivery(firstRetry: number) {
    const receiver = await newReceiver({ status: 500 })
    const hook = await hookFor(receiver)
    await registerUser()
    await app.env.DB.prepare('update outbox set attempts = ? where hook_id = ?')
      .bind(firstRetry - 1, hook.id)
      .run()
    for (let tries = firstRetry; tries <= 12; tries++) {
      await makeRetriesDue()
      await app.sweep()
    }
    return { receiver, hook }
  }

  it('is listed as failed, is not retried automatically and can be resent', async () => {
    const { receiver, hook } = await failDelivery(2)
    expect(await receiver.received()).toHaveLength(12)
    await makeRetriesDue()
    await app.sweep()
    expect(await receiver.received()).toHaveLength(12)

    const response = await operator.get(`/hooks/${hook.id}/deliveries`)
    expect([response.status, response.headers.get('total-number')]).toEqual([200, '1'])
    const [delivery] = (await response.json()) as { id: string }[]
    expect(delivery).toEqual({
      id: expect.stringMatching(/^msg_/),
      event: 'PostRegister',
      status: 'failed',
      attempts: 12,
      payload: expect.objectContaining({ hookId: hook.id }),
      createdAt: expect.any(Number),
    })

    await receiver.behave({})
    const resend = () => operator.send('POST', `/hooks/${hook.id}/deliveries/${delivery?.id}/resend`)
    expect((await resend()).status).toBe(204)
    const ids = (await receiver.received()).map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size]).toEqual([13, 1])
    expect(await outboxOf(hook)).toMatchObject([{ status: 'delivered', attempts: 1 }])
    expect((await resend()).status).toBe(404)
    expect(await (await operator.get(`/hooks/${hook.id}/deliveries`)).json()).toEqual([])
  })

  it('is deleted when its hook is deleted', async () => {
    const { hook } = await failDelivery(12)
    expect(await outboxOf(hook)).toMatchObject([{ status: 'failed', attempts: 12 }])
    expect((await operator.send('DELETE', `/hooks/${hook.id}`)).status).toBe(204)
    expect(await outboxOf(hook)).toEqual([])
    expect((await operator.get(`/hooks/${hook.id}/deliveries`)).status).toBe(404)
  })
})
