import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import * as openid from 'openid-client'
import type { Locator } from 'playwright'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runPlans } from '../../../scripts/conformance.mjs'
import { plans } from '../../../scripts/conformance-plans.mjs'
import { PASSWORD } from '../../kit/clients/cookie-client.ts'
import { freePort } from '../../kit/free-port.ts'
import { browserSweep, desktopOptions, openBrowser } from '../browser.ts'
import type { NewApplication } from '../management.ts'
import { openTenant } from '../tenant.ts'
import {
  type Browser,
  type Modules,
  openSuite,
  type Run,
  type Suite,
  type SuiteClient,
} from './conformance-suite.ts'

/**
 * Runs all plans of `npm run conformance` against the started server, with a stand-in for the suite. Its modules are
 * shorter than those of the suite, but its browser follows the same configuration through the same pages.
 */

const ALIAS = 'vestibule'
const tenant = await openTenant()
const { origin, call } = tenant
const resourcePort = await freePort()

async function newKeys(): Promise<{ secret: { keys: JWK[] }; open: { keys: JWK[] } }> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const more = { kid: crypto.randomUUID(), alg: 'ES256' }
  const [secret, open] = [await exportJWK(privateKey), await exportJWK(publicKey)]
  const { key_ops: _secretUse, ext: _secretExt, ...secretKey } = secret
  const { key_ops: _openUse, ext: _openExt, ...openKey } = open
  return { secret: { keys: [{ ...secretKey, ...more }] }, open: { keys: [{ ...openKey, ...more }] } }
}

/** Creates the applications as docs/development/conformance.md describes them. */
async function newClient(type: string, address: string, custom?: object) {
  const callback = `${address}/test/a/${ALIAS}/callback`
  const keys = custom && (await newKeys())
  const isMachine = type === 'MachineToMachine'
  const { id, secret } = await call<NewApplication>('POST', '/applications', {
    name: 'Conformance',
    type,
    oidcClientMetadata: isMachine
      ? {}
      : {
          redirectUris: [callback, `${callback}?dummy1=lorem&dummy2=ipsum`],
          postLogoutRedirectUris: [`${address}/test/a/${ALIAS}/post_logout_redirect`],
        },
    customClientMetadata: { ...custom, ...(keys && { jwks: keys.open }) },
  })
  return { client_id: id, ...(keys ? { jwks: keys.secret } : { client_secret: secret }) }
}

async function newDeployment(suite: Suite) {
  const pair = async (type: string, custom?: object) => ({
    client: await newClient(type, suite.address, custom),
    client2: await newClient(type, suite.address, custom),
  })
  const [user, decliner] = [await tenant.registeredName(), await tenant.registeredName()]
  return {
    issuer: `${origin}/oidc`,
    alias: ALIAS,
    suite: suite.address,
    user: { username: user, password: PASSWORD },
    decliner: { username: decliner, password: PASSWORD },
    web: await pair('Traditional'),
    fapi: await pair('Traditional', { fapi2: true, isThirdParty: true }),
    machines: await pair('MachineToMachine', { fapi2: true }),
    resource: { url: `http://localhost:${resourcePort}/`, port: resourcePort },
  }
}

async function configurationOf({ config }: Run, { client_id: id, client_secret: secret, jwks }: SuiteClient) {
  const [jwk] = (jwks?.keys ?? []) as JWK[]
  const key = jwk && ((await importJWK(jwk, 'ES256')) as CryptoKey)
  const authentication = key
    ? openid.PrivateKeyJwt({ key, ...(jwk?.kid && { kid: jwk.kid }) })
    : openid.ClientSecretBasic(secret ?? '')
  return openid.discovery(new URL(config.server.discoveryUrl), id, undefined, authentication)
}

type Parameters = Record<string, string>

/** Signs the user in at a client, with or without keys, and returns the tokens. */
async function signIn(run: Run, parameters: Parameters = {}, client = run.config.client) {
  const configuration = await configurationOf(run, client)
  const isFapi = client.jwks !== undefined
  const DPoP = isFapi
    ? openid.getDPoPHandle(configuration, await openid.randomDPoPKeyPair('ES256'))
    : undefined
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const expectedState = openid.randomState()
  const { code_challenge, ...request } = {
    redirect_uri: run.redirectUri,
    scope: client.scope,
    state: expectedState,
    code_challenge_method: 'S256',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    ...parameters,
  }
  const sent = { ...request, code_challenge }
  const url = isFapi
    ? await openid.buildAuthorizationUrlWithPAR(configuration, sent, DPoP && { DPoP })
    : openid.buildAuthorizationUrl(configuration, sent)
  const redeem = async () => {
    const back = run.callback()
    const tokens = await openid.authorizationCodeGrant(
      configuration,
      back,
      { pkceCodeVerifier, expectedState },
      undefined,
      DPoP && { DPoP },
    )
    return { tokens, configuration, DPoP }
  }
  return { url, redeem, configuration }
}

async function completeFlow(run: Run, parameters: Parameters = {}, client = run.config.client) {
  const { url, redeem } = await signIn(run, parameters, client)
  await run.visit(url)
  return redeem()
}

/** Calls the resource of the plan. FAPI plans require a `Date` header, as RFC 9110 §6.6.1 does. */
async function callResource(
  { config }: Run,
  { tokens, configuration, DPoP }: Awaited<ReturnType<typeof completeFlow>>,
) {
  const url = new URL(config.resource.resourceUrl)
  if (url.protocol === 'http:') openid.allowInsecureRequests(configuration)
  const options = DPoP && { DPoP }
  const answer = await openid.fetchProtectedResource(
    configuration,
    tokens.access_token,
    url,
    'GET',
    undefined,
    undefined,
    options,
  )
  if (answer.status !== 200 || !answer.headers.get('date'))
    throw new Error(`the resource responds with ${answer.status}: ${await answer.text()}`)
}

const happyFlow = async (run: Run) => callResource(run, await completeFlow(run))

const ofWeb: ReturnType<Modules> = {
  'oidcc-server': happyFlow,
  async 'oidcc-refresh-token'(run) {
    const { tokens } = await completeFlow(run, { prompt: 'consent' })
    if (!tokens.refresh_token) throw new Error('there is no refresh token')
    await completeFlow(run, { prompt: 'consent' }, run.config.client2)
  },
  async 'oidcc-prompt-login'(run) {
    await completeFlow(run)
    const { url, redeem } = await signIn(run, { prompt: 'login' })
    await run.visit(url, 'The server must show the login page again')
    await redeem()
  },
  async 'oidcc-prompt-none-logged-in'(run) {
    await completeFlow(run)
    await completeFlow(run, { prompt: 'none' })
  },
  async 'oidcc-claims-essential'(run) {
    await completeFlow(run, { claims: '{"userinfo":{"name":{"essential":true}}}', scope: 'openid' })
  },
  async 'oidcc-ensure-registered-redirect-uri'(run) {
    const { url } = await signIn(run, { redirect_uri: `${run.redirectUri}/other` })
    await run.visit(url, 'The server must show an error page')
  },
}

const logoutUrl = (run: Run, parameters: Parameters) =>
  `${run.config.server.discoveryUrl.replace(/\/\.well-known.*/, '')}/session/end?${new URLSearchParams(parameters)}`

const ofLogout: ReturnType<Modules> = {
  async 'oidcc-rp-initiated-logout'(run) {
    const { tokens } = await completeFlow(run)
    const after = run.redirectUri.replace('callback', 'post_logout_redirect')
    const request = { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: after, state: 'x' }
    await run.visit(logoutUrl(run, request))
    expect(run.callback().pathname + run.callback().search).toBe(`${new URL(after).pathname}?state=x`)
    const { url } = await signIn(run, { prompt: 'none' })
    await run.visit(url)
    expect(run.callback().searchParams.get('error')).toBe('login_required')
  },
  async 'oidcc-rp-initiated-logout-no-params'(run) {
    await completeFlow(run)
    await run.visit(logoutUrl(run, {}), 'The server must show a page that says the user is signed out')
  },
  async 'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri'(run) {
    const { tokens } = await completeFlow(run)
    const request = {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: 'https://other.example',
    }
    await run.visit(logoutUrl(run, request), 'The server must show an error page')
  },
}

const ofFapi: ReturnType<Modules> = {
  'fapi2-security-profile-final-happy-flow': async (run) => {
    await happyFlow(run)
    const other = { redirect_uri: `${run.redirectUri}?dummy1=lorem&dummy2=ipsum` }
    const { url } = await signIn(run, other, run.config.client2)
    await run.visit(url)
    const { dummy1, dummy2, error } = Object.fromEntries(run.callback().searchParams)
    expect([dummy1, dummy2, error]).toEqual(['lorem', 'ipsum', undefined])
  },
  'fapi2-security-profile-final-user-rejects-authentication': async (run) => {
    for (const client of [run.config.client, run.config.client2]) {
      const { url } = await signIn(run, {}, client)
      await run.visit(url)
      expect(run.callback().searchParams.get('error')).toBe('access_denied')
    }
  },
  'fapi2-security-profile-final-par-ensure-reused-request-uri-prior-to-auth-completion-succeeds': async (
    run,
  ) => {
    const { url, redeem } = await signIn(run)
    await run.visit(url)
    await run.visit(url)
    await redeem()
  },
  'fapi2-security-profile-final-par-attempt-reuse-request_uri': async (run) => {
    const { url, redeem } = await signIn(run)
    await run.visit(url)
    await redeem()
    await run.visit(url, 'The server must show an error page')
  },
}

/** `npm test` leaves out modules whose browser does the same on our pages as that of another module. */
const repetitive = [
  'oidcc-refresh-token',
  'oidcc-prompt-none-logged-in',
  'oidcc-claims-essential',
  'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri',
  'fapi2-security-profile-final-par-ensure-reused-request-uri-prior-to-auth-completion-succeeds',
]
const modulesOf: Modules = (plan, variant) =>
  Object.fromEntries(
    Object.entries(everyModuleOf(plan, variant)).filter(
      ([name]) =>
        browserSweep.isExhaustive ||
        !(
          repetitive.includes(name) ||
          (plan === plans['back-channel-logout'].name && reviewed.includes(name))
        ),
    ),
  )

const everyModuleOf: Modules = (plan, { openid: kind, fapi_profile: profile }) => {
  if (plan === plans.config.name) return { 'oidcc-discovery-endpoint-verification': async () => {} }
  if (plan === plans['form-post'].name)
    return { 'oidcc-server': async (run) => void (await completeFlow(run, { response_mode: 'form_post' })) }
  if (profile === 'fapi_client_credentials_grant')
    return {
      'fapi2-security-profile-final-happy-flow': async (run) => {
        const configuration = await configurationOf(run, run.config.client)
        const DPoP = openid.getDPoPHandle(configuration, await openid.randomDPoPKeyPair('ES256'))
        const parameters = { scope: run.config.client.scope }
        const tokens = await openid.clientCredentialsGrant(configuration, parameters, { DPoP })
        await callResource(run, { tokens, configuration, DPoP })
      },
    }
  if (plan.includes('logout')) return ofLogout
  if (!plan.includes('fapi2')) return ofWeb
  if (kind === 'plain_oauth') return { 'fapi2-security-profile-final-happy-flow': happyFlow }
  return ofFapi
}

const reviewed = [
  'oidcc-prompt-login',
  'oidcc-ensure-registered-redirect-uri',
  'oidcc-rp-initiated-logout-no-params',
  'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri',
  'fapi2-security-profile-final-par-attempt-reuse-request_uri',
]

/**
 * HtmlUnit runs only classic scripts, and all of ours are modules. It draws nothing, so nothing can cover a button, and
 * a click returns when the next page has been loaded.
 */
async function openHtmlUnit(): Promise<Browser> {
  const { page } = await openBrowser(desktopOptions)
  await page.route('**/*', (route) =>
    route.request().resourceType() === 'script' ? route.abort() : route.continue(),
  )
  // The page has been loaded and no script changes it, so nothing is waited for.
  const has = async (element: Locator) => (await element.count()) > 0
  const click = async (element: Locator) => {
    if (!(await has(element))) throw new Error(`there is no ${element}`)
    await Promise.all([page.waitForEvent('load'), element.dispatchEvent('click')])
  }
  return { page, click, has }
}

async function openChromium(): Promise<Browser> {
  const { page } = await openBrowser(desktopOptions)
  // Some buttons appear after 3 seconds, because the page should have gone on by then.
  const isAttached = (element: Locator) => element.waitFor({ state: 'attached', timeout: 1000 })
  return {
    page,
    click: (element) => element.click({ timeout: 5000 }),
    has: (element) =>
      isAttached(element).then(
        () => true,
        () => false,
      ),
  }
}

const htmlUnit = { browser: 'HtmlUnit', open: openHtmlUnit }
const chromium = { browser: 'Chromium', open: openChromium }
/** `npm test` uses the browser that is the default of the suite. Other journeys cover our pages with scripts. */
const browsers = browserSweep.isExhaustive ? [htmlUnit, chromium] : [htmlUnit]

// "`npm run conformance` must work with the real suite as far as we can verify without it; anyone who has the suite can
// run all plans, FAPI included, with one command and one file."
describe.each(browsers)('npm run conformance -- all, if the suite uses $browser', ({ open }) => {
  it('runs every module of every plan to its end, through our pages', { timeout: 240_000 }, async () => {
    const browser = await open()
    const suite = await openSuite(browser, modulesOf)
    onTestFinished(() => suite.close())
    onTestFinished(() => browser.page.context().close())
    const deployment = await newDeployment(suite)
    const lines: string[] = []
    const terminal = {
      write: (line: string) => lines.push(line),
      pause: () => new Promise((resolve) => setTimeout(resolve, 200)),
    }
    const code = await runPlans(Object.keys(plans), { suite, deployment }, terminal)
    expect(suite.problems).toEqual([])
    const results = lines.filter((line) => /^[A-Z]+ (?:oidcc|fapi2)[\w-]+$/.test(line))
    const expected = (name: string) => `${reviewed.includes(name) ? 'REVIEW' : 'PASSED'} ${name}`
    const all = Object.values(plans).flatMap(({ name, variant }) => Object.keys(modulesOf(name, variant)))
    expect(results).toEqual(all.map(expected))
    expect(code).toBe(0)
  })
})
