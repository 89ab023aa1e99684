import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { freshName } from '../kit/clients/cookie-client.ts'
import { beginInteraction } from '../kit/clients/interaction-client.ts'
import { openTestApp } from '../kit/test-app.ts'

const SECRET = 'what-no-log-may-hold'

describe('a field that is unknown to the audit log', () => {
  it('is not stored if a client sends it', async () => {
    const app = openTestApp()
    const owner = { username: freshName(), password: `${SECRET}-9` }
    const registered = await beginInteraction(app)
    await registered.start('Register', { profile: owner })
    await registered.submit()
    const interaction = await beginInteraction(app)
    await interaction.start('Register', { profile: { connectorId: 'nowhere', password: `${SECRET}-9` } })
    await interaction.start('SignIn', { identifier: { username: 'nobody', password: SECRET } })
    // A successful authentication also writes the deferred audit rows.
    await interaction.start('SignIn', { identifier: owner })
    const { results } = await env.DB.prepare('select payload from logs').all<{ payload: string }>()
    expect(results.some(({ payload }) => payload.includes('nowhere'))).toBe(true)
    expect(JSON.stringify(results)).not.toContain(SECRET)
  })
})
