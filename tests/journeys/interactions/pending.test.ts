import type { Locator, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { desktopOptions, openPage, someOf } from '../browser.ts'
import { untilHydrated } from '../inspection.ts'
import { pressButton, signInOnPage, usernameField } from '../steps.ts'
import { openTenant } from '../tenant.ts'

/**
 * Tests that a page that waits for a response shows a pending state in the pressed button, and a veil if it takes long
 * (spec/pages#feedback).
 */

const { offer, call, registeredName, openApplication } = await openTenant()
const application = await openApplication()
const names = ['github', 'discord', 'google', 'facebook']
for (const name of names) {
  await call('POST', '/connectors', {
    connectorId: `${name}-universal`,
    config: { clientId: 'a', clientSecret: 'b' },
  })
}

async function visit(socialSignInConnectorTargets: string[] = []) {
  await offer({ socialSignInConnectorTargets })
  const client = await openPage(desktopOptions)
  await client.page.goto((await application.authorizationUrl()).url)
  return client
}

/** Delays calls to a URL until they are released. If `fails` is set, the calls then end with an error. */
async function hold(page: Page, address: string, { fails = false } = {}) {
  const { promise, resolve } = Promise.withResolvers<void>()
  let calls = 0
  await page.route(address, async (route) => {
    calls += 1
    await promise
    if (!fails) return route.continue()
    await route.fulfill({ status: 422, json: { code: 'server.internal', message: 'That did not work.' } })
  })
  return { release: resolve, calls: () => calls }
}

const pending = (page: Page) => page.locator('[aria-busy=true]')
const look = async (button: Locator) => {
  const box = await button.boundingBox()
  return { box, label: await button.locator('.button-label').textContent() }
}

describe('a submitted form', () => {
  it('shows a spinner in its button, which keeps its position, label and focus', async () => {
    const { page } = await visit()
    const heldCall = await hold(page, '**/api/interaction')
    const button = page.getByRole('button', { name: 'Sign in', exact: true })
    await usernameField(page).waitFor()
    const before = await look(button)
    await signInOnPage(page, await registeredName())

    await pending(page).waitFor()
    expect(await look(button)).toEqual(before)
    expect(await button.evaluate((element) => getComputedStyle(element).opacity)).toBe('1')
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    expect(await button.getAttribute('disabled')).toBeNull()
    expect(await page.locator('.spinner').count()).toBe(1)
    expect(await button.locator('.spinner').count()).toBe(1)
    expect(await page.locator('form [role=status]').allTextContents()).toContain('Loading…')
    await button.click({ force: true })
    await page.getByLabel('Password', { exact: true }).press('Enter')
    await expect.poll(heldCall.calls).toBe(1)

    heldCall.release()
    await page.waitForURL(`${application.callback}?**`)
  })

  it('stops being pending when the user presses Escape, and can be sent again', async () => {
    const { page, complaints } = await visit()
    const heldCall = await hold(page, '**/api/interaction', { fails: true })
    await signInOnPage(page, await registeredName())
    await pending(page).waitFor()
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    await page.keyboard.press('Escape')
    await pending(page).waitFor({ state: 'detached' })

    await pressButton(page, 'Sign in')
    await expect.poll(heldCall.calls).toBe(2)
    heldCall.release()
    await page.locator('.form-problem').filter({ hasText: 'That did not work.' }).waitFor()
    expect(await pending(page).count()).toBe(0)
    expect(complaints.filter((each) => !each.includes('422'))).toEqual([])
  })

  it('ignores a response that arrives after the user has pressed Escape', async () => {
    const { page } = await visit()
    const heldCall = await hold(page, '**/api/interaction', { fails: true })
    await signInOnPage(page, await registeredName())
    await pending(page).waitFor()
    await page.keyboard.press('Escape')
    await pending(page).waitFor({ state: 'detached' })
    const answered = page.waitForResponse('**/api/interaction')
    heldCall.release()
    await (await answered).finished()
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
    expect(await page.locator('.form-problem').count()).toBe(0)
  })
})

describe('a social button', () => {
  it.each(someOf([4, 2], 1))('shows a spinner only in the pressed one of %i buttons', async (count) => {
    const { page } = await visit(names.slice(0, count))
    const heldCall = await hold(page, '**/social-authorization-uri', { fails: true })
    const buttons = page.locator('.social button')
    await buttons.nth(1).waitFor()
    expect(await buttons.count()).toBe(count)
    const before = await look(buttons.nth(1))
    await buttons.nth(1).click()

    await pending(page).waitFor()
    expect(await pending(page).count()).toBe(1)
    expect(await look(buttons.nth(1))).toEqual(before)
    expect(await buttons.nth(1).getAttribute('aria-busy')).toBe('true')
    const [spinner, box] = [await page.locator('.spinner').boundingBox(), before.box]
    expect(spinner && box && spinner.x >= box.x && spinner.x + spinner.width <= box.x + box.width).toBe(true)
    await buttons.nth(0).click()
    await pressButton(page, 'Sign in')
    await expect.poll(heldCall.calls).toBe(1)

    heldCall.release()
    await page.locator('.form-problem').waitFor()
    expect(await pending(page).count()).toBe(0)
  })
})

describe('the "global loading overlay"', () => {
  const veil = (page: Page) => page.locator('.veil')

  /** Opens the sign-in page with a clock, and holds the answer to a call that is refused. */
  async function startCall() {
    const { page } = await visit()
    const heldCall = await hold(page, '**/api/interaction', { fails: true })
    await usernameField(page).waitFor()
    await untilHydrated(page)
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await signInOnPage(page, 'someone')
    await expect.poll(heldCall.calls).toBe(1)
    const end = async () => {
      heldCall.release()
      await page.locator('.form-problem').waitFor()
    }
    return { page, end }
  }

  it('"shows only if loading lasts about 400 ms"', async () => {
    const { page, end } = await startCall()
    await page.clock.fastForward(300)
    expect(await veil(page).count()).toBe(0)
    await end()
    await page.clock.fastForward(1000)
    expect(await veil(page).count()).toBe(0)
  })

  it('"once shown stays at least about 400 ms", and leaves the page usable', async () => {
    const { page, end } = await startCall()
    await page.clock.fastForward(400)
    await veil(page).waitFor()
    expect(await veil(page).boundingBox()).toEqual({ x: 0, y: 0, ...page.viewportSize() })
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('password')
    expect(await pending(page).count()).toBe(1)
    expect(await page.locator('[aria-hidden] input, [inert] input').count()).toBe(0)
    await page.getByRole('link', { name: 'Create account' }).click({ trial: true })

    await page.clock.fastForward(100)
    await end()
    await page.clock.fastForward(250)
    expect(await veil(page).count()).toBe(1)
    await page.clock.fastForward(100)
    await veil(page).waitFor({ state: 'detached' })
  })

  it('is followed by words in the button after four seconds, which keeps its name', async () => {
    const { page, end } = await startCall()
    await page.clock.fastForward(3900)
    expect(await page.getByText('Still working…').count()).toBe(0)
    await page.clock.fastForward(200)
    await pending(page).getByText('Still working…').waitFor()
    expect(await page.locator('form [role=status]').allTextContents()).toContain('Still working…')
    const button = page.getByRole('button', { name: 'Sign in', exact: true })
    expect(await button.getAttribute('aria-busy')).toBe('true')
    await end()
    expect(await page.getByText('Still working…').count()).toBe(0)
  })

  it('ends at once after a long call', async () => {
    const { page, end } = await startCall()
    await page.clock.fastForward(400)
    await veil(page).waitFor()
    await page.clock.fastForward(2000)
    await end()
    await page.clock.fastForward(1)
    await veil(page).waitFor({ state: 'detached' })
  })
})

it('no spinner rotates and the veil appears at once if the user prefers reduced motion', async () => {
  await offer({ socialSignInConnectorTargets: [] })
  const { page } = await openPage(desktopOptions)
  await page.goto((await application.authorizationUrl()).url)
  await hold(page, '**/api/interaction')
  await signInOnPage(page, await registeredName())
  const names = await page
    .locator('.button .spinner')
    .evaluate((element) => getComputedStyle(element).animationName)
  expect(names).toBe('none')
  const veil = await page.locator('.veil').evaluate((element) => {
    const { animationName, transitionDuration, opacity } = getComputedStyle(element)
    return { animationName, transitionDuration, opacity }
  })
  expect(veil).toEqual({ animationName: 'none', transitionDuration: '0s', opacity: '0.08' })
})
