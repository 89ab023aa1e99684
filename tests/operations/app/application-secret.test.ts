import { describe, expect, it } from 'vitest'
import { newOperator } from '../../kit/clients/management-client.ts'
import { openTestApp } from '../../kit/test-app.ts'

/**
 * Tests that a database copy reveals no application secrets, and how to replace one (docs/operations/runbook.md, "A
 * secret is compromised").
 */

const app = openTestApp()

const tokensWith = async (id: string, secret: string) =>
  app.fetch('/oidc/token', {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${id}:${encodeURIComponent(secret)}`)}` },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      resource: 'urn:vestibule:management-api',
      scope: 'all',
    }),
  })

async function newMachine() {
  const operator = await newOperator(app)
  const created = await operator.send('POST', '/applications', { name: 'Robot', type: 'MachineToMachine' })
  const { id } = (await created.json()) as { id: string }
  const promoted = await operator.send('PATCH', `/applications/${id}`, { isAdmin: true })
  expect(promoted.status).toBe(200)
  const { secret } = (await promoted.json()) as { secret: string }
  return { id, secret, renew: (body: object) => operator.send('PATCH', `/applications/${id}`, body) }
}

describe("an application's secret", () => {
  it('is encrypted in the database', async () => {
    const { id, secret } = await newMachine()
    const row = await app.env.DB.prepare('select * from applications where id = ?').bind(id).first()
    expect(JSON.stringify(row)).toContain(id)
    expect(JSON.stringify(row)).not.toContain(secret)
  })

  it('is accepted until it is replaced, and rejected afterwards', async () => {
    const { id, secret, renew } = await newMachine()
    expect((await tokensWith(id, secret)).status).toBe(200)
    const renewed = 'n'.repeat(64)
    expect((await renew({ secret: renewed })).status).toBe(200)
    expect((await tokensWith(id, secret)).status).toBe(401)
    expect((await tokensWith(id, renewed)).status).toBe(200)
  })
})
