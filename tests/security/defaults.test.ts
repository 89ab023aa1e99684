import { describe, expect, it } from 'vitest'
import { openHouse } from '../house.ts'
import { machineToken } from '../operator.ts'

const house = openHouse()

const usersOf = async () => (await house.env.DB.prepare('select tenant_id, id from users').all()).results

describe('a house nobody has been in', () => {
  it('has no account: neither the first tenant nor one that is made later', async () => {
    expect(await usersOf()).toEqual([])
    const token = await machineToken(house, undefined, 'manage:tenant', 'urn:vestibule:services')
    const secrets: string[] = []
    for (const id of ['one', 'two']) {
      const made = await house.fetch('/api/tenants', {
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

  it('has no client with a secret of its own: `management` is there where the operator gave it one', async () => {
    const bare = openHouse({ MANAGEMENT_CLIENT_SECRET: '' })
    for (const secret of ['', 'management', 'undefined', house.env.MANAGEMENT_CLIENT_SECRET ?? '']) {
      await expect(machineToken(bare, { id: 'management', secret })).rejects.toThrow(
        /invalid_(?:client|request)/,
      )
    }
    expect(await machineToken(house)).toBeTruthy()
  })
})
