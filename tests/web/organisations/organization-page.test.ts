import { beforeAll, describe, expect, it } from 'vitest'
import { ORIGIN } from '../../kit/clients/cookie-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { organizationIn, redeem, visit } from '../../kit/clients/organization-client.ts'
import { type Application, newApplication } from '../../kit/clients/token-client.ts'
import { compressedSize } from '../../kit/compressed-size.ts'
import {
  removeMembership,
  storeMembership,
  storeOrganization,
} from '../../kit/organisations/organizations.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

const MOST_BYTES = 14 * 1024 // one initial congestion window, as for the other pages

describe('the page that asks for an organisation', () => {
  let app: TestApp
  let optional: Application
  let required: Application
  beforeAll(async () => {
    app = openTestApp()
    const operator = await newOperator(app)
    const withMode = (organizationMode: string) =>
      newApplication(operator, { customClientMetadata: { organizationMode } })
    optional = await withMode('optional')
    required = await withMode('required')
  })

  async function open(names: readonly string[], application = optional) {
    const { client: browser, userId } = await storeVisitor(app)
    const ids = await Promise.all(
      names.map(async (name) => {
        const organizationId = await storeOrganization({ name })
        await storeMembership({ organizationId, userId, roleIds: [] })
        return organizationId
      }),
    )
    const visited = await visit(browser, application)
    const page = visited.back.pathname + visited.back.search
    return { browser, userId, ids, visited, page }
  }

  const choicesIn = (html: string) =>
    [...html.matchAll(/value="([^"]+)" name="organization"/g)].map(([, value]) => value)

  it('shows 120 organisations in 14 kB after one round trip, with a search', async () => {
    const { browser, page } = await open(Array.from({ length: 120 }, (_, n) => `Company number ${n} Ltd`))
    await browser.get(page) // caches the settings and the application
    app.trips()
    const response = await browser.get(page)
    const html = await response.text()
    expect(app.trips().awaited).toBe(1)
    expect(compressedSize(html)).toBeLessThan(MOST_BYTES)
    expect(choicesIn(html)).toHaveLength(121)
    expect(html).toContain('type="search"')
  })

  it('searches on the server without a script', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `Company ${n}`)
    const { browser, page, ids } = await open([...names, 'Société Générale'], required)
    const html = await (await browser.get(`${page}&search=soci%C3%A9t%C3%A9%20g`)).text()
    expect(choicesIn(html)).toEqual([ids.at(-1)])
    const empty = await (await browser.get(`${page}&search=nothing`)).text()
    expect(empty).toContain('No organization matches.')
  })

  it('takes the choice without a script, and offers the last used organisation first', async () => {
    const { browser, page, ids, visited } = await open(['Acme', 'Beta'])
    const html = await (await browser.get(page)).text()
    expect(choicesIn(html)).toEqual([...ids, 'personal'])
    expect(html).not.toContain('class="last-used"')
    const interaction = visited.back.searchParams.get('interaction') ?? ''
    const sent = await browser.post('/organization', { interaction, organization: ids[1] ?? '' })
    expect(sent.status).toBe(303)
    const resumed = await browser.get(sent.headers.get('location') ?? '')
    const back = new URL(resumed.headers.get('location') ?? '', ORIGIN)
    expect(organizationIn((await redeem(app, optional, { ...visited, back })).id_token)).toBe(ids[1])

    const again = await visit(browser, required, { prompt: 'select_organization' })
    const next = await (await browser.get(again.back.pathname + again.back.search)).text()
    expect(choicesIn(next)).toEqual([ids[1], ids[0]])
    expect(next).toContain('class="last-used"')
  })

  it.each([
    ['an organisation that the user has just left', 'left'],
    ['one of strangers', 'foreign'],
    ['none where one is required', 'personal'],
  ])('refuses %s, and still offers the others', async (_, choice) => {
    const { browser, page, ids, userId, visited } = await open(['Acme', 'Beta', 'Gamma'], required)
    const foreign = await storeOrganization()
    await removeMembership(ids[2] ?? '', userId)
    const organization = { left: ids[2], foreign }[choice] ?? choice
    const interaction = visited.back.searchParams.get('interaction') ?? ''
    const sent = await browser.post('/organization', { interaction, organization })
    expect(sent.status).toBe(422)
    const html = await sent.text()
    expect(html).toContain('You’re not a member of this organization.')
    expect(choicesIn(html)).toEqual(ids.slice(0, 2))
    const headers = { Interaction: interaction }
    const body = { organizationId: organization }
    const call = await browser.send('POST', '/api/interaction/organization', body, headers)
    expect([call.status, await call.json()]).toMatchObject([403, { code: 'organization.not_member' }])
    expect((await browser.get(page)).status).toBe(200)
  })

  it('answers a second choice and an interaction that does not ask with an error', async () => {
    const { browser, ids, visited } = await open(['Acme', 'Beta'])
    const headers = { Interaction: visited.back.searchParams.get('interaction') ?? '' }
    const choose = (organizationId = ids[0]) =>
      browser.send('POST', '/api/interaction/organization', { organizationId }, headers)
    expect((await choose()).status).toBe(200)
    expect(await (await choose()).json()).toMatchObject({ code: 'session.verification_session_not_found' })
    const other = await visit(browser, optional, { prompt: 'login' })
    headers.Interaction = other.back.searchParams.get('interaction') ?? ''
    expect(await (await choose()).json()).toMatchObject({ code: 'session.not_found' })
  })
})
