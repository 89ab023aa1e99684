import axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { freshName } from '../visitor.ts'
import { type Application, openApplication } from './application.ts'
import { desktop, mobile, person, picture } from './browser.ts'
import { management } from './management.ts'
import { chooseName, forgetInteraction, interactionOf, press, register, signIn } from './steps.ts'

const origin = inject('origin')

let application: Application
beforeAll(async () => {
  application = await openApplication('Application')
})
afterAll(() => application.close())

type Way = (page: Page) => Promise<void>

const toSignIn: Way = async (page) => {
  await page.goto((await application.authorizationUrl()).url)
}
const toRegistration: Way = async (page) => {
  await page.goto((await application.authorizationUrl({ interaction_mode: 'signUp' })).url)
}
const toApplication: Way = async (page) => {
  await toRegistration(page)
  await register(page, freshName())
  await page.waitForURL(`${application.callback}**`)
}

/** Every page of this service, and how one gets there. */
const pages: Record<string, Way> = {
  'sign-in': toSignIn,
  'sign-in-refused': async (page) => {
    await toSignIn(page)
    await signIn(page, 'nobody_here', 'wrong-horse-7')
    await page.getByRole('alert').filter({ hasText: /\w/ }).first().waitFor()
  },
  register: toRegistration,
  'register-password': async (page) => {
    await toRegistration(page)
    await chooseName(page, freshName())
  },
  'step-missing': async (page) => {
    await toRegistration(page)
    await page.goto(`${origin}/register/password?interaction=${interactionOf(page)}`)
  },
  consent: async (page) => {
    // For as long as the answer is on its way, the page is there.
    await page.route('**/api/interaction/consent', () => {})
    await page.goto(
      (await application.authorizationUrl({ interaction_mode: 'signUp', prompt: 'consent' })).url,
    )
    await register(page, freshName())
    await page.waitForURL('**/sign-in/consent?**')
    // Its button comes late.
    await page.waitForTimeout(3_500)
  },
  'consent-refused': async (page) => {
    await page.route('**/api/interaction/consent', (route) =>
      route.fulfill({ status: 422, json: { code: 'server.internal', message: 'That did not work.' } }),
    )
    await page.goto(
      (await application.authorizationUrl({ interaction_mode: 'signUp', prompt: 'consent' })).url,
    )
    await register(page, freshName())
    await page.getByRole('button', { name: 'Try again' }).waitFor()
  },
  expired: async (page) => {
    await toSignIn(page)
    await forgetInteraction(page)
    await signIn(page, 'someone')
    await page.getByRole('link', { name: 'Start again' }).waitFor()
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
    await toApplication(page)
    await page.goto(`${origin}/oidc/session/end`)
  },
  'still-signed-in': async (page) => {
    await page.goto(`${origin}/signed-in`)
  },
  'signed-out': async (page) => {
    await page.goto(`${origin}/oidc/session/end/success`)
  },
  'demo-app': async (page) => {
    await page.goto(`${origin}/demo-app`)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  },
  'demo-app-signed-in': async (page) => {
    await page.goto(`${origin}/demo-app`)
    await press(page, 'Create account')
    await page.waitForURL('**/register?**')
    await register(page, freshName())
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
  },
}

/** The same where the operator has terms. */
const pagesWithTerms: Record<string, Way> = {
  'sign-in-terms': toSignIn,
  'register-terms': toRegistration,
  'register-terms-dialog': async (page) => {
    await toRegistration(page)
    await page.getByLabel('Username').fill(freshName())
    await press(page, 'Create account')
    await page.getByRole('dialog').waitFor()
  },
}

/** The same for visitors who read German. */
const pagesInGerman: Record<string, Way> = {
  'sign-in-german': async (page) => {
    await toSignIn(page)
    await page.getByRole('heading', { name: 'Bei Ihrem Konto anmelden' }).waitFor()
  },
  'register-german': async (page) => {
    await toRegistration(page)
    await page.getByRole('heading', { name: 'Konto erstellen' }).waitFor()
  },
}

const color = { primaryColor: '#6139F6', darkPrimaryColor: '#8768F8' }
const change = async (settings: Record<string, unknown>) => {
  const call = await management()
  await call('PATCH', '/sign-in-exp', settings)
}

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  beforeAll(() => change({ color: { ...color, isDarkModeEnabled: colorScheme === 'dark' } }))

  const sizes = [
    { size: 'desktop', options: { ...desktop, colorScheme } },
    { size: 'mobile', options: { ...mobile, colorScheme } },
  ]

  describe.each(sizes)('on a $size screen', ({ size, options }) => {
    it.each(Object.entries(pages))('%s is drawn, accessible and quiet', (name, go) =>
      inspect(go, `${name}-${colorScheme}-${size}`, options),
    )

    it.each(Object.entries(pagesInGerman))('%s is drawn, accessible and quiet', (name, go) =>
      inspect(go, `${name}-${colorScheme}-${size}`, { ...options, locale: 'de-DE' }),
    )
  })

  describe.each(sizes)('with terms, on a $size screen', ({ size, options }) => {
    beforeAll(() =>
      change({ termsOfUseUrl: 'https://example.com/terms', privacyPolicyUrl: 'https://example.com/privacy' }),
    )
    afterAll(() => change({ termsOfUseUrl: null, privacyPolicyUrl: null }))

    it.each(Object.entries(pagesWithTerms))('%s is drawn, accessible and quiet', (name, go) =>
      inspect(go, `${name}-${colorScheme}-${size}`, options),
    )
  })
})

async function inspect(go: Way, name: string, options: BrowserContextOptions): Promise<void> {
  const { context, page, complaints } = await person(options)
  await go(page)
  await page.waitForLoadState('load')
  // What fades in is judged once it has; what turns never ends.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState === 'finished' || effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY,
      ),
  )
  await picture(page, name)

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
}
