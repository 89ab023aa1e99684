import { describe, expect, it } from 'vitest'
import { openD1 } from '../../src/storage/database.ts'
import { seedTenant } from '../../src/storage/seed.ts'
import { at, type House, openHouse } from '../house.ts'
import { newOperator } from '../operator.ts'
import { authorization, begin, freshName, newVisitor } from '../visitor.ts'

const DISCOVERY = '/oidc/.well-known/openid-configuration'
const HTML = { headers: { accept: 'text/html' } }

/** What `npm run migrations` made for the default tenant, for others. */
async function newTenant(house: House, id = freshName().replace('_', '-')): Promise<string> {
  await seedTenant(openD1(house.env.DB), id, Date.now())
  return id
}

const production = (HOSTS: string) => openHouse({ ENVIRONMENT: 'production', HOSTS })

describe('a host', () => {
  it('is the issuer of its tenant, with keys of its own', async () => {
    const house = production('id.example.com *.t.example=* shop.example=shop')
    await newTenant(house, 'shop')
    const other = await newTenant(house)
    const origins = ['https://id.example.com', `https://${other}.t.example`, 'https://shop.example']

    const keys: string[] = []
    for (const origin of origins) {
      expect(await (await house.fetch(origin + DISCOVERY)).json()).toMatchObject({ issuer: `${origin}/oidc` })
      const set: { keys: { kid: string }[] } = await (await house.fetch(`${origin}/oidc/jwks`)).json()
      keys.push(...set.keys.map(({ kid }) => kid))
    }
    expect(keys).toHaveLength(6)
    expect(new Set(keys).size).toBe(6)
  })

  it('shares the keys of its tenant with its other hosts', async () => {
    const house = production('id.example.com id2.example.com')
    const sets = await Promise.all(
      ['https://id.example.com', 'https://id2.example.com'].map(async (origin) =>
        (await house.fetch(`${origin}/oidc/jwks`)).text(),
      ),
    )
    expect(sets[0]).toBe(sets[1])
  })

  it.each([
    'https://evil.example',
    'https://nobody.t.example',
    'https://a.b.t.example',
    'https://t.example',
    'https://typo.example',
  ])('that is nobody’s has neither pages nor calls nor a provider: %s', async (origin) => {
    const house = production('id.example.com *.t.example=* typo.example=no-such-tenant')
    for (const path of ['/', '/sign-in', '/demo-app', '/api/status', '/api/users', '/api/docs', DISCOVERY]) {
      const told = await house.fetch(origin + path)
      expect([path, told.status, told.headers.get('x-request-id')]).toEqual([path, 404, expect.any(String)])
      expect(await told.json()).toMatchObject({ code: 'entity.not_found' })
      expect(told.headers.getSetCookie()).toEqual([])

      const shown = await house.fetch(origin + path, HTML)
      expect([path, shown.status, shown.headers.get('content-type')]).toEqual([
        path,
        404,
        'text/html; charset=utf-8',
      ])
    }
  })

  it('that is nobody’s does not wear the colours of a tenant', async () => {
    const house = production('id.example.com')
    await house.env.DB.prepare(
      `update sign_in_experiences set custom_css = '.of-default{}' where tenant_id = 'default'`,
    ).run()
    expect(await (await house.fetch('https://id.example.com/unknown-session', HTML)).text()).toContain(
      '.of-default',
    )
    expect(await (await house.fetch('https://evil.example/unknown-session', HTML)).text()).not.toContain(
      '.of-default',
    )
  })

  it('in development is a subdomain of localhost, and localhost itself the default tenant', async () => {
    const house = openHouse()
    const id = await newTenant(house)
    const there = await at(house, `http://${id}.localhost:8787`).fetch('/api/.well-known/sign-in-exp')
    expect(await there.json()).toMatchObject({ tenantId: id })
    const here = await house.fetch('/api/.well-known/sign-in-exp')
    expect(await here.json()).toMatchObject({ tenantId: 'default' })
    expect((await house.fetch('http://nobody.localhost:8787/api/status')).status).toBe(404)
  })

  it('that is wrongly configured stops the start, and says which', async () => {
    await expect(async () => production('https://id.example.com').fetch('/')).rejects.toThrow(
      /The configuration is incomplete\. hosts: "https:\/\/id\.example\.com" is not a host/,
    )
  })
})

describe('looking for a tenant', () => {
  it('costs a warm page nothing', async () => {
    const house = openHouse()
    const site = at(house, `http://${await newTenant(house)}.localhost:8787`)
    const visitor = newVisitor(site)
    const uid = await begin(
      visitor,
      await authorization({ redirect_uri: `${await originOf(site)}/demo-app` }),
    )
    await visitor.get(`/sign-in?interaction=${uid}`)
    house.trips()
    expect((await visitor.get(`/sign-in?interaction=${uid}`)).status).toBe(200)
    expect(house.trips().awaited).toBe(0)
  })

  it('asks once for a made-up host, however often it is asked', async () => {
    const house = openHouse()
    for (let time = 0; time < 20; time++) await house.fetch('http://made-up.localhost:8787/api/status')
    expect(house.trips().awaited).toBe(1)
  })

  it('is not brought down by a flood of made-up hosts, and those who were met stay', async () => {
    const house = openHouse()
    const id = await newTenant(house)
    expect((await house.fetch(`http://${id}.localhost:8787/api/status`)).status).toBe(204)
    house.trips()

    const flood = Array.from({ length: 400 }, (_, number) =>
      house.fetch(`http://made-up-${number}.localhost:8787/api/status`),
    )
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([404, 503]))
    expect(house.trips().awaited + house.trips().afterwards).toBeLessThanOrEqual(300)
    expect((await house.fetch(`http://${id}.localhost:8787/api/status`)).status).toBe(204)
  })

  it('does not ask for what can be no tenant', async () => {
    const house = openHouse()
    for (const label of ['a.b', '-a', 'a_b', 'a'.repeat(22)])
      expect((await house.fetch(`http://${label}.localhost:8787/api/status`)).status).toBe(404)
    expect(house.trips().awaited).toBe(0)
  })
})

describe('the built-in client', () => {
  it('manages every tenant, each at its own host', async () => {
    const house = openHouse()
    const id = await newTenant(house)
    const operator = await newOperator(at(house, `http://${id}.localhost:8787`))
    const created = await operator.send('POST', '/users', { username: freshName() })
    expect(created.status).toBe(200)
    const { count } = (await house.env.DB.prepare('select count(*) as count from users where tenant_id = ?')
      .bind(id)
      .first<{ count: number }>()) ?? { count: 0 }
    expect(count).toBe(1)
  })
})

const originOf = async (site: House) => {
  const { issuer }: { issuer: string } = await (await site.fetch(DISCOVERY)).json()
  return new URL(issuer).origin
}
