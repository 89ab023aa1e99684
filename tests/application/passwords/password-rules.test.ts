import { describe, expect, it } from 'vitest'
import type { PasswordRuleSet, TenantSettings } from '../../../src/contract/tenants/settings.ts'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  openSignInPage,
  signIn,
} from '../../kit/clients/cookie-client.ts'
import { outcomeOf } from '../../kit/clients/interaction-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp } from '../../kit/test-app.ts'
import { stubServers } from '../../outbound/connector-context.ts'
import { BREACHED_PASSWORD } from '../../outbound/range-server.ts'
import { passwordWays } from '../../security/password-ways.ts'

/** Tests that the configured rules apply wherever a password is set (spec/accounts#password-policy). */

/**
 * The specification: "Password: required; characters limited to letters, digits and ASCII punctuation; minimum length 8
 * (error password_min_length with min 8); must mix at least 2 of 3 classes (letters, digits, symbols)". This comes
 * first, because the other tests change the settings of the new tenant.
 */
describe('a new tenant’s password policy', () => {
  it.each(Object.entries(passwordWays))(
    '[ASVS-6.2.12-2] applies the specified rules and the breached-password check to %s',
    async (_name, set) => {
      const app = openTestApp({ BREACHED_PASSWORDS_URL: `${stubServers.ranges}/${crypto.randomUUID()}/ok/` })
      const operator = await newOperator(app)
      const outcome = async (password: string) =>
        (await outcomeOf(await set(app, operator, password))).slice(0, 2)
      for (const password of ['vkqzwtjx', '83519274', 'pässwörd1', 'correct horse 7', 'horse-7'])
        expect([password, ...(await outcome(password))]).toEqual([password, 400, 'guard.invalid_input'])
      expect(await outcome(BREACHED_PASSWORD)).toEqual([422, 'password.compromised'])
      expect((await set(app, operator, 'vkqzwtjx-')).ok).toBe(true)
    },
  )

  it('is stored with the tenant', async () => {
    const operator = await newOperator(openTestApp())
    const { passwordPolicy } = (await (await operator.get('/configs/settings')).json()) as TenantSettings
    expect(passwordPolicy).toEqual({ rules: 'CharacterClasses', haveIBeenPwned: true })
  })
})

async function openTenant(rules: PasswordRuleSet) {
  await setTenantSettings(openTestApp(), { passwordPolicy: { rules, haveIBeenPwned: false } })
  const app = openTestApp()
  return { app, operator: await newOperator(app) }
}

const SENTENCE = 'größte Pferde im Stall'
const cases: Record<PasswordRuleSet, { accepted: string; refused: string[] }> = {
  Length: { accepted: SENTENCE, refused: ['1234567', 'x'.repeat(129)] },
  CharacterClasses: { accepted: 'grosse-pferde-7', refused: [SENTENCE, 'pferdestall'] },
}

describe.each(['Length', 'CharacterClasses'] as const)('the password rules %s', (rules) => {
  const { accepted, refused } = cases[rules]

  it.each(Object.entries(passwordWays))('[ASVS-2.2.2] apply to %s', async (_name, set) => {
    const { app, operator } = await openTenant(rules)
    for (const password of refused)
      expect((await outcomeOf(await set(app, operator, password))).slice(0, 2)).toEqual([
        400,
        'guard.invalid_input',
      ])
    expect((await set(app, operator, accepted)).ok).toBe(true)
  })

  it('apply to passwords in an import', async () => {
    const { operator } = await openTenant(rules)
    const users = [...refused, accepted].map((password) => ({ username: freshName(), password }))
    const answer = await operator.send('POST', '/users/import', { users })
    const { results } = (await answer.json()) as { results: { status: string }[] }
    expect(results.map(({ status }) => status)).toEqual([...refused.map(() => 'rejected'), 'created'])
  })

  it('are sent to the pages', async () => {
    const { app } = await openTenant(rules)
    const answer = await app.fetch('/api/.well-known/sign-in-exp')
    const { passwordRules } = (await answer.json()) as { passwordRules?: string }
    expect(passwordRules).toBe(rules === 'Length' ? 'Length' : undefined)
  })
})

it('a password is accepted in any Unicode normalisation form that a keyboard may produce', async () => {
  const { app, operator } = await openTenant('Length')
  const username = freshName()
  expect(SENTENCE.normalize('NFD')).not.toBe(SENTENCE)
  const created = await operator.send('POST', '/users', { username, password: SENTENCE.normalize('NFD') })
  expect(created.status).toBe(200)
  for (const form of ['NFC', 'NFD', 'NFKC'] as const) {
    const client = newCookieClient(app)
    const uid = await openSignInPage(client, await authorizationRequest())
    expect((await signIn(client, uid, username, SENTENCE.normalize(form))).status).toBe(200)
  }
})
