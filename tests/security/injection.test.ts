import { beforeAll, describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  registerAccount,
  resumeAuthorization,
} from '../kit/clients/cookie-client.ts'
import { beginInteraction, outcomeOf } from '../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../kit/clients/management-client.ts'
import { everyMethod, setExperience } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { newClient } from './parties.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  await setExperience(app, { methods: everyMethod })
})

const MARK = 'mark7f3a'
/** Each of these texts would run a script in some part of a page if it were not escaped. */
const texts = [
  `<script>${MARK}()</script>`,
  `"><img src=x onerror=${MARK}()>`,
  `' onmouseover='${MARK}()`,
  `</title><script>${MARK}()</script>`,
  `</script><script>${MARK}()</script>`,
  `<!--<script>${MARK}()`,
  `\u2028${MARK}()\u2029</SCRIPT ><svg onload=${MARK}()>`,
  `{{constructor.constructor('${MARK}()')()}}`,
]

type Element = { tagName: string; attributes: Iterable<[string, string]> }
declare const HTMLRewriter: new () => {
  on(selector: string, handlers: { element(element: Element): void }): { transform(page: Response): Response }
}

/**
 * Parses the page as a browser does, and checks that the text has added no element and no attribute that runs
 * a script.
 */
async function expectHarmless(response: Response) {
  const strange: string[] = []
  const parsed = new HTMLRewriter()
    .on('*', {
      element({ tagName, attributes }) {
        const all = [...attributes]
        if (
          tagName === 'script' &&
          !all.some(([name, value]) => name === 'src' || value === 'application/json')
        )
          strange.push(`script ${JSON.stringify(all)}`)
        for (const [name, value] of all) {
          if (/^on/i.test(name)) strange.push(`${tagName} ${name}`)
          if (
            /^(?:href|src|action|formaction)$/i.test(name) &&
            /^\s*(?:javascript|vbscript|data:text)/i.test(value)
          )
            strange.push(`${tagName} ${name} ${value}`)
          if (name === 'src' && value === 'x') strange.push(tagName)
        }
      },
    })
    .transform(response)
  await parsed.text()
  expect(strange).toEqual([])
}

describe('stored text', () => {
  it.each(texts)('does not run as a script in an application’s name: %s', async (text) => {
    const client = await newClient(app, 'SPA', { name: text, custom: { isThirdParty: true } })
    const browser = newCookieClient(app)
    const request = await authorizationRequest({ client_id: client.id, redirect_uri: client.redirectUri })
    const back = await resumeAuthorization(
      browser,
      await registerAccount(browser, await openSignInPage(browser, request), freshName()),
    )
    expect(back.pathname).toBe('/sign-in/consent')
    await expectHarmless(await browser.get(back.pathname + back.search))
    const out = await browser.get(`/oidc/session/end?client_id=${client.id}`, { accept: 'text/html' })
    await expectHarmless(out)
  })

  it.each(texts)('[ASVS-1.1.2] does not run as a script in phrases, styles or logos: %s', async (text) => {
    const words = { action: { sign_in: text, create_account: text }, description: { no_account: text } }
    expect((await operator.send('PUT', '/custom-phrases/en', words)).status).toBe(200)
    await operator.send('PATCH', '/sign-in-exp', {
      customCss: `.a{content:"${text}"}`,
      customContent: { '/sign-in': text },
    })
    await operator.send('PATCH', '/sign-in-exp', {
      branding: { logoUrl: `https://a.example/${encodeURI(text)}` },
    })
    const fresh = openTestApp()
    const { client: browser, uid } = await beginInteraction(fresh)
    await expectHarmless(await browser.get(`/sign-in?interaction=${uid}`))
    // The page shows the input as text.
    const html = await (await browser.get(`/sign-in?interaction=${uid}`)).text()
    expect(html).toContain(MARK)
    await operator.send('DELETE', '/custom-phrases/en')
    await operator.send('PATCH', '/sign-in-exp', { customCss: null, customContent: {} })
  })
})

describe('text in a request', () => {
  it.each(texts)('[ASVS-3.2.2] does not run as a script on the page in the response: %s', async (text) => {
    const { client: browser, uid } = await beginInteraction(app)
    const query = new URLSearchParams({
      interaction: uid,
      lng: text,
      x: text,
      code: text,
      state: text,
      error: text,
    })
    const form = { identifier: text, password: text, code: text, phone: text, email: text }
    for (const path of [
      '/sign-in',
      '/register',
      '/forgot-password',
      '/callback/x',
      `/${encodeURIComponent(text)}`,
    ]) {
      await expectHarmless(
        await browser.get(`${path}?${query}`, { 'accept-language': text.replaceAll(/[^\x20-\x7e]/g, '') }),
      )
      await expectHarmless(await browser.post(`${path}?interaction=${uid}`, form))
    }
    const parameters = new URLSearchParams({
      client_id: text,
      redirect_uri: text,
      response_type: text,
      state: text,
      scope: text,
    })
    await expectHarmless(await app.fetch(`/oidc/auth?${parameters}`, { headers: { accept: 'text/html' } }))
    await expectHarmless(await app.fetch(`/dev/inbox?to=${encodeURIComponent(text)}`))
  })

  it('does not run as a script on the form_post page', async () => {
    const browser = newCookieClient(app)
    const request = await authorizationRequest({
      state: texts.join(''),
      response_mode: 'form_post',
      prompt: 'none',
    })
    const page = await browser.get(request.url)
    const html = await page.clone().text()
    expect(html).toContain('&lt;script')
    expect(html.match(/<script/gi)?.length).toBe(1)
    expect(html).not.toContain(`onerror=${MARK}()>`)
  })

  it.each([
    'a\r\nset-cookie: x=1',
    'a\nlocation: https://evil.example',
    'a\u0000',
    '\u010d\u010aset-cookie: x=1',
  ])('[ASVS-1.2.1] cannot create a header: %j', async (text) => {
    const { client: browser, uid } = await beginInteraction(app)
    const encoded = encodeURIComponent(text)
    const { url } = await authorizationRequest({ state: text, login_hint: text, nonce: text })
    const responses = [
      await browser.get(`/sign-in?interaction=${uid}&lng=${encoded}&next=${encoded}`),
      await browser.get(`/callback/google?code=${encoded}&state=${encoded}`),
      await browser.get(`/restart?interaction=${encoded}`),
      await browser.get(`/social/landing/x?redirect_to=${encoded}&native_callback=${encoded}`),
      await newCookieClient(app).get(url),
      await newCookieClient(app).get(`${url}&prompt=none`),
      await browser.post('/oidc/auth', { state: text }),
      await app.fetch(`/api/users?page=1&search=${encoded}`, {
        headers: { authorization: `Bearer ${operator.token}` },
      }),
    ]
    for (const response of responses) {
      expect(response.status).toBeLessThan(500)
      expect(response.headers.getSetCookie().some((line) => line.startsWith('x='))).toBe(false)
      expect(response.headers.get('location') ?? '').not.toMatch(/^https:\/\/evil/)
      for (const [, value] of response.headers) expect(value).not.toMatch(/[\r\n\0]/)
    }
  })
})

describe('text in a database query', () => {
  const sql = [
    `' or '1'='1`,
    `'; drop table users; --`,
    `" or 1=1 --`,
    `\\' or 1=1 --`,
    `admin'/*`,

    '?1',
    ':a',
  ]

  it.each(sql)('[ASVS-1.2.4] is never part of the SQL: %s', async (text) => {
    const interaction = await beginInteraction(app)
    for (const identifier of [
      { username: text, password: text },
      { email: text, password: text },
      { phone: text, password: text },
    ]) {
      expect((await outcomeOf(await interaction.start('SignIn', { identifier }))).slice(0, 2)).toEqual([
        422,
        'session.invalid_credentials',
      ])
    }
    const { url } = await authorizationRequest({ client_id: text })
    expect((await newCookieClient(app).get(url, { accept: 'application/json' })).status).toBe(400)
    const token = await app.fetch('/oidc/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'demo-app',
        code: text,
        redirect_uri: `${ORIGIN}/demo-app`,
        code_verifier: 'x'.repeat(43),
      }),
    })
    expect(token.status).toBe(400)
    const encoded = encodeURIComponent(text)
    for (const path of [
      `/users/${encoded}`,
      `/applications/${encoded}`,
      `/roles/${encoded}`,
      `/logs/${encoded}`,
    ]) {
      expect((await operator.get(path)).status).toBe(404)
    }
    expect(((await (await operator.get(`/logs?userId=${encoded}`)).json()) as unknown[]).length).toBe(0)
  })

  it('does not change any data', async () => {
    for (const path of ['/users', '/applications', '/roles', '/resources', '/connectors'])
      expect((await operator.get(path)).status).toBe(200)
  })
})
