import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { openPage } from '../browser.ts'
import type { NewApplication } from '../management.ts'
import { openSite } from '../site.ts'
import { pressButton, signInOnPage } from '../steps.ts'
import { openTenant } from '../tenant.ts'

/** Runs the code of the README's section "A first sign-in" word for word, at a host of its own over https. */

const readme = readFileSync('README.md', 'utf8')
const section = readme.slice(readme.indexOf('## A first sign-in'))
const codeIn = (language: string) =>
  new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(section)?.[1] ?? ''

/** Lets the page import a library by its name, as it can after a build. */
const libraries = Object.entries({
  'oidc-client-ts': 'node_modules/oidc-client-ts/dist/esm/oidc-client-ts.js',
  'jwt-decode': 'node_modules/jwt-decode/build/esm/index.js',
}).map(([name, file]) => [name, `data:text/javascript;base64,${readFileSync(file, 'base64')}`])
const importMap = `<script type="importmap">${JSON.stringify({ imports: Object.fromEntries(libraries) })}</script>`

it('the first code of the README has about twenty lines', () => {
  const [, firstCode] = /^```(?!sh)\w+\n(.*?)^```/ms.exec(readme) ?? []
  expect(firstCode).toBe(codeIn('html'))
  expect(
    codeIn('js')
      .split('\n')
      .filter((line) => line.trim() !== '').length,
  ).toBeLessThanOrEqual(20)
})

it('the first code of the README signs a user in and out', async () => {
  const { origin, call, registeredName } = await openTenant()
  const pages = { '/': '' }
  const site = await openSite(pages)
  onTestFinished(() => site.close())
  const home = `${site.origin}/`
  const application = await call<NewApplication>('POST', '/applications', {
    name: 'First',
    type: 'SPA',
    oidcClientMetadata: { redirectUris: [home], postLogoutRedirectUris: [home] },
  })
  const code = codeIn('js')
    .replaceAll('http://localhost:5173/', home)
    .replace('http://localhost:8787', origin)
    .replace('APPLICATION_ID', application.id)
  pages['/'] =
    importMap +
    codeIn('html').replace(
      '<script type="module" src="main.js"></script>',
      `<script type="module">${code}</script>`,
    )

  const { page } = await openPage()
  await page.goto(home)
  await pressButton(page, 'Sign in')
  const name = await registeredName()
  await signInOnPage(page, name)
  await page.waitForURL(home)
  await pressButton(page, `Sign out ${name}`)
  await expect.poll(() => page.getByRole('button').textContent()).toBe('Sign in')
  expect(page.url()).toBe(home)
})
