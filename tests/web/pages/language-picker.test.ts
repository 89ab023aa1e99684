import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadCatalogue } from '../../../src/contract/catalogue.ts'
import { DEFAULT_EXPERIENCE } from '../../../src/contract/experience/experience.ts'
import { builtInLanguages } from '../../../src/contract/experience/languages.ts'
import { textDirection } from '../../../src/domain/experience/direction.ts'
import { findPhrase } from '../../../src/domain/messages.ts'
import {
  authorizationRequest,
  type CookieClient,
  newCookieClient,
  openSignInPage,
} from '../../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { spread } from '../../kit/sweep.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

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
  client.cookies.delete('i18next')
  await operator.send('PATCH', '/sign-in-exp', { languageInfo: DEFAULT_EXPERIENCE.languageInfo })
  await operator.send('DELETE', '/custom-phrases/cb-IQ')
})

/** A language in the picker, with the query of the page to which it links. */
type Choice = { query: string; lang: string; isCurrent: boolean; name: string }

/** Returns the languages in the language picker of a page, which needs no JavaScript. */
async function choices(page: Response): Promise<Choice[]> {
  const html = await page.text()
  const list = /<details class="languages">(.*?)<\/details>/s.exec(html)?.[1] ?? ''
  const hiddenFields = [...list.matchAll(/<input [^>]*name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
  )
  return [...list.matchAll(/<button ([^>]*)>(.*?)<\/button>/g)].map(([, attributes = '', name = '']) => ({
    query: new URLSearchParams([
      ...hiddenFields,
      ['lng', /value="([^"]*)"/.exec(attributes)?.[1] ?? ''],
    ]).toString(),
    lang: / lang="([^"]*)"/.exec(attributes)?.[1] ?? '',
    isCurrent: attributes.includes('aria-current="true"'),
    name,
  }))
}

/** Every fifth language. An exhaustive run has all of them. */
const someLanguages = env.TEST_SWEEP.isExhaustive ? [...builtInLanguages] : spread(builtInLanguages, 7)

const tagOf = ({ query }: Choice) => new URLSearchParams(query).get('lng')

describe('the language picker', () => {
  it('lists each language under its native name and marks the current one', async () => {
    const offered = await choices(await client.get(`/sign-in?interaction=${uid}`))
    expect(offered).toHaveLength(32)
    const names = offered.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['Deutsch', 'Português (Brasil)', '简体中文', 'العربية']))
    expect(offered.map(tagOf).sort()).toEqual([...builtInLanguages].sort())
    expect(offered.filter(({ isCurrent }) => isCurrent).map(tagOf)).toEqual(['en'])
  })

  it('preserves the interaction and the rest of the query', async () => {
    const [first] = await choices(await client.get(`/sign-in?interaction=${uid}&notification=x&lng=ru`))
    expect(first?.query).toBe(`interaction=${uid}&notification=x&lng=id`)
  })

  it.each(someLanguages)('switches the page to %s on the server and remembers the choice', async (tag) => {
    const offered = await choices(await client.get(`/sign-in?interaction=${uid}`))
    const page = await client.get(`/sign-in?${offered.find((choice) => tagOf(choice) === tag)?.query}`)
    expect(page.headers.get('content-language')).toBe(tag)
    expect(await page.clone().text()).toMatch(
      new RegExp(`^<!doctype html><html lang="${tag}" dir="${textDirection(tag)}"`),
    )
    expect((await choices(page)).filter(({ isCurrent }) => isCurrent).map(tagOf)).toEqual([tag])

    const next = await client.get(`/register?interaction=${uid}`, { 'accept-language': 'xx' })
    expect(next.headers.get('content-language')).toBe(tag)
  })

  it.each(['/unknown-session', '/no-such-page?a=b', '/oidc/auth?client_id=nobody', '/signed-in'])(
    'appears on pages without an interaction: %s',
    async (path) => {
      const offered = await choices(await app.fetch(path, { headers: { accept: 'text/html' } }))
      const [, query] = path.split('?')
      expect(offered.map((choice) => choice.query)).toContain(`${query ? `${query}&` : ''}lng=ko`)
    },
  )

  it('includes a language as soon as the operator adds it, with a standard language tag', async () => {
    const before = await choices(await client.get(`/sign-in?interaction=${uid}`))
    expect(before).toHaveLength(32)
    await operator.send('PUT', '/custom-phrases/cb-IQ', { action: { sign_in: 'چوونەژوورەوە' } })
    const after = await choices(await client.get(`/sign-in?interaction=${uid}`))
    expect(after.find((choice) => tagOf(choice) === 'cb-IQ')).toMatchObject({
      name: 'کوردیی ناوەندی',
      lang: 'ckb-IQ',
    })

    const page = await client.get(`/sign-in?interaction=${uid}&lng=cb-IQ`)
    const html = await page.text()
    expect(html).toContain('<html lang="ckb-IQ" dir="rtl"')
    expect(html).toContain('چوونەژوورەوە')
  })

  it('is absent if the operator has fixed the language', async () => {
    const languageInfo = { autoDetect: false, fallbackLanguage: 'fr' }
    await operator.send('PATCH', '/sign-in-exp', { languageInfo })
    const page = await client.get(`/sign-in?interaction=${uid}`)
    expect(page.headers.get('content-language')).toBe('fr')
    expect(await choices(page)).toEqual([])
  })
})

describe('an API error message', () => {
  it.each(someLanguages)('is in %s', async (tag) => {
    const answer = await app.fetch('/api/interaction', {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'accept-language': tag },
      body: '{}',
    })
    const { message } = (await answer.json()) as { message: string }
    expect(message).toBe(findPhrase((await loadCatalogue(tag)).errors, 'session.not_found'))
  })
})
