import { beforeAll, describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  type CookieClient,
  ORIGIN,
  PASSWORD,
  signIn,
} from '../../kit/clients/cookie-client.ts'
import { outcomeOf } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'
import { type ClientApplication, newClient } from '../../security/parties.ts'

/** Tests calls after the entities that an interaction refers to were deleted or changed (spec/interaction#lookup). */

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

async function newUser() {
  const { client: browser, username, userId: id } = await storeMember(app, { scope: 'openid profile' })
  return { browser, username, id }
}

type OpenInteraction = { browser: CookieClient; uid: string; userId: string; client: ClientApplication }

/** Opens the consent page of a third party, or the sign-in page for a user who already has a session. */
async function open(prompt: 'consent' | 'login'): Promise<OpenInteraction> {
  const client = await newClient(app, 'SPA', { custom: { isThirdParty: true } })
  const { browser, id } = await newUser()
  const { url } = await authorizationRequest({
    client_id: client.id,
    redirect_uri: client.redirectUri,
    prompt,
  })
  const to = new URL((await browser.get(url)).headers.get('location') ?? '', ORIGIN)
  expect(to.pathname).toBe({ consent: '/sign-in/consent', login: '/sign-in/account' }[prompt])
  return { browser, uid: to.searchParams.get('interaction') ?? '', userId: id, client }
}

const CALLS = [
  ['PUT', '', { event: 'SignIn' }],
  ['PUT', '/event', { event: 'SignIn' }],
  ['PATCH', '/identifiers', { username: 'ann', password: PASSWORD }],
  ['PATCH', '/profile', { username: 'ann' }],
  ['POST', '/factors/totp', undefined],
  ['POST', '/factors/passkey-options', undefined],
  ['POST', '/verification/verification-code', { email: 'ann@example.com' }],
  ['POST', '/verification/social-authorization-uri', { connectorId: 'x', state: 'x', redirectUri: '' }],
  ['POST', '/submit', undefined],
  ['POST', '/passkeys/options', { creation: 'offer' }],
  ['POST', '/passkeys/put-off', undefined],
  ['POST', '/consent', { decision: 'allow' }],
  ['DELETE', '', undefined],
] as const

/** Makes every call and returns each status and error code under the name of the call. */
async function answersOf({ browser, uid }: OpenInteraction): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {}
  for (const [method, path, body] of CALLS) {
    const answer = await browser.send(method, `/api/interaction${path}`, body, { Interaction: uid })
    answers[`${method} ${path}`] = (await outcomeOf(answer)).slice(0, 2)
  }
  return answers
}

const allRejected = Object.fromEntries(
  CALLS.map(([method, path]) => [`${method} ${path}`, [400, 'session.not_found']]),
)

/**
 * Signs in as another account, so that the provider asks whether to end the first session. Afterwards the interaction
 * no longer refers to a session.
 */
async function signInAsAnother({ browser, uid }: OpenInteraction) {
  const { username } = await newUser()
  await browser.send('PUT', '/api/interaction', { event: 'SignIn' }, { Interaction: uid })
  const { redirectTo } = (await (await signIn(browser, uid, username)).json()) as { redirectTo: string }
  const resumed = await browser.get(redirectTo)
  expect([resumed.status, await resumed.text()]).toEqual([200, expect.stringContaining('xsrf')])
  const session = await app.env.DB.prepare(
    "select payload ->> '$.session.accountId' as accountId, payload ->> '$.session.uid' as uid from oidc_model_instances where id = ?",
  )
    .bind(uid)
    .first()
  expect(session).toEqual({ accountId: expect.any(String), uid: null })
}

describe('an interaction', () => {
  it('rejects every call after another account has signed in', async () => {
    const interaction = await open('login')
    await signInAsAnother(interaction)
    expect(await answersOf(interaction)).toEqual(allRejected)
  })

  it.each<{ what: string; change(interaction: OpenInteraction): Promise<unknown> }>([
    {
      what: 'its session is deleted',
      change: ({ userId }) =>
        app.env.DB.prepare("delete from oidc_model_instances where model_name = 'Session' and account_id = ?")
          .bind(userId)
          .run(),
    },
    {
      what: 'its session loses its account',
      change: ({ userId }) =>
        app.env.DB.prepare(
          "update oidc_model_instances set payload = json_remove(payload, '$.accountId') where model_name = 'Session' and account_id = ?",
        )
          .bind(userId)
          .run(),
    },
    {
      what: 'its reference to the session loses the id',
      change: ({ uid }) =>
        app.env.DB.prepare(
          "update oidc_model_instances set payload = json_remove(payload, '$.session.uid') where id = ?",
        )
          .bind(uid)
          .run(),
    },
    { what: 'its user is deleted', change: ({ userId }) => operator.send('DELETE', `/users/${userId}`) },
    {
      what: 'its user is suspended',
      change: ({ userId }) => operator.send('PATCH', `/users/${userId}/is-suspended`, { isSuspended: true }),
    },
  ])('rejects every call after $what', async ({ change }) => {
    for (const prompt of ['consent', 'login'] as const) {
      const interaction = await open(prompt)
      // The first call stores the interaction in the database.
      await interaction.browser.send('PUT', '/api/interaction/event', {}, { Interaction: interaction.uid })
      await change(interaction)
      expect([prompt, await answersOf(interaction)]).toEqual([prompt, allRejected])
    }
  })

  it.each<{ what: string; change(interaction: OpenInteraction): Promise<unknown> }>([
    {
      what: 'its application is deleted',
      change: ({ client }) => operator.send('DELETE', `/applications/${client.id}`),
    },
    {
      what: 'its reference to the session is removed',
      change: ({ uid }) =>
        app.env.DB.prepare(
          "update oidc_model_instances set payload = json_remove(payload, '$.session') where id = ?",
        )
          .bind(uid)
          .run(),
    },
    {
      what: 'its grant is deleted',
      change: ({ userId }) =>
        app.env.DB.prepare("delete from oidc_model_instances where model_name = 'Grant' and account_id = ?")
          .bind(userId)
          .run(),
    },
  ])('causes no server error after $what', async ({ change }) => {
    for (const prompt of ['consent', 'login'] as const) {
      const interaction = await open(prompt)
      await interaction.browser.send('PUT', '/api/interaction/event', {}, { Interaction: interaction.uid })
      await change(interaction)
      const answers = await answersOf(interaction)
      expect([prompt, JSON.stringify(answers)]).toEqual([prompt, expect.not.stringMatching(/\[5\d\d,/)])
      const { browser, uid } = interaction
      expect((await browser.get(`/oidc/auth/${uid}`)).status).toBeLessThan(500)
    }
  })
})
