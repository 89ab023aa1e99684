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
  ALLOW,
  answerDevice,
  askForCodes,
  DENY,
  enterCode,
  newDeviceApplication,
  openCodeForm,
  poll,
  startDevice,
} from '../../kit/clients/device-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Devices without a browser (spec/provider#devices, RFC 8628). */

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

/** As if time had passed on the server. */
const age = (code: string, seconds: number) =>
  app.env.DB.prepare(
    `update oidc_model_instances set payload = json_set(payload,
       '$.exp', json_extract(payload, '$.exp') - ?1, '$.polledAt', json_extract(payload, '$.polledAt') - ?1 * 1000)
     where model_name = 'DeviceCode' and user_code = ?2`,
  )
    .bind(seconds, code.replace('-', ''))
    .run()

async function auditKeys(count: number): Promise<string[]> {
  const found = await operator.get(`/logs?applicationId=${television}&page_size=${count}`)
  return ((await found.json()) as { key: string }[]).map(({ key }) => key)
}

describe('A device', () => {
  it('[RFC8628-3.2] gets tokens of the user who signs in and allows it', async () => {
    const started = await startDevice(app, television, { scope: 'openid profile offline_access' })
    expect(started).toMatchObject({
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${ORIGIN}/device`,
      verification_uri_complete: `${ORIGIN}/device?user_code=${started.user_code}`,
      expires_in: 600,
      interval: 5,
    })
    const browser = newCookieClient(app)
    const typed = started.user_code.toLowerCase().replace('-', '')
    const { html, xsrf } = await enterCode(browser, typed)
    expect(html).toContain('Television')
    expect(html).toContain('You sign in next.')
    const page = interactionAt(await browser.post('/oidc/device', { xsrf, user_code: typed, ...ALLOW }))
    expect(page.pathname).toBe('/sign-in')
    expect(await poll(app, television, started.device_code)).toMatchObject({
      status: 400,
      error: 'authorization_pending',
    })

    const name = freshName()
    const uid = page.searchParams.get('interaction') ?? ''
    const done = await browser.get(await redirectIn(await registerAccount(browser, uid, name)))
    expect([done.status, titleOf(await done.text())]).toEqual([200, 'Your device is connected'])

    const tokens = await poll(app, television, started.device_code)
    expect(tokens).toMatchObject({ status: 200, refresh_token: expect.any(String) })
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ aud: television, username: name })
    expect(await auditKeys(2)).toEqual(['ExchangeTokenBy.DeviceCode', 'Device.Allow'])
  })

  it('[RFC8628-5.2] is let in by a session at once, and its tokens are issued once, however many polls there are', async () => {
    const started = await startDevice(app, television)
    const { html } = await enterCode(signedIn, started.user_code)
    expect(html).toContain(username)
    const done = await answerDevice(signedIn, started.user_code, ALLOW)
    expect(titleOf(await done.text())).toBe('Your device is connected')
    const answers = await Promise.all([1, 2, 3].map(() => poll(app, television, started.device_code)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
    expect(answers.filter(({ error }) => error === 'invalid_grant')).toHaveLength(2)
    expect(await poll(app, television, started.device_code)).toMatchObject({ error: 'invalid_grant' })
  })

  it('[RFC8628-3.5-2] hears that its user denied it, on the page or at the sign-in', async () => {
    const denied = await startDevice(app, television)
    const page = await answerDevice(signedIn, denied.user_code, DENY)
    expect([page.status, titleOf(await page.text())]).toEqual([200, 'Access denied'])

    const cancelled = await startDevice(app, television)
    const browser = newCookieClient(app)
    const uid = interactionAt(await answerDevice(browser, cancelled.user_code, ALLOW)).searchParams
    const headers = { Interaction: uid.get('interaction') ?? '' }
    const back = await browser.send('DELETE', '/api/interaction', undefined, headers)
    expect(titleOf(await (await browser.get(await redirectIn(back))).text())).toBe('Access denied')

    // The second visitor was not signed in: such a denial is counted.
    expect((await auditKeys(2)).filter((key) => key === 'Device.Deny')).toEqual(['Device.Deny'])
    const { results } = await app.env.DB.prepare(
      "select endpoint, error, count from failed_requests where endpoint = 'device_authorization'",
    ).all()
    expect(results).toEqual([{ endpoint: 'device_authorization', error: 'access_denied', count: 1 }])
    for (const { device_code: code } of [denied, cancelled])
      expect(await poll(app, television, code)).toMatchObject({ status: 400, error: 'access_denied' })
  })

  it('[RFC8628-3.5] is told to slow down for as long as it asks too often, and gets its tokens all the same', async () => {
    const started = await startDevice(app, television)
    const ask = async () => (await poll(app, television, started.device_code)).error
    expect([await ask(), await ask()]).toEqual(['authorization_pending', 'slow_down'])
    await age(started.user_code, 6)
    // Ten seconds by now.
    expect(await ask()).toBe('slow_down')
    await age(started.user_code, 15)
    expect(await ask()).toBe('authorization_pending')
    await answerDevice(signedIn, started.user_code, ALLOW)
    expect(await poll(app, television, started.device_code)).toMatchObject({ status: 200 })
  })

  it('[RFC8628-3.5-3] has ten minutes', async () => {
    const started = await startDevice(app, television)
    await age(started.user_code, 601)
    expect(await poll(app, television, started.device_code)).toMatchObject({ error: 'expired_token' })
    const { html } = await enterCode(signedIn, started.user_code)
    expect(html).toContain('has expired or was already used')
  })

  it('[RFC8628-3.4] is another one for every application, and only for those that may ask', async () => {
    const started = await startDevice(app, television)
    const radio = await newDeviceApplication(operator)
    await answerDevice(signedIn, started.user_code, ALLOW)
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

  it('of a third party asks for consent as any application does', async () => {
    const stranger = await newDeviceApplication(operator, { isThirdParty: true })
    const started = await startDevice(app, stranger)
    const page = interactionAt(await answerDevice(signedIn, started.user_code, ALLOW))
    expect(page.pathname).toBe('/sign-in/consent')
    const question = await signedIn.get(page.pathname + page.search)
    // Nothing stands where an application of the web has its host.
    expect([question.status, await question.text()]).toEqual([
      200,
      expect.stringMatching(/<bdi class="strong">Television<\/bdi><\/span>/),
    ])
    expect(await poll(app, stranger, started.device_code)).toMatchObject({ error: 'authorization_pending' })
    const consented = await signedIn.send(
      'POST',
      '/api/interaction/consent',
      { decision: 'allow' },
      { Interaction: page.searchParams.get('interaction') ?? '' },
    )
    const done = await signedIn.get(await redirectIn(consented))
    expect(titleOf(await done.text())).toBe('Your device is connected')
    expect(await poll(app, stranger, started.device_code)).toMatchObject({ status: 200 })
  })

  it('begins again where its code is entered', async () => {
    const { user_code: code } = await startDevice(app, television)
    const browser = newCookieClient(app)
    const page = interactionAt(await answerDevice(browser, code, ALLOW))
    const again = await browser.get(`/restart?interaction=${page.searchParams.get('interaction')}`)
    expect([again.status, again.headers.get('location')]).toEqual([302, '/device'])
    // A confirmed page whose sign-in was given up uses nothing up.
    expect((await answerDevice(signedIn, code, ALLOW)).status).toBe(200)
  })

  it('is let into another account than the one that is signed in', async () => {
    const { client } = await storeVisitor(app)
    const started = await startDevice(app, television)
    const page = interactionAt(await answerDevice(client, started.user_code, { confirm: 'other' }))
    expect(page.pathname).toBe('/sign-in')
    expect(await poll(app, television, started.device_code)).toMatchObject({ error: 'authorization_pending' })
    const name = freshName()
    const uid = page.searchParams.get('interaction') ?? ''
    // The library ends the session of the other account by a form that posts itself, and goes on.
    const leaving = await client.get(await redirectIn(await registerAccount(client, uid, name)))
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(await leaving.text())?.[1] ?? ''
    const left = await client.post('/oidc/session/end/confirm', { xsrf, logout: 'yes' })
    const back = interactionAt(left)
    const done = await client.get(back.pathname + back.search)
    expect(titleOf(await done.text())).toBe('Your device is connected')
    const { id_token: token = '' } = await poll(app, television, started.device_code)
    expect(decodeJwt(token)).toMatchObject({ username: name })
    // The browser goes on as the account that was let in, as after any sign-in.
    const next = await startDevice(app, television)
    expect((await enterCode(client, next.user_code)).html).toContain(name)
  })
})

describe('The page for its code', () => {
  it('[RFC8628-3.3.1] has a short address, and shows a code of the address without submitting it', async () => {
    const short = await app.fetch('/device?user_code=BCDF-GHJK&other=1')
    expect([short.status, short.headers.get('location')]).toEqual([302, '/oidc/device?user_code=BCDF-GHJK'])
    const { html } = await openCodeForm(newCookieClient(app), '?user_code=bcdfghjk')
    expect(html).toContain('value="BCDF-GHJK"')
    expect(html).toContain('Do not use a code that somebody sent you.')
    const other = await openCodeForm(newCookieClient(app), '?user_code=%22%3E%3Cscript%3E')
    expect(other.html).not.toContain('<script')
    expect(other.html).toContain('class="field-input" name="user_code" value=""')
  })

  it('[RFC8628-5.4] takes no form of another page or site', async () => {
    const started = await startDevice(app, television)
    const form = { user_code: started.user_code, ...ALLOW }
    const { xsrf } = await openCodeForm(newCookieClient(app))
    for (const sent of [form, { ...form, xsrf }]) {
      const answer = await signedIn.post('/oidc/device', sent)
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('open too long')])
    }
    // Without the cookies, which no browser sends from another site.
    const foreign = await newCookieClient(app).post('/oidc/device', { ...form, xsrf })
    expect([foreign.status, foreign.headers.get('location')]).toEqual([303, '/oidc/device'])
    expect((await app.fetch('/oidc/device/auth')).status).toBe(405)
    expect(await poll(app, television, started.device_code)).toMatchObject({ error: 'authorization_pending' })
  })

  it('[RFC8628-5.4-2] lets one of several browsers answer', async () => {
    const { client: other } = await storeVisitor(app)
    const started = await startDevice(app, television)
    const asked = await Promise.all([signedIn, other].map((each) => enterCode(each, started.user_code)))
    const answers = await Promise.all(
      [signedIn, other].map((each, index) =>
        each.post('/oidc/device', {
          xsrf: asked[index]?.xsrf ?? '',
          user_code: started.user_code,
          ...(index === 0 ? ALLOW : DENY),
        }),
      ),
    )
    const pages = await Promise.all(answers.map((answer) => answer.text()))
    const polled = await poll(app, television, started.device_code)
    const first = polled.status === 200 ? 'Your device is connected' : 'Access denied'
    // The second one is told why its answer does not count.
    expect(pages.map(titleOf).toSorted()).toEqual([first, 'Connect a device'].toSorted())
    expect(pages.filter((page) => page.includes('was already used'))).toHaveLength(1)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    if (polled.status !== 200) expect(polled.error).toBe('access_denied')
    expect((await enterCode(signedIn, started.user_code)).html).toContain('was already used')
  })
})
