import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import {
  desktopOptions,
  inExhaustiveRun,
  mobileOptions,
  narrowOptions,
  openPage,
  pictureSweep,
  savePicture,
  scripted,
  waysOf,
  withoutScript,
} from '../browser.ts'
import { expectStill, expectWhole, watchContext } from '../inspection.ts'
import { arriveAt, pressOn, tabTo } from '../keyboard.ts'
import { followLink, pressButton, signInOnPage } from '../steps.ts'
import { bothThemes, openTenant } from '../tenant.ts'

/**
 * Tests the account centre in a browser (spec/account-centre). tests/web/account/account-centre.test.ts checks who may
 * do what.
 */

const tenant = await openTenant({ color: bothThemes })
const common = { label: { en: 'Department', ar: 'القسم' }, access: 'edit' }
const options = [{ value: 'm', label: { en: 'Medium', ar: 'متوسط' } }]
await tenant.call('PATCH', '/configs/settings', {
  accountCentre: {
    enabled: true,
    customFields: [
      { key: 'department', type: 'text', ...common },
      { key: 'size', type: 'select', ...common, options },
      { key: 'started', type: 'date', ...common },
      { key: 'seats', type: 'number', ...common },
      { key: 'news', type: 'checkbox', ...common },
    ],
  },
})
const shop = await tenant.openApplication('Corner Shop', { isThirdParty: true })

const outlet = await tenant.openApplication('Outlet')

async function newPerson(): Promise<string> {
  const username = freshName()
  await tenant.createUser({ username, password: PASSWORD, name: 'Ada Lovelace' })
  return username
}

/** Signs in at the shop and allows it to access the account. */
async function allowShop(page: Page, username: string): Promise<void> {
  const { url } = await shop.authorizationUrl({ scope: 'openid profile email' })
  await page.goto(url)
  await page.locator('main [name=identifier]').fill(username)
  await page.locator('main [name=password]').fill(PASSWORD)
  await page.locator('main button[name=submit]').click()
  await page.locator('main [name=decision]').first().click()
  await page.waitForURL(`${shop.callback}**`)
}

// tests/web/account/account-forms.test.ts submits every form of these pages without JavaScript.
describe.each(waysOf(scripted))('$script', ({ options }) => {
  it("a user ends a session, revokes an application's access and signs out", async () => {
    const username = await newPerson()
    const other = await openPage()
    await allowShop(other.page, username)
    await other.page.context().close()

    const { page, complaints } = await openPage(options)
    await page.goto(`${tenant.origin}/account/sessions`)
    await signInOnPage(page, username)
    await page.waitForURL(`${tenant.origin}/account/sessions`)
    await page.getByRole('listitem').getByText('Chrome on Linux').first().waitFor()
    const otherSession = page.getByRole('listitem').getByRole('button', { name: 'Sign out' })
    await otherSession.click()
    await page.getByRole('status').getByText('Signed out.').waitFor()
    expect(await page.getByText('This device').count()).toBe(1)
    expect(await otherSession.count()).toBe(0)

    await followLink(page, 'Sign-in and security')
    await page.getByRole('link', { name: 'Password Set' }).click()
    for (const field of ['New password', 'Confirm password']) await page.getByLabel(field).fill('short')
    await pressButton(page, 'Save password')
    await page.getByText('Password requires a minimum of 8 characters').waitFor()
    await followLink(page, 'Apps')
    await page.getByRole('listitem').getByText('Corner Shop').waitFor()
    await pressButton(page, 'Remove access')
    await page.getByText('No apps have access to your account.').waitFor()

    await followLink(page, 'Overview')
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    await pressButton(page, 'Sign out')
    if (options === withoutScript) await pressButton(page, 'Sign out')
    await page.getByRole('heading', { name: /signed out/i }).waitFor()
    await page.goto(`${tenant.origin}/account`)
    await page.waitForURL('**/sign-in?**')
    expect(complaints).toEqual([])
  })
})

it('without JavaScript, a user takes the steps after unknown activity, using only the keyboard', async () => {
  const username = await newPerson()
  const other = await openPage()
  await allowShop(other.page, username)
  await other.page.context().close()

  const { page, complaints } = await openPage(withoutScript)
  await page.goto(`${tenant.origin}/account/activity`)
  await signInOnPage(page, username)
  await page.waitForURL('**/account/activity')
  await pressOn(page, /^Sign-in(?! and)/)
  await page.getByText('Browser and system').first().waitFor()
  await page.goto(`${tenant.origin}/account/not-me`)
  await page.getByText('1 of 4 steps done').waitFor()
  await pressOn(page, 'Choose a new password')
  await page.waitForURL('**/account/password')
  for (const field of ['New password', 'Confirm password']) {
    await tabTo(page, field)
    await page.keyboard.type('another-horse-8')
  }
  await page.keyboard.press('Enter')
  await page.getByText('3 of 4 steps done').waitFor()
  await page.getByText('You’re not signed in anywhere else.').waitFor()
  await pressOn(page, 'Apps')
  await page.waitForURL('**/account/applications')
  await pressOn(page, 'Remove access')
  await page.getByText('No apps have access to your account.').waitFor()
  await pressOn(page, 'Back to the steps')
  await page.getByRole('heading', { name: 'You’re done' }).waitFor()
  expect(complaints).toEqual([])
})

// tests/web/account/account-forms.test.ts submits these forms over HTTP.
inExhaustiveRun('without JavaScript, a user deletes the account and restores it by signing in', async () => {
  const username = await newPerson()
  const { page, complaints } = await openPage(withoutScript)
  await page.goto(`${tenant.origin}/account/data`)
  await signInOnPage(page, username)
  await followLink(page, 'Delete your account Permanently delete your account and everything in it.')
  const confirmation = page.getByLabel(`To confirm, type ${username}`)
  await confirmation.fill('yes')
  await pressButton(page, 'Delete your account')
  await page.getByText(`Type ${username} to delete your account.`).waitFor()
  expect(await confirmation.inputValue()).toBe('yes')
  await confirmation.fill(` ${username.toUpperCase()} `)
  await pressButton(page, 'Delete your account')
  await page.getByRole('heading', { name: 'Your account will be deleted' }).waitFor()
  await page.goto(`${tenant.origin}/account`)
  await signInOnPage(page, username)
  await page.getByRole('status').getByText('your account won’t be deleted').waitFor()
  await followLink(page, 'Activity')
  await page.getByRole('listitem').getByText('Deletion requested').waitFor()
  expect(complaints).toEqual([])
})

it('on a phone, with the keyboard and without JavaScript, a user goes to a setting and back', async () => {
  const { page, complaints } = await openPage({ ...mobileOptions, javaScriptEnabled: false })
  await page.goto(`${tenant.origin}/account`)
  await signInOnPage(page, await newPerson())
  await page.getByRole('heading', { name: 'Account protection' }).waitFor()
  await page.keyboard.press('Tab')
  await pressOn(page, 'Skip to content')
  await pressOn(page, /^Sign-in and security/)
  await arriveAt(page, '/account/sign-in', 'How you sign in')
  await pressOn(page, /^Email/)
  await arriveAt(page, '/account/email', 'For signing in')
  await pressOn(page, 'Sign-in and security')
  await arriveAt(page, '/account/sign-in', 'How you sign in')
  await pressOn(page, 'Your account')
  await arriveAt(page, '/account', 'Account protection')
  expect(complaints).toEqual([])
})

it('a user follows an application’s link to a page of the account centre, and returns with the result', async () => {
  const { page, complaints } = await openPage()
  const username = await newPerson()
  await page.goto(`${tenant.origin}/demo-app`)
  await pressButton(page, 'Sign in')
  await signInOnPage(page, username)
  await page.waitForURL('**/demo-app')
  await followLink(page, 'Your account')
  await followLink(page, 'Back to Live Preview')
  await followLink(page, 'Edit profile')
  await followLink(page, 'Edit Name')
  await page.getByLabel('Full name').fill('Ada King')
  await pressButton(page, 'Save')
  await page.getByText('You have completed your task in the account center.').waitFor()

  // The form redirects to another origin, which the page's content security policy might block.
  const { searchParams } = new URL((await outlet.authorizationUrl()).url)
  const query = new URLSearchParams({
    client_id: searchParams.get('client_id') ?? '',
    redirect_uri: outlet.callback,
    state: 'x',
  })
  await page.goto(`${tenant.origin}/account/profile?${query}`)
  await page.getByText('Ada King').waitFor()
  await savePicture(page, 'account-link')
  await followLink(page, 'Add About you')
  await pressButton(page, 'Save')
  await page.waitForURL(`${outlet.callback}?account_result=completed&state=x`)
  await page.goBack()
  await followLink(page, 'Cancel')
  await followLink(page, 'Back to Outlet')
  await page.waitForURL(`${outlet.callback}?account_result=cancelled&state=x`)
  expect(complaints).toEqual([])
})

it('a user edits the profile by keyboard, one group at a time, without JavaScript', async () => {
  const { page, complaints } = await openPage(withoutScript)
  await page.goto(`${tenant.origin}/account/profile`)
  await signInOnPage(page, await newPerson())
  const focusedId = () => page.evaluate(() => document.activeElement?.id)
  const row = (name: string, value: string) => page.locator('dl div', { hasText: name }).getByText(value)
  const openByKeyboard = async (link: string) => {
    await page.getByRole('link', { name: link }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Cancel' }).waitFor()
  }

  await openByKeyboard('Add About you')
  expect(await focusedId()).toBe('birthdate.month')
  await page.keyboard.type('Dec')
  for (const text of ['10', '1815']) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(text)
  }
  await page.keyboard.press('Tab')
  expect(await page.getByLabel('In your own words').isVisible()).toBe(false)
  await page.keyboard.type('In y')
  await page.getByLabel('In your own words').fill('A countess')
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('Changes saved.').waitFor()
  await row('Date of birth', 'December 10, 1815').waitFor()
  await row('Gender', 'A countess').waitFor()

  await openByKeyboard('Add Postal address')
  await page.getByLabel('Country').selectOption('United Kingdom')
  await page.getByLabel('Town or city').fill('London')
  await page.keyboard.press('Enter')
  await row('Country', 'United Kingdom').waitFor()

  await openByKeyboard('Add Language and time zone')
  await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Europe/London')
  await pressButton(page, 'Save')
  await row('Time zone', 'London (GMT').waitFor()

  // A problem is shown in its group, and "Cancel" returns to the link that opened it.
  await openByKeyboard('Edit About you')
  await page.getByLabel('Month').selectOption('February')
  await page.getByLabel('Day').fill('31')
  await pressButton(page, 'Save')
  await page.getByRole('alert').getByText('The Date of birth is invalid').waitFor()
  expect(await page.getByLabel('Day').inputValue()).toBe('31')
  await followLink(page, 'Cancel')
  await expect.poll(focusedId).toBe('edit-about')
  await row('Date of birth', 'December 10, 1815').waitFor()
  expect(complaints).toEqual([])
})

const pages = [
  '',
  '/profile',
  '/profile?edit=name',
  '/profile?edit=about',
  '/profile?edit=language',
  '/profile?edit=address',
  '/profile?edit=custom',
  '/sign-in',
  '/password',
  '/sessions',
  '/applications',
  '/activity',
  '/not-me',
  '/data',
  '/data?edit=deletion',
].map((end) => `account${end}`)
const dark = { colorScheme: 'dark' as const }
const everyView = [
  { name: 'desktop', options: desktopOptions },
  { name: 'phone', options: narrowOptions },
  { name: 'arabic', options: { ...mobileOptions, locale: 'ar' } },
  { name: 'dark', options: { ...desktopOptions, ...dark } },
]
/** `npm test` shows half of the pages, each in one of these views. */
const views = pictureSweep.isExhaustive
  ? everyView.map((view) => ({ ...view, inView: pages }))
  : [
      { name: 'phone', options: narrowOptions },
      { name: 'dark arabic', options: { ...desktopOptions, ...dark, locale: 'ar' } },
    ].map((view, turn) => ({ ...view, inView: pages.filter((_, index) => index % 4 === turn * 2) }))

it.each(views)('every page is accessible and fits the screen: $name', async ({ name, options, inView }) => {
  const { page, context, complaints } = await openPage(options)
  await watchContext(context)
  await allowShop(page, await newPerson())
  for (const path of inView) {
    await page.goto(`${tenant.origin}/${path}`)
    await page.locator('.account-main').waitFor()
    await expectStill(page)
    await expectWhole(page)
    await savePicture(page, `${path.replaceAll(/\W/g, '-')}-${name}`)
  }
  expect(complaints).toEqual([])
})
