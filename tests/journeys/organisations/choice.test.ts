import { describe, expect, it } from 'vitest'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import {
  desktopOptions,
  hasScript,
  mobileOptions,
  openPage,
  savePicture,
  scripted,
  scriptless,
  someOf,
  waysOf,
} from '../browser.ts'
import { expectSound } from '../inspection.ts'
import { pressButton, signInOnPage } from '../steps.ts'
import { bothThemes, openTenant } from '../tenant.ts'

/** Choosing an organisation, and switching to another (spec/organisations#page). */

const tenant = await openTenant({ color: bothThemes })
const shop = await tenant.openApplication('Corner Shop', { organizationMode: 'optional' })
const partner = await tenant.openApplication('Partner', { organizationMode: 'required', isThirdParty: true })

async function newMember(...names: string[]) {
  const username = freshName()
  const user = await tenant.createUser({ username, password: PASSWORD })
  const ids: string[] = []
  for (const name of names) {
    const { id } = await tenant.call<{ id: string }>('POST', '/organizations', { name })
    await tenant.call('POST', `/organizations/${id}/users`, { userIds: [user.id], roleIds: [] })
    ids.push(id)
  }
  return { username, ids }
}

// tests/web/organisations covers the page without a script in the fast run.
describe.each(waysOf(scripted))('$script', ({ options }) => {
  it('a user searches for an organisation, chooses it, and switches without a page', async () => {
    const { page, complaints } = await openPage(options)
    const names = Array.from({ length: 11 }, (_, n) => `Company ${n + 1}`)
    const { username, ids } = await newMember(...names, 'Acme')
    await page.goto((await shop.authorizationUrl()).url)
    await signInOnPage(page, username)
    await page.getByRole('heading', { name: 'Choose an organization' }).waitFor()
    await page.getByText('Who do you want to use Corner Shop for?').waitFor()
    await page.getByRole('searchbox').fill('comp 11')
    if (!hasScript(page)) await pressButton(page, 'Search')
    await page.getByRole('button', { name: 'Company 1', exact: true }).waitFor({ state: 'detached' })
    await pressButton(page, 'Company 11')
    await page.waitForURL(`${shop.callback}**`)
    expect(new URL(page.url()).searchParams.has('code')).toBe(true)

    const organization = ids.at(-1) ?? ''
    await page.goto((await shop.authorizationUrl({ organization, prompt: 'none' })).url)
    expect(new URL(page.url()).searchParams.has('code')).toBe(true)
    await page.goto((await shop.authorizationUrl({ prompt: 'select_organization' })).url)
    expect(await page.locator('.account-choice').first().textContent()).toBe('AAcmeLast used')
    await pressButton(page, 'Just for yourself')
    await page.waitForURL(`${shop.callback}**`)
    expect(complaints).toEqual([])
  })
})

describe.each(waysOf(scriptless))('$script', ({ options }) => {
  it('a user chooses an organisation and allows a third party to act for it', async () => {
    const { page, complaints } = await openPage(options)
    const { username } = await newMember('Acme', 'Beta')
    await page.goto((await partner.authorizationUrl()).url)
    await signInOnPage(page, username)
    await pressButton(page, 'Beta')
    await page.getByText('For Beta: this access only covers this organization.').waitFor()
    await pressButton(page, 'Allow')
    await page.waitForURL(`${partner.callback}**`)
    expect(new URL(page.url()).searchParams.has('code')).toBe(true)
    expect(complaints).toEqual([])
  })
})

const looks = [
  {
    name: 'organisation-arabic-dark',
    options: { ...mobileOptions, colorScheme: 'dark' as const },
    language: 'ar',
  },
  { name: 'organisation', options: desktopOptions, language: 'en' },
  { name: 'organisation-mobile', options: mobileOptions, language: 'de' },
]

it.each(someOf(looks, 1))('the page is accessible and fits: $name', async ({ name, options, language }) => {
  const { page } = await openPage(options)
  const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
  const names = Array.from({ length: 9 }, (_, n) => `Company ${n + 1}`)
  const { username } = await newMember(...names, 'شركة النور', long)
  await page.goto((await shop.authorizationUrl({ ui_locales: language })).url)
  await page.locator('main [name=identifier]').fill(username)
  await page.locator('main [name=password]').fill(PASSWORD)
  await page.locator('main button[name=submit]').click()
  await page.locator('.organizations').waitFor()
  await expectSound(page)
  await savePicture(page, name)
})
