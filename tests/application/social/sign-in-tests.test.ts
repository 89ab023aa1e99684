import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerAt, type ReturnRequest } from '../../journeys/social/upstream-sign-in.ts'
import { type CookieClient, freshName, newCookieClient, ORIGIN } from '../../kit/clients/cookie-client.ts'
import {
  asOperator,
  machineToken,
  newMachine,
  newOperator,
  type Operator,
} from '../../kit/clients/management-client.ts'
import { comeBack, installUpstream, newProviderAccount } from '../../kit/clients/social-client.ts'
import { openTenant } from '../../kit/tenant-fixture.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the sign-ins with which operators test connectors (spec/connectors#sign-in-test, ADR-0140). */

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  await installUpstream(app, ['oidc', 'oidcSigned', 'oidcFormPost', 'oidcFragment', 'google', 'github'])
  // A connector can be tested before its sign-in button is enabled.
  await operator.send('PATCH', '/sign-in-exp', { socialSignInConnectorTargets: [] })
})

type Started = { testId: string; uri: string; expiresAt: number }

async function begin(connectorId = 'oidc', by = operator, browser = newCookieClient(app)) {
  const answer = await browser.send('POST', `/api/connectors/${connectorId}/sign-in-tests`, undefined, {
    authorization: `Bearer ${by.token}`,
  })
  expect(answer.status).toBe(200)
  return { browser, ...((await answer.json()) as Started) }
}

const outcome = async (testId: string, { connectorId = 'oidc', by = operator } = {}) => {
  const answer = await by.get(`/connectors/${connectorId}/sign-in-tests/${testId}`)
  const { expiresAt: _, ...body } = (await answer.json()) as Record<string, unknown>
  return answer.status === 200 ? body : [answer.status, body.code]
}

const pathOf = ({ pathname, search }: URL) => pathname + search
const back = async (browser: CookieClient, way: ReturnRequest) => pathOf(await comeBack(browser, way))
const gone = [404, 'entity.not_found']

/** Counts the rows that a sign-in would have created or changed. */
const traces = async () => {
  const counts = ['users', 'user_identities'].map((table) => `(select count(*) from ${table})`).join(', ')
  const models = `(select count(*) from oidc_model_instances where model_name in ('Session', 'Grant'))`
  const { results } = await app.env.DB.prepare(`select ${counts}, ${models}`).all()
  return results
}

describe('a sign-in test', () => {
  it.each(['oidc', 'oidcFormPost', 'oidcFragment', 'google'])(
    'shows who signed in with %s, without creating a session',
    async (connectorId) => {
      const email = `${freshName()}@example.com`
      const person = await newProviderAccount({ email, isVerified: true, name: 'Ann Lovelace' })
      const before = await traces()
      const { browser, testId, uri, expiresAt } = await begin(connectorId)
      expect(Math.abs(expiresAt - Date.now() - 600_000)).toBeLessThan(60_000)
      expect(await outcome(testId, { connectorId })).toEqual({ status: 'pending' })
      const way = await answerAt(uri, person)
      app.trips()
      expect(await back(browser, way)).toBe(`/console/connectors/${connectorId}?test=${testId}`)
      // spec/budgets#round-trips
      expect(app.trips()).toEqual({ awaited: 4, afterwards: 0 })
      expect(await outcome(testId, { connectorId })).toEqual({
        status: 'succeeded',
        profile: expect.objectContaining({ id: person.id, email, name: 'Ann Lovelace' }),
        remarks: [],
      })
      expect([await traces(), [...browser.cookies.keys()]]).toEqual([before, []])
    },
  )

  it.each([
    {
      what: 'claims that only userinfo has',
      account: { isVerified: true },
      has: { email: true, name: true },
    },
    { what: 'an unverified address', account: {}, has: { name: true }, remarks: ['emailUnverified'] },
    {
      what: 'neither place with an address',
      account: { email: '' },
      has: { name: true },
      remarks: ['emailAbsent'],
    },
    {
      what: 'signed userinfo, which is not read',
      connectorId: 'oidcSigned',
      account: { isVerified: true },
      has: {},
      remarks: ['userInfoFailed'],
    },
    {
      what: 'an address of GitHub’s list',
      connectorId: 'github',
      account: { isVerified: true },
      has: { email: true, name: true },
    },
  ])('shows $what', async ({ account, connectorId = 'oidc', has, remarks = [] }) => {
    const known = { email: `${freshName()}@example.com`, hasBareIdToken: true, ...account }
    const person = await newProviderAccount(known)
    await fetch(`${env.TEST_UPSTREAM.oauth}/accounts`, { method: 'POST', body: JSON.stringify(person) })
    const { browser, testId, uri } = await begin(connectorId)
    await back(browser, await answerAt(uri, person))
    expect(await outcome(testId, { connectorId })).toEqual({
      status: 'succeeded',
      profile: {
        id: person.id,
        ...(has.email && { email: known.email }),
        ...(has.name && { name: 'Ann Lovelace' }),
      },
      remarks,
    })
  })

  it('fails if userinfo describes another account than the ID token', async () => {
    const person = await newProviderAccount({ hasBareIdToken: true, userInfoSubject: 'eve' })
    const { browser, testId, uri } = await begin()
    await back(browser, await answerAt(uri, person))
    expect(await outcome(testId)).toEqual({
      status: 'refused',
      error: { code: 'connector.invalid_response' },
    })
  })

  it('redirects a response without a state to the console only in the browser that started the test', async () => {
    const { browser } = await begin('oidcFragment')
    expect((await browser.get('/callback/oidcFragment')).headers.get('location')).toBe(
      '/console/connectors/oidcFragment',
    )
    expect((await newCookieClient(app).get('/callback/oidcFragment')).headers.get('location')).toBe(
      '/sign-in/social/oidcFragment?',
    )
  })

  it('shows the same errors as a sign-in', async () => {
    const denied = await begin()
    await back(denied.browser, await answerAt(denied.uri, null))
    expect(await outcome(denied.testId)).toEqual({
      status: 'refused',
      error: {
        code: 'connector.authorization_failed',
        data: { error: 'access_denied', error_description: 'The user refused' },
      },
    })
    const wrong = await begin()
    const { url } = await answerAt(wrong.uri, await newProviderAccount())
    url.searchParams.set('code', 'another')
    await back(wrong.browser, { url, form: null })
    expect(await outcome(wrong.testId)).toEqual({
      status: 'refused',
      error: { code: 'connector.social_auth_code_invalid' },
    })
  })

  it.each([
    { id: 'nobody', refused: gone },
    { id: 'mail', refused: [400, 'connector.unexpected_type'] },
    { id: 'empty', refused: [400, 'connector.invalid_config'] },
  ])('is rejected for the connector $id', async ({ id, refused }) => {
    const endpoint = 'https://mail.example/send'
    const config = { endpoint, authentication: 'None' }
    await operator.send('POST', '/connectors', { id: 'mail', connectorId: 'http-email', config })
    await operator.send('POST', '/connectors', { id: 'empty', connectorId: 'discord-universal' })
    const answer = await operator.send('POST', `/connectors/${id}/sign-in-tests`)
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual(refused)
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  it('writes an audit entry that names the operator, but not the person who signed in', async () => {
    const person = await newProviderAccount({ name: freshName() })
    const { browser, uri } = await begin('google')
    await back(browser, await answerAt(uri, person))
    const denied = await begin('google')
    await back(denied.browser, await answerAt(denied.uri, null))
    const { results } = await app.env.DB.prepare(
      "select key, payload from logs where key like 'Management.SignInTest.%' order by created_at desc, rowid desc limit 4",
    ).all<{ key: string; payload: string }>()
    const rows = results.map(({ key, payload }) => ({ key, ...JSON.parse(payload) }))
    const about = { connectorId: 'google', actor: { type: 'app', id: expect.any(String) } }
    expect(rows).toEqual([
      expect.objectContaining({ ...about, key: 'Management.SignInTest.Update', result: 'Error' }),
      expect.objectContaining({ ...about, key: 'Management.SignInTest.Create', result: 'Success' }),
      expect.objectContaining({ ...about, key: 'Management.SignInTest.Update', result: 'Success' }),
      expect.objectContaining({ ...about, key: 'Management.SignInTest.Create', result: 'Success' }),
    ])
    expect(JSON.stringify(results)).not.toContain(person.id)
  })
})

describe('the response to a sign-in test', () => {
  it('does not leave the test pending after an internal error', async () => {
    const { browser, uri, testId } = await begin()
    const way = await answerAt(uri, await newProviderAccount())
    const setConfig = (config: string) =>
      app.env.DB.prepare("update connectors set config = ? where id = 'oidc'").bind(config).run()
    const config = await app.env.DB.prepare("select config from connectors where id = 'oidc'").first('config')
    await setConfig('unreadable')
    const failed = await browser.get(way.url.pathname + way.url.search)
    await setConfig(String(config))
    expect(failed.status).toBe(500)
    expect(await outcome(testId)).toEqual({ status: 'refused', error: { code: 'server.internal' } })
  })

  it('is used only once, and ignored when it is repeated', async () => {
    const person = await newProviderAccount()
    const { browser, testId, uri } = await begin()
    const cookies = new Map(browser.cookies)
    const way = await answerAt(uri, person)
    await Promise.all([back(browser, way), back(browser, way)])
    const first = await outcome(testId)
    expect(first).toMatchObject({ status: 'succeeded', profile: { id: person.id } })
    for (const [name, cookie] of cookies) browser.cookies.set(name, cookie)
    way.url.searchParams.set('error', 'access_denied')
    expect(await back(browser, way)).toBe(`/console/connectors/oidc?test=${testId}`)
    expect(await outcome(testId)).toEqual(first)
  })

  it('[RFC9700-4.7.1-3] is ignored in another browser, so a victim who follows a link reveals nothing', async () => {
    const { browser, testId, uri } = await begin()
    const way = await answerAt(uri, await newProviderAccount())
    // The first victim has not started a test, and the second has.
    for (const victim of [newCookieClient(app), (await begin()).browser]) {
      app.trips()
      const page = await victim.get(pathOf(way.url))
      expect([page.status, page.headers.get('location')]).toEqual([
        303,
        `/console/connectors/oidc?test=${testId}`,
      ])
      expect(app.trips()).toEqual({ awaited: 0, afterwards: 0 })
      expect(await outcome(testId)).toEqual({ status: 'pending' })
    }
    await back(browser, way)
    expect(await outcome(testId)).toMatchObject({ status: 'succeeded' })
  })

  it('[RFC9700-4.7.1-4] is rejected when an attacker injects it into another test', async () => {
    const { browser, testId } = await begin()
    const attacker = await begin()
    const { url } = await answerAt(attacker.uri, await newProviderAccount())
    // The attacker's own state belongs to another browser, and with the victim's state the code does not match the
    // verifier.
    await back(browser, { url, form: null })
    expect(await outcome(testId)).toEqual({ status: 'pending' })
    url.searchParams.set('state', `sign-in-test.${testId}`)
    await back(browser, { url, form: null })
    expect(await outcome(testId)).toMatchObject({
      status: 'refused',
      error: { code: 'connector.social_auth_code_invalid' },
    })
  })

  it('is ignored at another connector’s callback', async () => {
    const { browser, testId, uri } = await begin()
    const { url } = await answerAt(uri, await newProviderAccount())
    const elsewhere = new URL(url.href.replace('/callback/oidc', '/callback/google'))
    expect(await back(browser, { url: elsewhere, form: null })).toBe(
      `/console/connectors/google?test=${testId}`,
    )
    expect([await outcome(testId), await outcome(testId, { connectorId: 'google' })]).toEqual([
      { status: 'pending' },
      gone,
    ])
    await back(browser, { url, form: null })
    expect(await outcome(testId)).toMatchObject({ status: 'succeeded' })
  })

  it('is not accepted as verification of an identity in a sign-in', async () => {
    const { uri } = await begin()
    const { url } = await answerAt(uri, await newProviderAccount())
    expect(await back(newCookieClient(app), { url, form: null })).toMatch(/^\/console\//)
  })

  it.each(['//evil.example', 'a%2F..%2F..%2Fevil', '%5C%5Cevil.example', 'a%3Fb%23c'])(
    'always redirects to a console page, even for the connector id %s',
    async (id) => {
      const { browser, testId } = await begin()
      const answer = await browser.get(`/callback/${id}?code=a&state=sign-in-test.${testId}`)
      if (answer.status === 404) return
      const to = new URL(answer.headers.get('location') ?? '', ORIGIN)
      expect([to.origin, to.pathname, to.search]).toEqual([
        ORIGIN,
        expect.stringMatching(/^\/console\/connectors\/[^/\\]+$/),
        `?test=${testId}`,
      ])
    },
  )
})

describe('a sign-in test’s outcome', () => {
  it('is shown only to the operator who started the test', async () => {
    const person = await newProviderAccount()
    const { browser, testId, uri } = await begin()
    await back(browser, await answerAt(uri, person))
    const developer = await withRole('developer-role')
    const reader = await withRole('read-only-role')
    const { operator: foreign } = await openTenant(app, 'tests-beta')
    expect(await outcome(testId, { by: developer })).toEqual(gone)
    expect(await outcome(testId, { by: reader })).toEqual([403, 'auth.forbidden'])
    expect(await outcome(testId, { by: foreign })).toEqual(gone)
    expect(await outcome(testId)).toMatchObject({ profile: { id: person.id } })
    expect((await reader.send('POST', '/connectors/oidc/sign-in-tests')).status).toBe(403)
    const own = await begin('oidc', developer)
    expect(await outcome(own.testId, { by: developer })).toEqual({ status: 'pending' })
  })

  it('expires after ten minutes, with or without a response', async () => {
    const [late, read] = [await begin(), await begin()]
    await back(read.browser, await answerAt(read.uri, await newProviderAccount()))
    const way = await answerAt(late.uri, await newProviderAccount())
    await app.env.DB.prepare(
      "update oidc_model_instances set expires_at = expires_at - 600001 where model_name = 'SignInTest'",
    ).run()
    expect(await back(late.browser, way)).toBe(`/console/connectors/oidc?test=${late.testId}`)
    expect([await outcome(late.testId), await outcome(read.testId)]).toEqual([gone, gone])
    await app.sweep()
    const { results } = await app.env.DB.prepare(
      "select id from oidc_model_instances where model_name = 'SignInTest'",
    ).all()
    expect(results).toEqual([])
  })

  it('is encrypted in the database, like the test’s session', async () => {
    const person = await newProviderAccount({ email: `${freshName()}@example.com`, isVerified: true })
    const { browser, uri } = await begin()
    const stored = async () =>
      JSON.stringify(
        (
          await app.env.DB.prepare(
            "select payload from oidc_model_instances where model_name = 'SignInTest'",
          ).all()
        ).results,
      )
    expect(await stored()).not.toContain(new URL(uri).searchParams.get('nonce'))
    await back(browser, await answerAt(uri, person))
    expect(await stored()).not.toContain(person.email)
    expect(await stored()).not.toContain(person.id)
  })
})

/** Creates an application that itself has an administrator role. */
async function withRole(roleId: string): Promise<Operator> {
  const client = await newMachine(operator, roleId)
  return asOperator(app, await machineToken(app, client, 'connectors:read connectors:write'))
}
