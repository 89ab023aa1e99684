import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCurrentState } from '../../operator/config/current.ts'
import { createDeploymentClient } from '../../operator/deployment.ts'
import { createSeededRandom } from '../../scripts/random.mjs'
import { MANAGEMENT_CLIENT_ID, MANAGEMENT_RESOURCE, MANAGEMENT_SCOPE } from '../../src/contract/product.ts'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  openSignInPage,
  redeemCode,
  registerAccount,
  resumeAuthorization,
  signIn,
} from '../kit/clients/cookie-client.ts'
import { startLibsqlServer } from '../kit/libsql-server.ts'
import { sweepOfProcess } from '../kit/sweep.ts'
import { ORIGIN, openTwoReleases, type Release, type TwoReleases } from './releases/two-releases.ts'

/**
 * During a deployment, and after a rollback, the previous release and the current code serve users on one database
 * (spec/storage#migrations, ADR-0188). Here, each request of a user may reach either of them.
 */
const { isExhaustive, seed } = sweepOfProcess()

/** `parallel` is the number of journeys at the same time. A libSQL server writes them one after the other. */
const databases = [
  { database: 'D1', parallel: 6, start: async () => ({ url: undefined, stop: () => {} }) },
  { database: 'libSQL', parallel: 2, start: startLibsqlServer },
] as const
const REDIRECT_URI = 'https://app.example.com/callback'
const MINUTE = 60_000

const MAIL_URL = 'https://mail.example.com/'
const HOOK_URL = 'https://hooks.example.com/'

type Connector = Record<'id' | 'config' | 'metadata', unknown>
type Machine = { id: string; secret: string }
/** Returns the release to which the next request goes. */
type Chooser = () => Release
type Tokens = { access_token: string; refresh_token: string; id_token: string }

describe.each(isExhaustive ? databases : databases.slice(0, 1))(
  'two releases on one $database',
  { timeout: 10 * MINUTE },
  ({ start, parallel }) => {
    const journeys = parallel * (isExhaustive ? 16 : 1)
    let releases: TwoReleases
    let libsql: Awaited<ReturnType<(typeof databases)[number]['start']>>
    let clientId = ''
    let visitors = 0
    /** Users of the previous release, from before the database was upgraded. */
    const early: Visit[] = []
    let machine: Machine
    let stored: unknown[]
    let planned: unknown

    beforeAll(async () => {
      libsql = await start()
      releases = await openTwoReleases(libsql.url)
      const previous = await operatorAt(releases.previous)
      const application = await previous.send('POST', '/applications', {
        name: 'Shop',
        type: 'SPA',
        oidcClientMetadata: { redirectUris: [REDIRECT_URI], postLogoutRedirectUris: [REDIRECT_URI] },
      })
      clientId = String(application.id)
      machine = (await previous.send('POST', '/applications', {
        name: 'Robot',
        type: 'MachineToMachine',
      })) as Machine
      await previous.send('POST', '/connectors', {
        connectorId: 'http-email',
        config: { endpoint: MAIL_URL, authentication: 'Bearer', secret: 'of the mail service' },
      })
      await previous.send('POST', '/hooks', {
        event: 'PostSignIn',
        config: { url: HOOK_URL, retries: 1, headers: { 'x-key': 'of the receiver' } },
      })
      await previous.send('PATCH', '/sign-in-exp', { customCss: '.card { color: teal }' })
      await previous.send('PATCH', '/configs/settings', {
        passwordPolicy: { haveIBeenPwned: false, rules: 'Length' },
      })
      for (let number = 0; number < 6; number++) early.push(await register(() => releases.previous))
      stored = await readStored(previous)
      planned = await readWithCommands(releases.previous)
      await releases.upgradeDatabase()
    }, 5 * MINUTE)
    afterAll(async () => {
      await releases?.close()
      libsql?.stop()
    })

    /** Returns what an operator reads of the application, the connector, the hook, the settings and the users. */
    async function readStored({ send }: Awaited<ReturnType<typeof operatorAt>>): Promise<unknown[]> {
      const paths = ['/applications', '/connectors', '/hooks', '/configs/settings', '/sign-in-exp', '/users']
      const answers = []
      for (const path of paths) answers.push(await send('GET', path))
      // The texts and the fields of a connector are those of the version.
      const [applications, connectors, ...others] = answers as [unknown, Connector[], ...unknown[]]
      return [
        applications,
        connectors.map(({ id, config, metadata }) => ({ id, config, metadata })),
        ...others,
      ]
    }

    /** Returns what `npm run config` of the current code reads from a release. */
    async function readWithCommands(release: Release) {
      const env = { VESTIBULE_ORIGIN: ORIGIN, VESTIBULE_CLIENT_SECRET: releases.managementSecret }
      const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
        const request = new Request(input, init)
        const { method, headers } = request
        const path = request.url.slice(ORIGIN.length)
        const body = method === 'GET' ? {} : { body: await request.text() }
        return release.fetch(path, { method, headers, ...body })
      }
      const { state } = await readCurrentState(createDeploymentClient({}, { env, fetch, folder: '' }))
      return state
    }

    async function operatorAt(release: Release) {
      const response = await release.fetch('/oidc/token', {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${MANAGEMENT_CLIENT_ID}:${releases.managementSecret}`)}` },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          resource: MANAGEMENT_RESOURCE.indicator,
          scope: MANAGEMENT_SCOPE.name,
        }),
      })
      const { access_token } = await expectJson<Tokens>(response, 'a token of the operator')
      const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
      const send = async (method: string, path: string, body?: unknown) => {
        const sent =
          body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
        return expectJson<Record<string, unknown>>(
          await release.fetch(`/api${path}`, sent),
          `${method} ${path} at the ${release.name} release`,
        )
      }
      return { send }
    }

    /** Returns a function that sends each request of a user to another release, in an order that the seed decides. */
    function shuffled(number: number): Chooser {
      if (number < 2) {
        let calls = number
        return () => (calls++ % 2 === 0 ? releases.previous : releases.current)
      }
      const random = createSeededRandom(seed + number)
      return () => (random() < 0.5 ? releases.previous : releases.current)
    }

    type Visit = { username: string; browser: ReturnType<typeof newCookieClient>; tokens: Tokens }

    /** Each visitor comes from another network, because networks are limited. */
    function appAt(choose: Chooser) {
      const headers = { 'cf-connecting-ip': `2001:db8:${(++visitors).toString(16)}::1` }
      return {
        fetch: (path: string, init?: RequestInit) =>
          choose().fetch(path, {
            ...init,
            headers: { ...headers, ...Object.fromEntries(new Headers(init?.headers)) },
          }),
      }
    }

    const request = (more: Record<string, string> = {}) =>
      authorizationRequest({
        client_id: clientId,
        redirect_uri: REDIRECT_URI,
        scope: 'openid profile offline_access',
        ...more,
      })

    const register = (choose: Chooser) => enter(choose, freshName(), registerAccount)

    /** Goes through the sign-in pages, and redeems the code for tokens. */
    async function enter(choose: Chooser, username: string, submit: typeof signIn): Promise<Visit> {
      const browser = newCookieClient(appAt(choose))
      const prepared = await request({ prompt: 'consent' })
      const uid = await openSignInPage(browser, prepared)
      expect((await browser.get(`/sign-in?interaction=${uid}`)).status).toBe(200)
      let back = await resumeAuthorization(browser, await submit(browser, uid, username))
      const consent = back.searchParams.get('interaction')
      if (consent)
        back = await resumeAuthorization(
          browser,
          await browser.send('POST', '/api/interaction/consent', undefined, { Interaction: consent }),
        )
      const redeemed = await redeemCode(
        appAt(choose),
        prepared,
        back.searchParams.get('code') ?? '',
        clientId,
      )
      return { username, browser, tokens: await expectJson<Tokens>(redeemed, `the tokens of ${username}`) }
    }

    async function refresh(choose: Chooser, { tokens }: Visit): Promise<Response> {
      return choose().fetch('/oidc/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: clientId,
          refresh_token: tokens.refresh_token,
        }),
      })
    }

    /** Returns the parameters with which a silent sign-in leads back to the application. */
    async function signInSilently(choose: Chooser, { browser }: Visit): Promise<URLSearchParams> {
      const silent = newCookieClient(appAt(choose))
      for (const [key, cookie] of browser.cookies) silent.cookies.set(key, cookie)
      const response = await silent.get((await request({ prompt: 'none', scope: 'openid' })).url)
      for (const [key, cookie] of silent.cookies) browser.cookies.set(key, cookie)
      return new URL(response.headers.get('location') ?? '').searchParams
    }

    async function signOut(choose: Chooser, { browser, tokens }: Visit): Promise<void> {
      const leaving = newCookieClient(appAt(choose))
      for (const [key, cookie] of browser.cookies) leaving.cookies.set(key, cookie)
      const query = new URLSearchParams({
        id_token_hint: tokens.id_token,
        client_id: clientId,
        post_logout_redirect_uri: REDIRECT_URI,
      })
      const page = await leaving.get(`/oidc/session/end?${query}`)
      const form = await page.text()
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(form)?.[1] ?? ''
      const action = /action="([^"]+)"/.exec(form)?.[1]?.replaceAll('&amp;', '&') ?? ''
      if (xsrf)
        await leaving.post(new URL(action, 'https://id.example.com').pathname, { xsrf, logout: 'yes' })
    }

    /** Uses everything that a visit has, and ends it. */
    async function completeVisit(choose: Chooser, visit: Visit): Promise<void> {
      const me = await choose().fetch('/oidc/me', {
        headers: { authorization: `Bearer ${visit.tokens.access_token}` },
      })
      expect(await expectJson(me, 'userinfo')).toMatchObject({ username: visit.username })
      visit.tokens = {
        ...visit.tokens,
        ...(await expectJson<Tokens>(await refresh(choose, visit), 'a refresh')),
      }
      visit.tokens = {
        ...visit.tokens,
        ...(await expectJson<Tokens>(await refresh(choose, visit), 'a refresh')),
      }
      expect((await signInSilently(choose, visit)).get('code')).not.toBeNull()
      await signOut(choose, visit)
      expect((await signInSilently(choose, visit)).get('error')).toBe('login_required')
      const again = await enter(choose, visit.username, signIn)
      expect((await signInSilently(choose, again)).get('code')).not.toBeNull()
    }

    it('keep everything in an upgrade: entities, their secrets, sessions and refresh tokens', async () => {
      const current = () => releases.current
      const operator = await operatorAt(releases.current)
      const after = await readStored(operator)
      // A later version may add fields.
      expect(after).toMatchObject(stored)
      expect(await readWithCommands(releases.current)).toMatchObject(planned as object)
      expect((await tokenOf(releases.current, machine)).status).toBe(200)

      await operator.send('POST', '/connectors/http-email/test', {
        email: 'ann@example.com',
        config: { endpoint: MAIL_URL, authentication: 'Bearer', secret: '********' },
      })
      const mail = releases.sent.find(({ url }) => url === MAIL_URL)
      expect(mail?.headers.get('authorization')).toBe('Bearer of the mail service')

      await Promise.all(early.slice(0, 2).map((visit) => completeVisit(current, visit)))
      await expect
        .poll(() => releases.sent.find(({ url }) => url === HOOK_URL)?.headers.get('x-key'), {
          timeout: MINUTE,
        })
        .toBe('of the receiver')
    })

    it('let users who registered before the upgrade refresh, sign in silently, sign out and sign in again', async () => {
      await Promise.all(early.slice(2).map((visit, number) => completeVisit(shuffled(number), visit)))
    })

    it('let users register, refresh, sign out and sign in, whichever release answers a request', async () => {
      const registeredBefore = Number(await releases.valueOf('select count(*) from users'))
      for (let first = 0; first < journeys; first += parallel)
        await Promise.all([
          ...Array.from({ length: parallel }, async (_, index) => {
            const choose = shuffled(first + index)
            await completeVisit(choose, await register(choose))
          }),
          releases.previous.runScheduled(),
          releases.current.runScheduled(),
        ])
      expect(await releases.valueOf('select count(*) from users')).toBe(registeredBefore + journeys)
    })

    it('give one successor when both releases receive the same refresh token', async () => {
      const visit = await register(() => releases.current)
      const answers = await Promise.all([
        refresh(() => releases.previous, visit),
        refresh(() => releases.current, visit),
      ])
      const successors = await Promise.all(answers.filter(({ ok }) => ok).map((answer) => answer.json()))
      expect(new Set(successors.map((tokens) => (tokens as Tokens).refresh_token)).size).toBe(1)
    })

    it.each([
      ['previous', 'current'],
      ['current', 'previous'],
    ] as const)('read the sealed values of each other: %s writes, %s reads', async (from, to) => {
      const [writer, reader] = [await operatorAt(releases[from]), await operatorAt(releases[to])]
      const name = `${from}-writes`
      const endpoint = `https://${name}.example.com/`
      await writer.send('POST', '/connectors', {
        id: name,
        connectorId: 'http-sms',
        config: { endpoint, authentication: 'Bearer', secret: name },
      })
      expect(await reader.send('GET', `/connectors/${name}`)).toMatchObject({ config: { endpoint } })
      await reader.send('DELETE', `/connectors/${name}`)

      const hook = await writer.send('POST', '/hooks', {
        event: 'PostSignIn',
        config: { url: 'https://hooks.example.com/', retries: 1, headers: { 'x-key': name } },
      })
      expect(await reader.send('GET', `/hooks/${hook.id}`)).toMatchObject({
        config: { headers: { 'x-key': name } },
      })

      const client = (await writer.send('POST', '/applications', {
        name,
        type: 'MachineToMachine',
      })) as Machine
      expect((await tokenOf(releases[to], client)).status).toBe(200)
    })

    it('log no errors, neither for requests nor in their scheduled runs', () => {
      expect(releases.errors).toEqual([])
    })
  },
)

const tokenOf = (release: Release, { id, secret }: Machine) =>
  release.fetch('/oidc/token', {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource: MANAGEMENT_RESOURCE.indicator }),
  })

/** Returns the body of a successful response, or fails with the body of an error. */
async function expectJson<T = unknown>(response: Response, subject: string): Promise<T> {
  const text = await response.text()
  expect([subject, response.status, response.ok ? '' : text]).toEqual([subject, expect.any(Number), ''])
  return (text === '' ? {} : JSON.parse(text)) as T
}
