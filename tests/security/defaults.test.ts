import { describe, expect, it } from 'vitest'
import { machineToken } from '../kit/clients/management-client.ts'
import { openTestApp } from '../kit/test-app.ts'

const app = openTestApp()

const usersOf = async () => (await app.env.DB.prepare('select tenant_id, id from users').all()).results

describe('a new deployment', () => {
  it('[ASVS-6.3.2] has no accounts in the first tenant or in any other', async () => {
    expect(await usersOf()).toEqual([])
    const token = await machineToken(app, undefined, 'manage:tenant', 'urn:vestibule:services')
    const secrets: string[] = []
    for (const id of ['one', 'two']) {
      const made = await app.fetch('/api/tenants', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ id }),
      })
      expect(made.status).toBe(200)
      secrets.push(((await made.json()) as { application: { secret: string } }).application.secret)
    }
    expect(await usersOf()).toEqual([])
    expect(new Set(secrets).size).toBe(2)
  })

  it('[ASVS-6.3.2-2] has no client with a default secret', async () => {
    const bare = openTestApp({ MANAGEMENT_CLIENT_SECRET: '' })
    for (const secret of ['', 'management', 'undefined', app.env.MANAGEMENT_CLIENT_SECRET ?? '']) {
      await expect(machineToken(bare, { id: 'management', secret })).rejects.toThrow(
        /invalid_(?:client|request)/,
      )
    }
    expect(await machineToken(app)).toBeTruthy()
  })
})
