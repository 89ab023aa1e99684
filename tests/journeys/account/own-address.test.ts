import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { wrongCode } from '../../kit/clients/interaction-client.ts'
import {
  inExhaustiveRun,
  narrowOptions,
  openPage,
  pictureSweep,
  savePicture,
  withoutScript,
} from '../browser.ts'
import { expectStill, expectWhole, watchContext } from '../inspection.ts'
import { pressButton, typeCode } from '../steps.ts'
import { openTenant } from '../tenant.ts'

/**
 * Tests changing an address and undoing the change (spec/account-centre#undo).
 * tests/application/account/own-addresses.test.ts covers permissions.
 */

const byPassword = { password: true, verificationCode: false, isPasswordPrimary: true }
const tenant = await openTenant({
  signIn: {
    methods: [
      { identifier: 'username', ...byPassword },
      { identifier: 'email', ...byPassword },
    ],
  },
})

const NEXT = 'another-horse-battery-8'

async function newPerson() {
  const username = freshName()
  const [old, next] = [`${username}@old.example`, `${username}@new.example`]
  await tenant.createUser({ username, password: PASSWORD, primaryEmail: old })
  return { username, old, next }
}

async function linkTo(address: string): Promise<string> {
  const inbox = await fetch(`${tenant.origin}/dev/inbox.json?to=${encodeURIComponent(address)}`)
  const bodies = ((await inbox.json()) as { body: string }[]).map(({ body }) => body)
  return /https?:\S+\/account\/undo\?change=[\w-]+/.exec(bodies.join('\n'))?.[0] ?? ''
}

/** Requests a code for a new address, and waits for the page where the code is entered. */
async function askForCode(page: Page, { username, next }: { username: string; next: string }): Promise<void> {
  await page.goto(`${tenant.origin}/account/email`)
  await page.locator('main [name=identifier]').fill(username)
  await page.locator('main [name=password]').fill(PASSWORD)
  await page.locator('main button[name=submit]').click()
  await page.waitForURL(`${tenant.origin}/account/email`)
  await page.locator('main input[name=identifier]').fill(next)
  await page.locator('main button[value=send]').click()
  await page.waitForURL('**/account/email/code')
}

// tests/application/account/own-addresses.test.ts covers this over HTTP, and keyboard.test.ts undoes a change.
inExhaustiveRun(
  'without JavaScript, the owner of the old address undoes a change in another browser',
  async () => {
    const person = await newPerson()
    const { page, complaints } = await openPage(withoutScript)
    await askForCode(page, person)
    await page.getByText(person.next).waitFor()
    await typeCode(page, await tenant.codeTo(person.next))
    await page.getByRole('status').getByText('Changes saved.').waitFor()
    await page.getByText(person.next).waitFor()

    const owner = await openPage(withoutScript)
    await owner.page.goto(await linkTo(person.old))
    await pressButton(owner.page, 'Undo the change')
    // The page continues with a password reset, which uses a code sent to the restored address.
    await owner.page.getByText('Enter your email and we’ll send you a code.').waitFor()
    expect(await owner.page.locator('main [name=identifier]').inputValue()).toBe(person.old)
    await owner.page.locator('main button[name=submit]').click()
    await owner.page.waitForURL('**/forgot-password/verification-code?**')
    await owner.page
      .locator('main fieldset input')
      .first()
      .fill(await tenant.codeTo(person.old))
    await owner.page.locator('main button[name=submit]').click()
    await owner.page.waitForURL('**/forgot-password/reset?**')
    await owner.page.locator('main [name=newPassword]').fill(NEXT)
    await owner.page.locator('main button[name=submit]').click()
    await owner.page.waitForURL('**/sign-in?**')
    // Revocation has a resolution of one second, so wait until the second of the undo and the reset has passed
    // (spec/accounts#revocation).
    await new Promise((resolve) => setTimeout(resolve, 1_000 - (Date.now() % 1_000)))
    await owner.page.locator('main [name=identifier]').fill(person.old)
    await owner.page.locator('main [name=password]').fill(NEXT)
    await owner.page.locator('main button[name=submit]').click()
    await owner.page.waitForURL(`${tenant.origin}/account/sign-in`)
    await owner.page.getByText('Change undone.').waitFor()

    await page.goto(`${tenant.origin}/account`)
    await page.locator('main [name=password]').waitFor()
    expect([complaints, owner.complaints]).toEqual([[], []])
  },
)

const looks = [
  { name: 'arabic', options: { ...narrowOptions, locale: 'ar' } },
  { name: 'phone', options: narrowOptions },
]

it.each(pictureSweep.isExhaustive ? looks : looks.slice(0, 1))(
  'every page is accessible and fits the screen: $name',
  async ({ name, options }) => {
    const person = await newPerson()
    const { page, context, complaints } = await openPage(options)
    await watchContext(context)
    const look = async (what: string) => {
      await expectStill(page)
      await expectWhole(page)
      await savePicture(page, `own-address-${what}-${name}`)
    }
    await askForCode(page, person)
    await look('code')
    // Without a mouse: the first box has the focus, and the last digit sends the form.
    await page.keyboard.type(wrongCode(await tenant.codeTo(person.next)))
    await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
    await look('code-wrong')
    await page.keyboard.type(await tenant.codeTo(person.next))
    await page.waitForURL(`${tenant.origin}/account/email`)
    await look('email')
    await page.goto(await linkTo(person.old))
    await look('undo')
    expect(complaints).toEqual([])
  },
)
