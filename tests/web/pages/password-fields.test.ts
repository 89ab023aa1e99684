import { expect, it } from 'vitest'
import { beginInteraction } from '../../kit/clients/interaction-client.ts'
import { openTestApp } from '../../kit/test-app.ts'

it('[ASVS-6.2.6] a password field is masked, supports password managers and accepts pasted text', async () => {
  const { client, uid } = await beginInteraction(openTestApp())
  for (const [path, autocomplete] of [
    ['/sign-in', 'current-password'],
    ['/register', 'new-password'],
  ] as const) {
    const page = await client.get(`${path}?interaction=${uid}`)
    const fields = (await page.text()).match(/<input[^>]*name="password"[^>]*>/g) ?? []
    if (path === '/sign-in') expect(fields.length).toBe(1)
    for (const field of fields) {
      expect(field).toContain('type="password"')
      expect(field.toLowerCase()).toContain(`autocomplete="${autocomplete}"`)
      expect(Number(/maxlength="(\d+)"/i.exec(field)?.[1] ?? 256)).toBeGreaterThanOrEqual(64)
      expect(field).not.toMatch(/ on(?:paste|drop|copy)/i)
    }
  }
})
