import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { PASSWORD } from '../../kit/clients/cookie-client.ts'
import { freshEmail } from '../../kit/clients/interaction-client.ts'
import { hasScript, openPage, scripted, scriptless, someOf } from '../browser.ts'
import { expectSound } from '../inspection.ts'
import { passwordField, pressButton, signInOnPage, typeCode } from '../steps.ts'
import { bothThemes, openTenant } from '../tenant.ts'

/** Tests what members see of the policy of their organisation (spec/organisations#policy). */

const { origin, call, createUser, openApplication, codeTo } = await openTenant({
  color: bothThemes,
  signIn: {
    methods: [{ identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true }],
  },
})
await call('PATCH', '/configs/settings', { secondFactor: { policy: 'off', factors: ['email'] } })
const shop = await openApplication('Shop', { organizationMode: 'optional' })

/** Stores a user who is a member of an organisation with this policy. */
async function openMember(policy: Record<string, unknown>) {
  const primaryEmail = freshEmail()
  const username = primaryEmail.replace('@example.com', '')
  const user = await createUser({ username, password: PASSWORD, primaryEmail })
  const brand = { color: '#0a6e5c' }
  const { id } = await call<{ id: string }>('POST', '/organizations', { name: 'Acme', policy, brand })
  await call('POST', `/organizations/${id}/users`, { userIds: [user.id] })
  return { username, primaryEmail, organization: id }
}

it.each(someOf([scriptless, scripted], 1))(
  'a session with one factor is stepped up for an organization that demands two, up to the token, $script',
  async ({ options }) => {
    const { username, primaryEmail, organization } = await openMember({ secondFactor: 'required' })
    const { page, complaints } = await openPage(options)
    await page.goto((await shop.authorizationUrl({ organization: 'personal' })).url)
    await signInOnPage(page, username)
    await page.waitForURL(`${shop.callback}**`)

    const verifier = crypto.randomUUID() + crypto.randomUUID()
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
    const challenge = Buffer.from(digest).toString('base64url')
    const request = await shop.authorizationUrl({ organization, code_challenge: challenge, scope: 'openid' })
    await page.goto(request.url)
    expect(await page.title()).toBe('Sign in to Acme')
    await pressButton(page, 'Continue')
    await page.waitForURL('**/sign-in/password?**')
    await passwordField(page).fill(PASSWORD)
    await pressButton(page, 'Sign in')
    await page.waitForURL('**/second-factor?**')
    if (hasScript(page)) await expectSound(page)
    await typeCode(page, await codeTo(primaryEmail))
    await page.waitForURL(`${shop.callback}**`)

    const code = new URL(page.url()).searchParams.get('code') ?? ''
    const clientId = new URL(request.url).searchParams.get('client_id') ?? ''
    const answer = await fetch(`${origin}/oidc/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        code,
        code_verifier: verifier,
        redirect_uri: shop.callback,
      }),
    })
    const { id_token: idToken } = (await answer.json()) as { id_token: string }
    expect(decodeJwt(idToken)).toMatchObject({ org_id: organization, acr: 'urn:vestibule:acr:2fa' })
    expect(complaints).toEqual([])
  },
)

it('a member in another network is told so, and the application gets access_denied', async () => {
  const { username, organization } = await openMember({ networks: ['192.0.2.0/24'] })
  const { page } = await openPage()
  await page.goto((await shop.authorizationUrl({ organization })).url)
  await signInOnPage(page, username)
  await page.waitForURL('**/sign-in/network?**')
  await page.getByText('Acme can only be used from certain networks.').waitFor()
  await pressButton(page, 'Return to the app')
  await page.waitForURL(`${shop.callback}?error=access_denied**`)
})
