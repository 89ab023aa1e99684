import { beforeAll, describe, expect, it } from 'vitest'
import { findMessageFactory } from '../../../src/outbound/index.ts'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  openSignInPage,
} from '../../kit/clients/cookie-client.ts'
import { beginInteraction, outcomeOf, receivedMessages } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { everyMethod, setExperience } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests that every module parses addresses the same way. Otherwise one module could see several addresses where another
 * sees one.
 */

let app: TestApp
let operator: Operator
beforeAll(async () => {
  await setExperience(openTestApp(), {
    methods: everyMethod,
    signUp: { identifiers: ['email'], password: false, verify: true },
  })
  app = openTestApp()
  operator = await newOperator(app)
})

const invalid = [400, 'guard.invalid_input', expect.anything()]
const noAddresses = [
  'a@b.co,x@y.co',
  'a@b.co;x@y.co',
  '"a"@b.co',
  'Ann <a@b.co>',
  '<a@b.co>',
  `${'a'.repeat(65)}@b.co`,
]

/** Makes all calls that accept a new address, and returns their outcomes. */
async function answersFor(email: string): Promise<[what: string, outcome: unknown][]> {
  const { call, start } = await beginInteraction(app)
  await start('Register')
  const { id } = (await (await operator.send('POST', '/users', { username: freshName() })).json()) as {
    id: string
  }
  const calls: [string, Response][] = [
    ['code', await call('POST', '/verification/verification-code', { email })],
    ['proof', await call('PATCH', '/identifiers', { email, verificationCode: '123456' })],
    ['profile', await call('PUT', '/profile', { email })],
    ['user', await operator.send('POST', '/users', { primaryEmail: email })],
    ['change', await operator.send('PATCH', `/users/${id}`, { primaryEmail: email })],
    ['generic code', await operator.send('POST', '/verification-codes', { email })],
    ['connector test', await operator.send('POST', '/connectors/http-email/test', { email, config: {} })],
  ]
  return Promise.all(calls.map(async ([what, response]) => [what, await outcomeOf(response)]))
}

describe('an address that is not a single mailbox', () => {
  it.each(noAddresses)('is rejected by every call: %s', async (email) => {
    for (const [what, outcome] of await answersFor(email)) expect(outcome, what).toEqual(invalid)
  })

  it('is rejected in any row in an import', async () => {
    const users = noAddresses.map((primaryEmail) => ({ primaryEmail }))
    const imported = await operator.send('POST', '/users/import', { users })
    const { results } = (await imported.json()) as { results: { status: string; error: { code: string } }[] }
    expect(results.map(({ status, error }) => [status, error.code])).toEqual(
      noAddresses.map(() => ['rejected', 'guard.invalid_input']),
    )
  })

  it.each(noAddresses)('is rejected by the forms, which show an explanation: %s', async (identifier) => {
    const client = newCookieClient(app)
    const uid = await openSignInPage(client, await authorizationRequest())
    const page = await client.post(`/register?interaction=${uid}`, { interaction: uid, identifier })
    expect(page.status).toBe(422)
    expect(await page.text()).toContain('The email is invalid. Enter an address like name@example.com.')
  })

  it.each(noAddresses)('is rejected as a connector’s sender and as a recipient: %s', async (address) => {
    const factory = findMessageFactory('sendgrid-email-service')
    const send = (fromEmail: string, to: string) =>
      factory?.send(
        { apiKey: 'x', fromEmail, templates: [] },
        { to, type: 'SignIn', code: '1', language: 'en', host: 'x' },
        // The connector must not send a request.
        {
          fetch: () => Promise.reject(new Error('sent')),
          now: Date.now,
          timeout: 1000,
          requiresTls: true,
          allowPrivateTargets: false,
        },
      )
    await expect(send(address, 'a@b.co')).rejects.toMatchObject({ code: 'invalid_config' })
    await expect(send('a@b.co', address)).rejects.toMatchObject({ code: 'invalid_request_parameters' })
  })
})

it('addresses that differ only in the form of an internationalised domain are treated as equal', async () => {
  const name = freshName()
  const typed = `${name}@müller.example`
  const email = `${name}@xn--mller-kva.example`
  const created = await operator.send('POST', '/users', { primaryEmail: typed })
  expect(await created.json()).toMatchObject({ primaryEmail: email })
  expect(await outcomeOf(await operator.send('POST', '/users', { primaryEmail: email }))).toEqual([
    422,
    'user.email_already_in_use',
  ])

  const { call, start, submit } = await beginInteraction(app)
  await start('SignIn')
  expect((await call('POST', '/verification/verification-code', { email: typed })).status).toBe(204)
  const [message] = await receivedMessages(app, { email })
  await call('PATCH', '/identifiers', { email: typed, verificationCode: message?.code })
  expect((await submit()).status).toBe(200)
})
