import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_EXPERIENCE } from '../../../src/contract/experience/experience.ts'
import type { BootData } from '../../../src/contract/interactions/boot.ts'
import {
  authorizationRequest,
  type CookieClient,
  newCookieClient,
  openSignInPage,
} from '../../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Languages that are not built in, with their writing direction. */
const addedLanguages = { ur: 'rtl', 'sr-Latn': 'ltr', 'yo-NG': 'ltr', 'ks-Arab': 'rtl' }
const addedTags = Object.keys(addedLanguages)

let app: TestApp
let operator: Operator
let client: CookieClient
let uid: string

beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  client = newCookieClient(app)
  uid = await openSignInPage(client, await authorizationRequest())
})
beforeEach(async () => {
  await operator.send('PATCH', '/sign-in-exp', { languageInfo: DEFAULT_EXPERIENCE.languageInfo })
  for (const tag of ['en', 'fr-CA', 'ca-ES', ...addedTags])
    await operator.send('DELETE', `/custom-phrases/${tag}`)
})

const setSignInText = (tag: string, text: string) =>
  operator.send('PUT', `/custom-phrases/${tag}`, { action: { sign_in: text } })

async function signInPage(query = '', headers: Record<string, string> = {}) {
  // A language in a URL is stored in a cookie, which this test must not use.
  client.cookies.delete('i18next')
  const page = await client.get(`/sign-in?interaction=${uid}${query}`, headers)
  const html = await page.text()
  const json = /<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(html)?.[1]
  const boot: BootData = JSON.parse(json ?? 'null')
  return { language: page.headers.get('content-language'), html, boot }
}

describe('a page’s phrases', () => {
  it('are built-in until the operator saves custom phrases, which apply immediately', async () => {
    const before = await signInPage()
    expect(before.html).toContain('>Sign in<')

    await setSignInText('de', 'Hereinspaziert')
    const german = await signInPage('&lng=de')
    expect(german.html).toContain('Hereinspaziert')
    expect(german.boot.phrases).toMatchObject({
      action: { sign_in: 'Hereinspaziert', create_account: expect.stringMatching(/^K/) },
    })
    expect((await signInPage()).html).not.toContain('Hereinspaziert')

    await setSignInText('de', 'Willkommen')
    expect((await signInPage('&lng=de')).html).toContain('Willkommen')
    await operator.send('DELETE', '/custom-phrases/de')
    expect((await signInPage('&lng=de')).html).not.toContain('Willkommen')
  })

  it('can be in a language that the operator has added, with missing phrases in English', async () => {
    const catalan = { 'accept-language': 'ca' }
    expect((await signInPage('', catalan)).language).toBe('en')
    await setSignInText('ca-ES', 'Accedeix')
    const page = await signInPage('', catalan)
    expect(page.language).toBe('ca-ES')
    expect(page.html).toContain('<html lang="ca-ES"')
    expect(page.html).toContain('>Accedeix<')
    expect(page.boot.phrases).toMatchObject({ action: { create_account: 'Create account' } })
  })

  it.each(Object.entries(addedLanguages))(
    'can be in %s, a language without built-in phrases, with the direction %s',
    async (tag, dir) => {
      expect((await signInPage(`&lng=${tag}`)).language).toBe('en')
      expect((await setSignInText(tag, `Sign in, in ${tag}`)).status).toBe(200)
      const page = await signInPage('', { 'accept-language': tag })
      expect([page.language, page.boot.language]).toEqual([tag, tag])
      expect(page.html).toContain(`<html lang="${tag}" dir="${dir}"`)
      expect(page.html).toContain(`>Sign in, in ${tag}<`)
      // Phrases that the operator has not translated are in English, and the picker has a name for the language.
      expect(page.html).toContain('>Username<')
      expect(page.html).toMatch(new RegExp(`<button[^>]* value="${tag}"[^>]*>\\p{L}`, 'u'))
    },
  )

  it('are in the fallback language if detection is off, unless the URL requests another language', async () => {
    await setSignInText('fr-CA', 'Ouvrir une session')
    await operator.send('PATCH', '/sign-in-exp', {
      languageInfo: { autoDetect: false, fallbackLanguage: 'de' },
    })
    expect((await signInPage('', { 'accept-language': 'fr-CA' })).language).toBe('de')
    expect((await signInPage('&lng=fr-CA')).language).toBe('fr-CA')
  })

  it('need no database round trip once they are cached', async () => {
    await setSignInText('fr-CA', 'Ouvrir une session')
    await signInPage('&lng=fr-CA&no_cache')
    app.trips()
    for (let context = 0; context < 3; context++) {
      expect((await signInPage('&lng=fr-CA')).html).toContain('Ouvrir une session')
      await signInPage('&lng=de')
    }
    expect(app.trips()).toEqual({ awaited: 0, afterwards: 0 })
  })

  it('are in an added language on error pages, too', async () => {
    await setSignInText('fr-CA', 'Ouvrir une session')
    const page = await app.fetch('/no/such/page?lng=fr-CA')
    expect([page.status, page.headers.get('content-language')]).toEqual([404, 'fr-CA'])
  })
})
