import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import german from '../../locales/de.json'
import english from '../../locales/en.json'
import { DEFAULT_EXPERIENCE } from '../../src/contract/experience/experience.ts'
import { newOperator, type Operator } from '../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})
beforeEach(async () => {
  const { id: _, ...defaults } = DEFAULT_EXPERIENCE
  await operator.send('PATCH', '/sign-in-exp', defaults)
  for (const tag of ['de', 'fr-CA', 'es-ES', 'zh-TW']) await operator.send('DELETE', `/custom-phrases/${tag}`)
})

const get = (path: string, headers: Record<string, string> = {}) =>
  app.fetch(`/api/.well-known/${path}`, { headers })

describe('the public sign-in experience', () => {
  it('contains the settings and the connectors’ capabilities', async () => {
    const response = await get('sign-in-exp')
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-cache')
    const { supportContact: _, ...settings } = DEFAULT_EXPERIENCE // only there if it is set
    expect(await response.json()).toEqual({
      tenantId: 'default',
      ...settings,
      socialConnectors: [],
      forgotPassword: { email: false, phone: false },
    })
  })

  it('immediately reflects which addresses can receive codes for a password reset', async () => {
    const forgotPassword = async () =>
      ((await (await get('sign-in-exp')).json()) as { forgotPassword: unknown }).forgotPassword
    const install = async (connectorId: string) =>
      ((await (await operator.send('POST', '/connectors', { connectorId })).json()) as { id: string }).id

    const email = await install('http-email')
    expect(await forgotPassword()).toEqual({ email: true, phone: false })
    const sms = await install('http-sms')
    expect(await forgotPassword()).toEqual({ email: true, phone: true })
    for (const id of [email, sms]) await operator.send('DELETE', `/connectors/${id}`)
    expect(await forgotPassword()).toEqual({ email: false, phone: false })
  })

  it('is not sent again if the request contains its ETag, and the response is a 304', async () => {
    const tag = (await get('sign-in-exp')).headers.get('etag') ?? ''
    expect(tag).toMatch(/^"\w+"$/)
    const again = await get('sign-in-exp', { 'if-none-match': tag })
    expect([again.status, await again.text()]).toEqual([304, ''])

    await operator.send('PATCH', '/sign-in-exp', { signInMode: 'SignIn' })
    const changed = await get('sign-in-exp', { 'if-none-match': tag })
    expect(changed.status).toBe(200)
    expect(await changed.json()).toMatchObject({ signInMode: 'SignIn' })
  })

  it('is cached, but can be refreshed on request', async () => {
    await get('sign-in-exp?no_cache')
    app.trips()
    await get('sign-in-exp')
    expect(app.trips().awaited).toBe(0)

    await app.env.DB.prepare("update sign_in_experiences set custom_css = 'a{}'").run()
    const css = async (path: string, headers = {}) =>
      ((await (await get(path, headers)).json()) as { customCss: string | null }).customCss
    expect(await css('sign-in-exp')).toBeNull()
    expect(await css('sign-in-exp', { 'cache-control': 'max-age=0, no-cache' })).toBe('a{}')

    await app.env.DB.prepare('update sign_in_experiences set custom_css = null').run()
    expect(await css('sign-in-exp?no_cache=')).toBeNull()
    await app.env.DB.prepare("update sign_in_experiences set custom_css = 'b{}'").run()
    expect(await css('sign-in-exp', { 'cache-control': 'no-store' })).toBe('b{}')
    await app.env.DB.prepare('update sign_in_experiences set custom_css = null').run()
  })

  it('is unavailable with status 503 if the database fails', async () => {
    const broken = openTestApp()
    broken.beforeEachTrip(() => {
      throw new Error('D1_ERROR: Network connection lost.')
    })
    for (const path of ['sign-in-exp', 'phrases']) {
      const response = await broken.fetch(`/api/.well-known/${path}`)
      expect(response.status).toBe(503)
      expect(await response.json()).toMatchObject({ code: 'server.unavailable' })
    }
  })
})

describe('the public phrases', () => {
  const languageOf = async (query: string, headers: Record<string, string> = {}) =>
    (await get(`phrases${query}`, headers)).headers.get('content-language')

  it('are the built-in phrases if the operator has not customised any', async () => {
    const response = await get('phrases')
    expect(response.headers.get('content-language')).toBe('en')
    expect(response.headers.get('vary')).toBe('Accept-Language, Cookie')
    expect(await response.json()).toEqual({ translation: english.translation })
    expect(await (await get('phrases?lng=de')).json()).toEqual({ translation: german.translation })
  })

  it.each<{ from: string; query: string; headers: Record<string, string> }>([
    { from: 'the query', query: '?lng=de', headers: { cookie: 'i18next=en' } },
    { from: 'the cookie', query: '?locale=en', headers: { cookie: 'i18next=de' } },
    {
      from: 'the request of the application',
      query: '?locale=xx&locale=de',
      headers: { 'accept-language': 'en' },
    },
    { from: 'the browser', query: '', headers: { 'accept-language': 'xx, en;q=0.5, de-AT;q=0.9' } },
    {
      from: 'the next source if one is invalid',
      query: '?lng=%3Cx%3E',
      headers: { 'accept-language': 'DE' },
    },
  ])('are in the language requested by $from', async ({ query, headers }) => {
    expect(await languageOf(query, headers)).toBe('de')
  })

  it('are in the fallback language if detection is off, unless the query names a language', async () => {
    const languageInfo = { autoDetect: false, fallbackLanguage: 'de' }
    await operator.send('PATCH', '/sign-in-exp', { languageInfo })
    const english = { cookie: 'i18next=en', 'accept-language': 'en' }
    expect(await languageOf('?locale=en', english)).toBe('de')
    expect(await languageOf('?lng=en', english)).toBe('en')
  })

  it('combine the built-in phrases with the operator’s custom phrases', async () => {
    const put = await operator.send('PUT', '/custom-phrases/de', {
      action: { sign_in: 'Hereinspaziert', continue: '' },
    })
    const { id } = (await put.json()) as { id: string }
    expect(await (await get('phrases?lng=de')).json()).toEqual({
      tenantId: 'default',
      id,
      languageTag: 'de',
      translation: {
        ...german.translation,
        action: { ...german.translation.action, sign_in: 'Hereinspaziert' },
      },
    })
    // Operators can compare their phrases with the built-in phrases of the same language.
    const builtIn = await get('phrases?lng=de&built_in')
    expect([builtIn.headers.get('content-language'), await builtIn.json()]).toEqual([
      'de',
      { translation: german.translation },
    ])
    // Another language has a separate cache entry.
    expect(await (await get('phrases?lng=en')).json()).toEqual({ translation: english.translation })
  })

  it('fall back to English where the operator’s translation into an added language is missing', async () => {
    await operator.send('PUT', '/custom-phrases/fr-CA', { action: { sign_in: 'Ouvrir une session' } })
    const response = await get('phrases', { 'accept-language': 'fr-CA' })
    expect(response.headers.get('content-language')).toBe('fr-CA')
    expect(await response.json()).toMatchObject({
      languageTag: 'fr-CA',
      translation: {
        ...english.translation,
        action: { ...english.translation.action, sign_in: 'Ouvrir une session' },
      },
    })
  })

  it.each([
    { tag: 'ca-ES', requested: 'ca', language: 'ca-ES' },
    { tag: 'fr-CA', requested: 'fr-FR', language: 'fr' },
    { tag: 'zh-MO', requested: 'zh-Hant-MO', language: 'zh-MO' },
    { tag: 'zh-MO', requested: 'zh-Hans-SG', language: 'zh-CN' },
  ])(
    'are in $language if $requested is requested and the operator has added $tag',
    async ({ tag, requested, language }) => {
      await operator.send('PUT', `/custom-phrases/${tag}`, { action: { sign_in: 'x' } })
      expect(await languageOf('', { 'accept-language': requested })).toBe(language)
    },
  )

  it('ignore stored values that this version does not know', async () => {
    await app.env.DB.prepare(
      "insert into custom_phrases (tenant_id, id, language_tag, translation) values ('default', 'old', 'fr-CA', ?)",
    )
      .bind(JSON.stringify({ action: { sign_in: null, gone: 'x', back: 'Retour' }, old: 7, input: 'x' }))
      .run()
    expect(await (await get('phrases?lng=fr-CA&no_cache')).json()).toEqual({
      tenantId: 'default',
      id: 'old',
      languageTag: 'fr-CA',
      translation: { ...english.translation, action: { ...english.translation.action, back: 'Retour' } },
    })
  })

  it('are not sent again if the request contains their ETag, and the response is a 304 with a Content-Language header', async () => {
    const tag = (await get('phrases?lng=de')).headers.get('etag') ?? ''
    const again = await get('phrases?lng=de', { 'if-none-match': tag })
    expect([again.status, again.headers.get('content-language')]).toEqual([304, 'de'])
    expect((await get('phrases?lng=en', { 'if-none-match': tag })).status).toBe(200)
  })

  it('need no round trip to the database once they are cached', async () => {
    await operator.send('PUT', '/custom-phrases/fr-CA', { action: { sign_in: 'Ouvrir une session' } })
    await get('phrases?lng=fr-CA&no_cache')
    app.trips()
    for (const language of ['fr-CA', 'en', 'de']) await get(`phrases?lng=${language}`)
    expect(app.trips()).toEqual({ awaited: 0, afterwards: 0 })
  })
})
