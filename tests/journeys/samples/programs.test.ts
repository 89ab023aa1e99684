import path from 'node:path'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { browserSweep, openPage } from '../browser.ts'
import type { NewApplication } from '../management.ts'
import { signInOnPage } from '../steps.ts'
import { noValues } from './guide-values.ts'
import { exitCode, prepareProgram, printed } from './programs.ts'
import { startProgram } from './run-sample.ts'
import { openSampleApi, openSampleTenant } from './sample-tenant.ts'

/** Tests the samples for programs and devices (spec/console#application-guides). */

const tenant = await openSampleTenant()
const { issuer, call } = tenant
const exhaustive = browserSweep.isExhaustive
const TOKEN_SECONDS = 3600

const createApplication = (fields: Record<string, unknown>) =>
  call<NewApplication>('POST', '/applications', { name: 'Sample', ...fields })

/** Creates a native application with an API, and the values of its guide. */
async function openNativeApplication(redirectUri: string, afterSignOut: string) {
  const { indicator, username, tokens } = await openSampleApi(tenant, TOKEN_SECONDS)
  const redirectUris = [redirectUri]
  const { id: clientId } = await createApplication({
    type: 'Native',
    oidcClientMetadata: { redirectUris, postLogoutRedirectUris: [afterSignOut] },
  })
  const api = { indicator, scope: 'orders:read' }
  return { username, tokens, values: { issuer, clientId, redirectUris, afterSignOut: [afterSignOut], api } }
}

it('a user signs in to the sample native-node, and it calls an API with new tokens and signs the user out', async () => {
  const redirectUri = 'http://127.0.0.1/callback'
  const { username, values } = await openNativeApplication(redirectUri, 'http://127.0.0.1/signed-out')
  const program = startProgram(await prepareProgram('native-node', values))
  const { page } = await openPage()

  const [signInUrl = ''] = await printed(program, /^Open (.*\/oidc\/auth\?.*)$/gm)
  await page.goto(signInUrl)
  await signInOnPage(page, username)
  await page.getByText('You can close this window.').waitFor()
  await printed(program, new RegExp(`^Signed in as ${username}$`, 'gm'))
  await printed(program, /A chair/g)

  const [signOutUrl = ''] = await printed(program, /^Open (.*\/session\/end\?.*)$/gm)
  await page.goto(signOutUrl)
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/signed-out/)
  await printed(program, /^Signed out$/gm)
  await exitCode(program).toBe(0)
})

/** Opens a URL in Chromium, as an app does in the system's browser. Returns the URL with which it opens the app. */
async function openSystemBrowser(page: Page, url: URL, act: () => Promise<void>): Promise<URL> {
  const opensApp = page.waitForEvent('request', (request) => request.url().startsWith('com.example.app:'))
  // Chromium here has no app for the scheme, so it stays on the page.
  const [answer] = await Promise.all([opensApp, page.goto(url.href).then(act, act)])
  return new URL(answer.url())
}

describe.runIf(exhaustive)('in an exhaustive run', () => {
  it('a user signs in to the sample custom-scheme, and it calls an API with new tokens and signs the user out', async () => {
    const redirectUri = 'com.example.app:/callback'
    const { username, values } = await openNativeApplication(redirectUri, 'com.example.app:/signed-out')
    const { folder } = await prepareProgram('custom-scheme', values)
    const app = await import(path.join(folder, 'sign-in.ts'))
    const { page } = await openPage()

    const tokens = await app.signIn((url: URL) =>
      openSystemBrowser(page, url, () => signInOnPage(page, username)),
    )
    expect(tokens.claims()).toMatchObject({ preferred_username: username })
    const refreshed = await app.refresh(tokens.refresh_token)
    expect(await app.fetchOrders(refreshed.access_token)).toMatchObject({ orders: ['A chair'] })
    const end = await app.signOut(refreshed.id_token, (url: URL) =>
      openSystemBrowser(page, url, async () => {}),
    )
    expect(end.href).toBe('com.example.app:/signed-out')
  })

  it.each(['device-node', 'device-curl'])(
    'a user signs in to the sample %s, and it calls an API with new tokens and signs the user out',
    async (id) => {
      const { indicator, username } = await openSampleApi(tenant, TOKEN_SECONDS)
      const { id: clientId } = await createApplication({
        type: 'Native',
        customClientMetadata: { deviceFlow: true },
      })
      const api = { indicator, scope: 'orders:read' }
      const program = startProgram(await prepareProgram(id, { ...noValues, issuer, clientId, api }))
      const { page } = await openPage()

      const [address = '', code = ''] = await printed(program, /^Open (.+) and enter (.+)$/gm)
      await page.goto(address)
      await page.locator('main [name=user_code]').fill(code)
      await page.locator('main button').click()
      await signInOnPage(page, username)
      await page.locator('main [name=decision][value=allow]').click()
      await printed(program, new RegExp(`^Signed in as ${username}$`, 'gm'))
      await printed(program, /A chair/g)
      await printed(program, /^Signed out$/gm)
      await exitCode(program).toBe(0)
    },
  )
})
