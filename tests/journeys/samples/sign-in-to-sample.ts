import type { Page } from 'playwright'
import { expect } from 'vitest'
import { samples } from '../../../console/areas/applications/guides/index.ts'
import { openPage } from '../browser.ts'
import type { NewApplication } from '../management.ts'
import { signInOnPage } from '../steps.ts'
import { copySample, openProxy, runToEnd, startProgram, untilListening } from './run-sample.ts'
import { openSampleApi, type SampleTenant } from './sample-tenant.ts'

/** The instructions for running a sample with pages in a browser. */
export type SampleRow = {
  id: string
  /** The commands that install what this repository doesn't have. */
  install?: readonly string[]
  /** The command that starts the program, if it is not the one of the guide. */
  run?: string
  /** The variables that the program needs besides `CLIENT_SECRET`. */
  secrets?: Readonly<Record<string, string>>
}

/** The labels of the controls in every sample. */
const control = (page: Page, name: string) =>
  page.getByRole('link', { name, exact: true }).or(page.getByRole('button', { name, exact: true }))

/**
 * The lifetimes of access tokens, in seconds. A library in the browser gets new tokens a minute before the old ones
 * expire. A server gets them for the next call that is less than some seconds before that, 10 in the case of Go.
 */
const LIFETIMES = { SPA: 63, Traditional: 8 }

/**
 * Runs a sample as its guide says, behind a proxy that speaks https, and uses it as a user does: signs in, calls the
 * API, calls it again with a new access token, and signs out.
 */
export async function signInToSample(tenant: SampleTenant, row: SampleRow): Promise<void> {
  const sample = samples.get(row.id)
  const type = sample?.kinds.includes('spa') ? 'SPA' : 'Traditional'
  const { origin, target } = await openProxy(`sample-${row.id}`)
  const moved = (url = '') => new URL(new URL(url).pathname, origin).href
  const redirectUri = moved(sample?.values?.redirectUri)
  const afterSignOut = moved(sample?.values?.afterSignOut)
  const api = await openSampleApi(tenant, LIFETIMES[type])
  const application = await tenant.call<NewApplication>('POST', '/applications', {
    name: row.id,
    type,
    oidcClientMetadata: { redirectUris: [redirectUri], postLogoutRedirectUris: [afterSignOut] },
  })
  const copy = await copySample(row.id, {
    issuer: tenant.issuer,
    clientId: application.id,
    redirectUris: [redirectUri],
    afterSignOut: [afterSignOut],
    api: { indicator: api.indicator, scope: 'orders:read' },
  })
  target.port = copy.port
  for (const command of row.install ?? []) await runToEnd(command, copy.folder)
  const secrets = { CLIENT_SECRET: application.secret ?? '', ...row.secrets }
  await untilListening(startProgram(copy, secrets, row.run), copy.port)

  const { page } = await openPage()
  await page.goto(copy.guide.opens ?? origin)
  if (page.url().startsWith(origin)) await control(page, 'Sign in').click()
  await signInOnPage(page, api.username)
  await page.getByText(`Signed in as ${api.username}`).waitFor()
  expect(page.url()).not.toContain('code=')
  const cookies = await page.context().cookies(origin)
  expect(cookies.filter(({ secure }) => !secure)).toEqual([])
  if (type === 'Traditional') expect(cookies).not.toEqual([])

  // The last call comes with a token that the refresh token paid for, because the user does nothing.
  const home = page.url()
  await expect
    .poll(
      async () => {
        if (page.url() !== home) await page.goto(home)
        await control(page, 'Orders').click()
        await page.getByText('A chair').first().waitFor()
        return new Set(api.tokens.map(({ text }) => text)).size
      },
      { interval: 1000, timeout: 30_000 },
    )
    .toBeGreaterThan(1)
  expect(api.tokens[0]?.claims).toMatchObject({ client_id: application.id, scope: 'orders:read' })

  if (page.url() !== home) await page.goto(home)
  await control(page, 'Sign out').click()
  await page.waitForURL(afterSignOut)
  await control(page, 'Sign in').waitFor()
}
