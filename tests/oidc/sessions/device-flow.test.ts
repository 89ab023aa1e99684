import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  registerAccount,
} from '../../kit/clients/cookie-client.ts'
import {
  answerDevice,
  askForCodes,
  CONTINUE,
  decideOnDevice,
  enterCode,
  newDeviceApplication,
  openCodeForm,
  poll,
  startDevice,
} from '../../kit/clients/device-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the sign-in on devices without a browser (spec/provider#devices, RFC 8628). */

let app: TestApp
let operator: Operator
let television: string
let signedIn: CookieClient
let username: string

beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  television = await newDeviceApplication(operator)
  ;({ client: signedIn, username } = await storeVisitor(app))
})

const titleOf = (html: string) => /<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1]
const interactionAt = (response: Response) => new URL(response.headers.get('location') ?? '', ORIGIN)
const redirectIn = async (response: Response) =>
  ((await response.json()) as { redirectTo: string }).redirectTo

/** Ages a code, as if time had passed on the server. */
const age = (code: string, seconds: number) =>
  app.env.DB.prepare(
    `update oidc_model_instances set payload = json_set(payload,
       '$.exp', json_extract(payload, '$.exp') - ?1, '$.polledAt', json_extract(payload, '$.polledAt') - ?1 * 1000)
     where model_name = 'DeviceCode' and user_code = ?2`,
  )
    .bind(seconds, code.replace('-', ''))
    .run()

async function auditKeys(count: number): Promise<string[]> {
  const logs = await operator.get(`/logs?applicationId=${television}&page_size=${count}`)
  return ((await logs.json()) as { key: string }[]).map(({ key }) => key)
}

describe('a device', () => {
  it('[RFC8628-3.2] receives tokens for the user who signs in and approves it', async () => {
    const started = await startDevice(app, television, { scope: 'openid profile offline_access' })
    expect(started).toMatchObject({
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${ORIGIN}/device`,
      verification_uri_complete: `${ORIGIN}/device?user_code=${started.user_code}`,
      expires_in: 600,
      interval: 5,
    })
    const browser = newCookieClient(app)
    const typedCode = started.user_code.toLowerCase().replace('-', '')
    const { html } = await openCodeForm(browser)
    expect(html).toContain('Next, you’ll sign in.')
    const page = interactionAt(await enterCode(browser, typedCode))
    // A stranger learns nothing about the device before the sign-in.
    expect(page.pathname).toBe('/sign-in')
    expect(await (await browser.get(page.pathname + page.search)).text()).not.toContain('Television')
    expect(await poll(app, television, started.device_code)).toMatchObject({
      status: 400,
      error: 'authorization_pending',
    })

    const name = freshName()
    const uid = page.searchParams.get('interaction') ?? ''
    const back = await browser.get(await redirectIn(await registerAccount(browser, uid, name)))
    expect(await poll(app, television, started.device_code)).toMatchObject({ error: 'slow_down' })
    const question = interactionAt(back)
    const text = await (await browser.get(question.pathname + question.search)).text()
    for (const word of ['Television', name, started.user_code]) expect(text).toContain(word)
    const done = await decideOnDevice(browser, back, 'allow')
    expect([done.status, titleOf(await done.text())]).toEqual([200, 'Your device is connected'])

    const tokens = await poll(app, television, started.device_code)
    expect(tokens).toMatchObject({ status: 200, refresh_token: expect.any(String) })
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ aud: television, username: name })
    expect(await auditKeys(2)).toEqual(['ExchangeTokenBy.DeviceCode', 'Device.Allow'])
  })

  it('[RFC8628-5.2] can be approved by a signed-in user and receives its tokens once, even with concurrent polls', async () => {
    const started = await startDevice(app, television)
    const question = await enterCode(signedIn, started.user_code)
    const page = interactionAt(question)
    expect(await (await signedIn.get(page.pathname + page.search)).text()).toContain(username)
    const done = await decideOnDevice(signedIn, question, 'allow')
    expect(titleOf(await done.text())).toBe('Your device is connected')
    const answers = await Promise.all([1, 2, 3].map(() => poll(app, television, started.device_code)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
    expect(answers.filter(({ error }) => error === 'invalid_grant')).toHaveLength(2)
    expect(await poll(app, television, started.device_code)).toMatchObject({ error: 'invalid_grant' })
  })

  it('[RFC8628-3.5-2] receives access_denied if the user denies access or cancels the sign-in', async () => {
    const denied = await startDevice(app, television)
    const page = await answerDevice(signedIn, denied.user_code, 'deny')
    expect([page.status, titleOf(await page.text())]).toEqual([200, 'Access denied'])

    const cancelled = await startDevice(app, television)
    const browser = newCookieClient(app)
    const uid = interactionAt(await enterCode(browser, cancelled.user_code)).searchParams
    const headers = { Interaction: uid.get('interaction') ?? '' }
    const back = await browser.send('DELETE', '/api/interaction', undefined, headers)
    expect(titleOf(await (await browser.get(await redirectIn(back))).text())).toBe('Access denied')

    // The denial of a user who is not signed in is counted but not audited.
    expect((await auditKeys(2)).filter((key) => key === 'Device.Deny')).toEqual(['Device.Deny'])
    const { results } = await app.env.DB.prepare(
      "select endpoint, error, count from failed_requests where endpoint = 'device_authorization'",
    ).all()
    expect(results).toEqual([{ endpoint: 'device_authorization', error: 'access_denied', count: 1 }])
    for (const { device_code: code } of [denied, cancelled])
      expect(await poll(app, television, code)).toMatchObject({ status: 400, error: 'access_denied' })
  })

  it('[RFC8628-3.5] receives slow_down while it polls too often, but can still get its tokens', async () => {
    const started = await startDevice(app, television)
    const pollForError = async () => (await poll(app, television, started.device_code)).error
    expect([await pollForError(), await pollForError()]).toEqual(['authorization_pending', 'slow_down'])
    await age(started.user_code, 6)
    // The polling interval has grown to ten seconds.
    expect(await pollForError()).toBe('slow_down')
    await age(started.user_code, 15)
    expect(await pollForError()).toBe('authorization_pending')
    await answerDevice(signedIn, started.user_code, 'allow')
    expect(await poll(app, television, started.device_code)).toMatchObject({ status: 200 })
  })

  it('[RFC8628-3.5-3] must be approved within ten minutes', async () => {
    const started = await startDevice(app, television)
    await age(started.user_code, 601)
    expect(await poll(app, television, started.device_code)).toMatchObject({ error: 'expired_token' })
    const answer = await enterCode(signedIn, started.user_code)
    expect(await answer.text()).toContain('has expired or was already used')
  })

  it('[RFC8628-3.4] belongs to one application, which must be allowed to use the device flow', async () => {
    const started = await startDevice(app, television)
    const radio = await newDeviceApplication(operator)
    await answerDevice(signedIn, started.user_code, 'allow')
    expect(await poll(app, radio, started.device_code)).toMatchObject({ error: 'invalid_grant' })
    expect(await poll(app, television, started.device_code)).toMatchObject({ status: 200 })

    const changed = await operator.send('PATCH', `/applications/${radio}`, {
      oidcClientMetadata: { redirectUris: ['https://radio.example/back'] },
      customClientMetadata: { deviceFlow: null },
    })
    expect(changed.status).toBe(200)
    for (const client of [radio, 'demo-app', 'account-centre']) {
      const refused = await askForCodes(openTestApp(), client)
      const { error } = (await refused.json()) as { error: string }
      expect([client, refused.status, error]).toEqual([client, 400, 'unauthorized_client'])
    }
    const machine = { name: 'Robot', type: 'MachineToMachine', customClientMetadata: { deviceFlow: true } }
    expect((await operator.send('POST', '/applications', machine)).status).toBe(400)
  })

  it('gets no code if it requests an unknown level or malformed claims (OIDC Core §5.5)', async () => {
    const essential = (acr: object) => JSON.stringify({ id_token: { acr: { essential: true, ...acr } } })
    const requests: [Record<string, string>, string][] = [
      [{ acr_values: 'urn:example:nope' }, 'unmet_authentication_requirements'],
      [{ claims: essential({ value: 'urn:example:nope' }) }, 'unmet_authentication_requirements'],
      [{ claims: essential({ values: [5, null, {}] }) }, 'unmet_authentication_requirements'],
      [{ claims: essential({ values: 'urn:vestibule:acr:1fa' }) }, 'invalid_request'],
      [{ claims: '{"id_token":' }, 'invalid_request'],
    ]
    for (const [request, error] of requests) {
      const refused = await askForCodes(openTestApp(), television, request)
      expect([request, refused.status, await refused.json()]).toMatchObject([request, 400, { error }])
    }
    // A level that is not essential is not enforced.
    const voluntary = { claims: '{"id_token":{"acr":{"value":"urn:example:nope"}}}' }
    expect((await askForCodes(openTestApp(), television, voluntary)).status).toBe(200)
  })

  it('gets single claims that it requests (OIDC Core §5.5)', async () => {
    const claims = '{"id_token":{"preferred_username":null,"name#ja":null},"userinfo":{"identities":null}}'
    const started = await startDevice(app, television, { scope: 'openid', claims })
    await answerDevice(signedIn, started.user_code, 'allow')
    const tokens = await poll(app, television, started.device_code)
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ preferred_username: username })
    const headers = { Authorization: `Bearer ${tokens.access_token}` }
    const userinfo = await app.fetch('/oidc/me', { headers })
    expect(await userinfo.json()).toEqual({ sub: expect.any(String), identities: {} })
  })

  it('gets no access if the sign-in does not reach its level, and the page says so', async () => {
    const started = await startDevice(openTestApp(), television, { acr_values: 'urn:vestibule:acr:2fa' })
    const browser = newCookieClient(app)
    const page = interactionAt(await enterCode(browser, started.user_code))
    const uid = page.searchParams.get('interaction') ?? ''
    const done = await browser.get(await redirectIn(await registerAccount(browser, uid, freshName())))
    expect([done.status, titleOf(await done.text())]).toEqual([400, 'Access denied'])
    expect(await poll(app, television, started.device_code)).toMatchObject({ error: 'access_denied' })
  })

  it('asks only one question for a third party, whose consent is stored', async () => {
    const thirdParty = await newDeviceApplication(operator, { isThirdParty: true })
    const started = await startDevice(app, thirdParty)
    const entered = await enterCode(signedIn, started.user_code)
    const page = interactionAt(entered)
    expect(page.pathname).toBe('/sign-in/consent')
    const question = await signedIn.get(page.pathname + page.search)
    // Unlike the page for a web application, this page shows no host.
    expect([question.status, await question.text()]).toEqual([
      200,
      expect.stringMatching(/<bdi class="strong consent-name">Television<\/bdi><\/span>/),
    ])
    expect(await poll(app, thirdParty, started.device_code)).toMatchObject({ error: 'authorization_pending' })
    const done = await decideOnDevice(signedIn, entered, 'allow')
    expect(titleOf(await done.text())).toBe('Your device is connected')
    expect(await poll(app, thirdParty, started.device_code)).toMatchObject({ status: 200 })
    // The decision about a device of the operator's own is no consent.
    const own = await startDevice(app, television)
    await answerDevice(signedIn, own.user_code, 'allow')
    const { results } = await app.env.DB.prepare(
      'select application_id as id from consents where application_id in (?1, ?2) group by 1',
    )
      .bind(thirdParty, television)
      .all()
    expect(results).toEqual([{ id: thirdParty }])
  })

  it('can still be connected on the code entry page after the sign-in is restarted', async () => {
    const { user_code: code } = await startDevice(app, television)
    const browser = newCookieClient(app)
    const page = interactionAt(await enterCode(browser, code))
    const again = await browser.get(`/restart?interaction=${page.searchParams.get('interaction')}`)
    expect([again.status, again.headers.get('location')]).toEqual([302, '/device'])
    // An abandoned sign-in does not use up the code.
    expect((await answerDevice(signedIn, code, 'allow')).status).toBe(200)
  })

  it('can be connected to an account other than the signed-in one', async () => {
    const { client } = await storeVisitor(app)
    const started = await startDevice(app, television)
    const question = interactionAt(await enterCode(client, started.user_code))
    const text = await (await client.get(question.pathname + question.search)).text()
    const [, link = ''] = /href="(\/oidc\/device[^"]*)"/.exec(text) ?? []
    const form = await openCodeForm(client, link.replaceAll('&amp;', '&').replace('/oidc/device', ''))
    expect(form.html).toContain('value="other"')
    const page = interactionAt(await enterCode(client, started.user_code, { confirm: 'other' }))
    expect(page.pathname).toBe('/sign-in')
    expect(await poll(app, television, started.device_code)).toMatchObject({ error: 'authorization_pending' })
    const name = freshName()
    const uid = page.searchParams.get('interaction') ?? ''
    // The library ends the first account's session with a form that submits itself, and then continues.
    const signOutPage = await client.get(await redirectIn(await registerAccount(client, uid, name)))
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(await signOutPage.text())?.[1] ?? ''
    const signedOut = await client.post('/oidc/session/end/confirm', { xsrf, logout: 'yes' })
    const back = interactionAt(signedOut)
    const done = await decideOnDevice(client, await client.get(back.pathname + back.search), 'allow')
    expect(titleOf(await done.text())).toBe('Your device is connected')
    const { id_token: token = '' } = await poll(app, television, started.device_code)
    expect(decodeJwt(token)).toMatchObject({ username: name })
    // Afterwards the browser is signed in to the second account, as after any sign-in.
    const next = await startDevice(app, television)
    const nextPage = interactionAt(await enterCode(client, next.user_code))
    expect(await (await client.get(nextPage.pathname + nextPage.search)).text()).toContain(name)
  })
})

describe('the code entry page for devices', () => {
  it('[RFC8628-3.3.1] has a short URL and prefills a code from the query without submitting it', async () => {
    const short = await app.fetch('/device?user_code=BCDF-GHJK&other=1')
    expect([short.status, short.headers.get('location')]).toEqual([302, '/oidc/device?user_code=BCDF-GHJK'])
    const { html } = await openCodeForm(newCookieClient(app), '?user_code=bcdfghjk')
    expect(html).toContain('value="BCDF-GHJK"')
    expect(html).toContain('Never enter a code someone sent you.')
    const other = await openCodeForm(newCookieClient(app), '?user_code=%22%3E%3Cscript%3E')
    expect(other.html).not.toContain('<script')
    expect(other.html).toMatch(/<input[^>]* name="user_code" value=""/)
  })

  it('[RFC8628-5.4] rejects a form from another page or site', async () => {
    const started = await startDevice(app, television)
    const form = { user_code: started.user_code, ...CONTINUE }
    const { xsrf } = await openCodeForm(newCookieClient(app))
    for (const sent of [form, { ...form, xsrf }]) {
      const answer = await signedIn.post('/oidc/device', sent)
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('open too long')])
    }
    // A browser does not send the cookies when another site submits a form.
    const crossSite = await newCookieClient(app).post('/oidc/device', { ...form, xsrf })
    expect([crossSite.status, crossSite.headers.get('location')]).toEqual([303, '/oidc/device'])
    expect((await app.fetch('/oidc/device/auth')).status).toBe(405)
    expect(await poll(app, television, started.device_code)).toMatchObject({ error: 'authorization_pending' })
  })

  it('[RFC8628-5.4-2] accepts a decision from only one of several browsers', async () => {
    const { client: other } = await storeVisitor(app)
    const started = await startDevice(app, television)
    const browsers = [signedIn, other]
    const questions = await Promise.all(browsers.map((each) => enterCode(each, started.user_code)))
    const answers = await Promise.all(
      questions.map((question, index) =>
        decideOnDevice(browsers[index] ?? signedIn, question, index === 0 ? 'allow' : 'deny'),
      ),
    )
    const pages = await Promise.all(answers.map((answer) => answer.text()))
    const polled = await poll(app, television, started.device_code)
    const first = polled.status === 200 ? 'Your device is connected' : 'Access denied'
    // The second browser's page explains why its decision was not accepted.
    expect(pages.map(titleOf).toSorted()).toEqual([first, 'Connect a device'].toSorted())
    expect(pages.filter((page) => page.includes('was already used'))).toHaveLength(1)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    if (polled.status !== 200) expect(polled.error).toBe('access_denied')
    expect(await (await enterCode(signedIn, started.user_code)).text()).toContain('was already used')
  })
})
