import axe from 'axe-core'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { freshName } from '../visitor.ts'
import { type Application, openApplication } from './application.ts'
import { desktop, mobile, person, picture } from './browser.ts'
import { management } from './management.ts'

const origin = inject('origin')

let application: Application
beforeAll(async () => {
  application = await openApplication('Application')
})
afterAll(() => application.close())

/** Every page of this service, and how one gets there. */
const pages: Record<string, (page: Page) => Promise<void>> = {
  'sign-in': async (page) => {
    await page.goto((await application.authorizationUrl()).url)
  },
  'sign-in-refused': async (page) => {
    await page.goto((await application.authorizationUrl()).url)
    await page.getByLabel('Username').fill('nobody_here')
    await page.getByLabel('Password', { exact: true }).fill('wrong-horse-7')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').filter({ hasText: /\w/ }).first().waitFor()
  },
  register: async (page) => {
    await page.goto((await application.authorizationUrl({ interaction_mode: 'signUp' })).url)
  },
  'register-password': async (page) => {
    await page.goto((await application.authorizationUrl({ interaction_mode: 'signUp' })).url)
    await page.getByLabel('Username').fill(freshName())
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL('**/register/password?**')
  },
  'unknown-session': async (page) => {
    await page.goto(`${origin}/unknown-session`)
  },
  'not-found': async (page) => {
    await page.goto(`${origin}/no-such-page`)
  },
  error: async (page) => {
    await page.goto(`${origin}/oidc/auth?client_id=nobody`)
  },
  'sign-out': async (page) => {
    await page.goto((await application.authorizationUrl({ interaction_mode: 'signUp' })).url)
    await page.getByLabel('Username').fill(freshName())
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL('**/register/password?**')
    await page
      .getByLabel(/password/i)
      .first()
      .fill('correct-horse-7')
    const again = page.getByLabel(/confirm/i)
    if ((await again.count()) > 0) await again.fill('correct-horse-7')
    await page.getByRole('button', { name: /save|create|continue/i }).click()
    await page.waitForURL(`${application.callback}**`)
    await page.goto(`${origin}/oidc/session/end`)
  },
  'signed-out': async (page) => {
    await page.goto(`${origin}/oidc/session/end/success`)
  },
  'demo-app': async (page) => {
    await page.goto(`${origin}/demo-app`)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  },
}

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  beforeAll(async () => {
    const call = await management()
    await call('PATCH', '/sign-in-exp', {
      color: {
        primaryColor: '#6139F6',
        darkPrimaryColor: '#8768F8',
        isDarkModeEnabled: colorScheme === 'dark',
      },
    })
  })

  describe.each([
    { size: 'desktop', options: desktop },
    { size: 'mobile', options: mobile },
  ])('on a $size screen', ({ size, options }) => {
    it.each(Object.keys(pages))('%s is drawn, accessible and quiet', async (name) => {
      const { context, page, complaints } = await person({ ...options, colorScheme })
      await pages[name]?.(page)
      await page.waitForLoadState('networkidle')
      await picture(page, `${name}-${colorScheme}-${size}`)

      await page.evaluate(axe.source)
      const violations = await page.evaluate(async () => {
        const { axe: inspector } = window as unknown as { axe: typeof import('axe-core') }
        const { violations: found } = await inspector.run()
        return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
      })
      expect(violations).toEqual([])
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
      expect(complaints).toEqual([])
      await context.close()
    })
  })
})
