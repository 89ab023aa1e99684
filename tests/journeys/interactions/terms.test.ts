import type { Page } from 'playwright'
import { afterAll, describe, expect, it } from 'vitest'
import { type AgreeToTermsPolicy, agreeToTermsPolicies } from '../../../src/contract/experience/experience.ts'
import type { TermsAgreement } from '../../../src/contract/interactions/interaction.ts'
import { freshName } from '../../kit/clients/cookie-client.ts'
import { freshEmail } from '../../kit/clients/interaction-client.ts'
import { pairsOf } from '../../kit/sweep.ts'
import {
  browserSweep,
  openPage,
  savePicture,
  scripted,
  scriptless,
  waysOf,
  withoutScript,
} from '../browser.ts'
import { startUpstream } from '../social/upstream.ts'
import { registerConnector } from '../social/upstream-connectors.ts'
import { choosePassword, pressButton, typeCode } from '../steps.ts'
import { openTenant, type Tenant } from '../tenant.ts'

/**
 * Tests the agreement to terms by policy, in every flow that creates an account, with and without JavaScript.
 * tests/application/interactions/terms.test.ts covers the same flows through the API.
 */

const TERMS = 'https://example.com/terms'
const upstream = await startUpstream()
afterAll(() => upstream.close())

const byName = { identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true }
const byCode = { identifier: 'email', password: false, verificationCode: true, isPasswordPrimary: false }

type At = Tenant & { policy: AgreeToTermsPolicy; hasScript: boolean }

/** A flow that creates an account, with the query of the management API that finds the account. */
type Way = {
  experience: Record<string, unknown>
  parameters?: Record<string, string>
  go(page: Page, at: At): Promise<string>
}

const tells = (page: Page) => page.getByText('By continuing, you agree to the Terms of Use')
const agree = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Agree', exact: true }).click()

const ways: Record<string, Way> = {
  'registering with a password': {
    experience: { signUp: { identifiers: ['username'], password: true, verify: false } },
    parameters: { interaction_mode: 'signUp' },
    async go(page, { policy }) {
      const name = freshName()
      const box = page.getByRole('checkbox')
      expect([await box.count(), await tells(page).count()]).toEqual(policy === 'Automatic' ? [0, 1] : [1, 0])
      await page.getByLabel('Username').fill(name)
      if (policy !== 'Automatic') await box.check()
      await pressButton(page, 'Continue')
      await page.waitForURL('**/register/password?**')
      await choosePassword(page)
      return `search.username=${name}`
    },
  },
  'creating an account for an unknown address at sign-in': {
    experience: {
      signIn: { methods: [byCode] },
      signUp: { identifiers: ['email'], password: false, verify: true },
    },
    async go(page, { policy, codeTo }) {
      const email = freshEmail()
      expect(await tells(page).count()).toBe(policy === 'Automatic' ? 1 : 0)
      // Under the policy `Manual`, the user has already agreed on the sign-in page, which also applies to the
      // new account.
      expect(await page.getByRole('checkbox').count()).toBe(policy === 'Manual' ? 1 : 0)
      await page.locator('main [name=identifier]').fill(email)
      if (policy === 'Manual') await page.getByRole('checkbox').check()
      await page.locator('main button[name=submit]').click()
      await page.waitForURL('**/sign-in/verification-code?**')
      await typeCode(page, await codeTo(email))
      await page.getByRole('dialog').getByText('does not exist').waitFor()
      await pressButton(page, 'Create')
      if (policy === 'ManualRegistrationOnly') await agree(page)
      return `search.primaryEmail=${email}`
    },
  },
  'registering with a social identity': {
    experience: {
      signUp: { identifiers: [], password: false, verify: false },
      socialSignInConnectorTargets: ['up-oidc'],
    },
    async go(page, { policy, hasScript }) {
      const who = { id: freshName(), name: freshName() }
      await fetch(`${upstream.openid}/accounts`, { method: 'POST', body: JSON.stringify(who) })
      expect(await tells(page).count()).toBe(policy === 'Automatic' ? 1 : 0)
      await pressButton(page, 'Continue with Upstream oidc')
      // Users who always have to agree do so before they leave.
      if (policy === 'Manual') await agree(page)
      await page.getByRole('heading', { name: 'Who are you?', exact: true }).waitFor()
      await pressButton(page, who.name)
      if (!hasScript) await pressButton(page, 'Continue')
      if (policy === 'ManualRegistrationOnly') await agree(page)
      return `search.name=${who.name}`
    },
  },
}

/**
 * In `npm test`, each flow and each policy occurs once. tests/application/interactions/terms.test.ts combines
 * all of them, with and without JavaScript.
 */
const cases = pairsOf(browserSweep, agreeToTermsPolicies, Object.keys(ways)).flatMap(([policy, way], turn) =>
  waysOf(turn % 2 ? scriptless : scripted).map(({ script, options }) => ({ policy, way, script, options })),
)

describe('an agreement to the terms', async () => {
  const tenants = new Map(
    await Promise.all(
      agreeToTermsPolicies.map(async (policy) => {
        const tenant = await openTenant({ termsOfUseUrl: TERMS, agreeToTermsPolicy: policy })
        const connector = await registerConnector(upstream, 'oidc', { id: 'up-oidc', origin: tenant.origin })
        await tenant.call('POST', '/connectors', connector)
        return [policy, tenant] as const
      }),
    ),
  )

  it.each(cases)(
    'is stored under the policy $policy when $way, $script',
    async ({ policy, way, options }) => {
      const hasScript = options !== withoutScript
      const tenant = tenants.get(policy)
      const chosen = ways[way]
      if (!tenant || !chosen) throw new Error('no such case')
      await tenant.offer({
        signIn: { methods: [byName] },
        socialSignInConnectorTargets: [],
        ...chosen.experience,
      })
      const application = await tenant.openApplication()
      const { page, complaints } = await openPage(options)
      await page.goto((await application.authorizationUrl(chosen.parameters)).url)
      const since = Date.now()
      const query = await chosen.go(page, { ...tenant, policy, hasScript })
      await page.waitForURL(`${application.callback}?**`)
      expect(new URL(page.url()).searchParams.has('code')).toBe(true)
      const [user] = await tenant.call<{ termsAgreement: TermsAgreement | null }[]>('GET', `/users?${query}`)
      expect(user?.termsAgreement).toEqual({
        policy,
        termsOfUseUrl: TERMS,
        privacyPolicyUrl: null,
        agreedAt: expect.any(Number),
      })
      expect(user?.termsAgreement?.agreedAt).toBeGreaterThanOrEqual(since - 1000)
      expect(complaints).toEqual([])
    },
  )

  it('is required to create an account: users who decline return to the form', async () => {
    const tenant = tenants.get('ManualRegistrationOnly')
    if (!tenant) throw new Error('no such tenant')
    await tenant.offer({ ...ways['creating an account for an unknown address at sign-in']?.experience })
    const application = await tenant.openApplication()
    for (const { options } of waysOf(scripted)) {
      const email = freshEmail()
      const { page } = await openPage(options)
      await page.goto((await application.authorizationUrl()).url)
      await page.locator('main [name=identifier]').fill(email)
      await page.locator('main button[name=submit]').click()
      await page.waitForURL('**/sign-in/verification-code?**')
      await typeCode(page, await tenant.codeTo(email))
      await pressButton(page, 'Create')
      const question = page.getByRole('dialog')
      await question.getByText('To proceed, please agree to the').waitFor()
      await savePicture(page, `terms-after-create-${options === withoutScript ? 'none' : 'script'}`)
      await question.getByText('Cancel').click()
      await question.waitFor({ state: 'detached' })
      expect(await tenant.call('GET', `/users?search.primaryEmail=${email}`)).toEqual([])
    }
  })
})
