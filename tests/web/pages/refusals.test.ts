import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import english from '../../../locales/en.json'
import { formValues, identifierFor, pagesWithForms } from '../../client/refused-calls.ts'
import { ORIGIN } from '../../kit/clients/cookie-client.ts'
import { beginInteraction, type InteractionClient } from '../../kit/clients/interaction-client.ts'
import { seenText } from '../../kit/seen-text.ts'
import { everyMethod, setExperience } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Posts the form of every page to the whole Worker while its database fails, to check that the server shows refusals
 * as tests/client/refusals.test.ts expects for every code.
 */

const SAME_ORIGIN = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }

/**
 * The pages whose form makes no call that reads the database, that need a provider, a passkey or a consent, or that
 * themselves show rows of the database.
 */
const isElsewhere = (path: string) =>
  /^\/sign-in$|account|passkey|consent|organization|social|second-factor$|choose|set-up/.test(path)

let app: TestApp
let interaction: InteractionClient

beforeAll(async () => {
  app = openTestApp()
  await setExperience(app, {
    methods: everyMethod,
    signUp: { identifiers: ['username', 'email', 'phone'], password: true, verify: true },
  })
})
beforeEach(async () => {
  interaction = await beginInteraction(app)
  await interaction.start('SignIn')
})
afterEach(() => app.beforeEachTrip(null))

describe('a refusal', () => {
  const pages = pagesWithForms.filter(({ name, path }) => !isElsewhere(path) && !name.includes('without'))

  it.each(pages)('is shown without JavaScript on the page "$name"', async ({ path, search, navigation }) => {
    const { client, uid, call } = interaction
    const address = path + search.replace('interaction=uid', `interaction=${uid}`)
    await call('PUT', '/step', { ...navigation })
    await client.get(address) // the settings and phrases are cached from now on
    app.beforeEachTrip(() => {
      throw new Error('D1_ERROR: the database is down')
    })
    const form = { ...formValues, identifier: identifierFor({ path }), interaction: uid }
    const answer = await client.post(address, form, SAME_ORIGIN)
    const html = await answer.text()
    expect([answer.status, seenText(html)]).toEqual([
      422,
      expect.stringContaining(english.errors.server.internal),
    ])
    expect(html).toContain('<title>Error: ')
  })
})
