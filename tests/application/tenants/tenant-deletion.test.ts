import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { BRAND_PICTURE_MAX_BYTES } from '../../../src/contract/experience/brand-pictures.ts'
import { authorizationRequest, ORIGIN } from '../../kit/clients/cookie-client.ts'
import { outcomeOf } from '../../kit/clients/interaction-client.ts'
import { asOperator, machineToken, type Operator } from '../../kit/clients/management-client.ts'
import { createTenantFixture, type TenantFixture } from '../../kit/tenant-fixture.ts'
import { atOrigin, openTestApp } from '../../kit/test-app.ts'
import { stubServers } from '../../outbound/connector-context.ts'
import { pictureFiles } from '../../outbound/messages/pictures.ts'
import { bucketSecrets } from '../../outbound/provider-secrets.ts'

/** Counts the tenant's rows in each table, and omits tables without any. */
async function rowsOf(tenantId: string): Promise<Record<string, number>> {
  const { results: tables } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf%'",
  ).all<{ name: string }>()
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { results: columns } = await env.DB.prepare(`select name from pragma_table_info('${name}')`).all<{
      name: string
    }>()
    const column = columns.some((one) => one.name === 'tenant_id')
      ? 'tenant_id'
      : name === 'tenants'
        ? 'id'
        : null
    if (!column) continue
    const row = await env.DB.prepare(`select count(*) as count from ${name} where ${column} = ?`)
      .bind(tenantId)
      .first<{ count: number }>()
    if (row && row.count > 0) counts[name] = row.count
  }
  return counts
}

/**
 * Counts all of the tenant's KV keys: interaction records, interactions that are not stored in the database yet, and
 * copies of public keys.
 */
const keysOf = async (tenantId: string) =>
  (await keyNames()).filter((name) => name.split(':')[1] === tenantId).length

/** Returns all key names. They fill several pages, because they include the keys of earlier tests. */
async function keyNames(cursor?: string): Promise<string[]> {
  const list = await env.INTERACTIONS.list(cursor === undefined ? {} : { cursor })
  const names = list.keys.map(({ name }) => name)
  return list.list_complete ? names : [...names, ...(await keyNames(list.cursor))]
}

/**
 * Returns a namespace with the same keys that can delete them immediately. The original namespace rejects two writes of
 * a key within a second.
 */
const laterNamespace = () =>
  ({
    get: (key: string) => env.INTERACTIONS.get(key),
    put: (key: string, value: string, options?: object) => env.INTERACTIONS.put(key, value, options),
    list: (options: object) => env.INTERACTIONS.list(options),
    delete: (key: string) => env.INTERACTIONS.delete(key),
  }) as unknown as typeof env.INTERACTIONS
const uploadsOf = async (tenantId: string) =>
  (await env.ASSET_BUCKET?.list({ prefix: `${tenantId}/` }))?.objects.length

describe('deleting a tenant', () => {
  let ended: TenantFixture
  let other: TenantFixture
  let manager: Operator

  beforeAll(async () => {
    const app = openTestApp()
    ended = await createTenantFixture(app, 'ended-tenant', 'it')
    const { url } = await authorizationRequest({ state: 'x'.repeat(3_000) })
    await app.fetch(`${ended.origin}/oidc/jwks`)
    await app.fetch(ended.origin + url.replace(encodeURIComponent(ORIGIN), encodeURIComponent(ended.origin)))
    other = await createTenantFixture(app, 'other-tenant', 'es')
    for (const { id } of [ended, other])
      await env.ASSET_BUCKET?.put(`${id}/user/2026/01/01/x/a.png`, 'a picture')
    // Another isolate, whose namespace accepts the deletions, continues.
    const next = openTestApp({ INTERACTIONS: laterNamespace() })
    const services = 'urn:vestibule:services'
    const client = { id: 'management', secret: next.env.MANAGEMENT_CLIENT_SECRET ?? '' }
    manager = asOperator(next, await machineToken(next, client, 'manage:tenant', services))
  }, 60_000)

  const remove = (id: string, confirm?: string) =>
    manager.send('DELETE', `/tenants/${id}${confirm === undefined ? '' : `?confirm=${confirm}`}`)

  it('requires the tenant id as confirmation, and is not allowed for the default tenant', async () => {
    expect((await remove(ended.id)).status).toBe(400)
    expect((await outcomeOf(await remove(ended.id, other.id))).slice(0, 2)).toEqual([
      400,
      'guard.invalid_input',
    ])
    expect(await outcomeOf(await remove('default', 'default'))).toEqual([403, 'auth.forbidden'])
    expect((await remove('unknown', 'unknown')).status).toBe(404)
    expect((await ended.operator.get('/users')).status).toBe(200)
  })

  it('removes all of the tenant’s data and none of any other tenant’s', async () => {
    expect(Object.keys(await rowsOf(ended.id)).length).toBeGreaterThan(12)
    for (const kind of ['interaction', 'unwritten', 'public']) {
      const { keys } = await env.INTERACTIONS.list({ prefix: `${kind}:${ended.id}:` })
      expect(keys).not.toEqual([])
    }
    const before = [await rowsOf(other.id), await keysOf(other.id), await uploadsOf(other.id)]

    const answered = await remove(ended.id, ended.id)
    expect([answered.status, await answered.json()]).toEqual([
      200,
      { id: ended.id, isComplete: true, uploadsLeft: false },
    ])
    expect([await rowsOf(ended.id), await keysOf(ended.id), await uploadsOf(ended.id)]).toEqual([{}, 0, 0])
    expect([await rowsOf(other.id), await keysOf(other.id), await uploadsOf(other.id)]).toEqual(before)

    expect((await openTestApp().fetch(`${ended.origin}/sign-in`)).status).toBe(404)
    expect((await other.operator.get('/users')).status).toBe(200)
    expect((await remove(ended.id, ended.id)).status).toBe(404)
    const { results } = await env.DB.prepare(
      "select tenant_id, payload from logs where key = 'Management.Tenant.Delete' and payload like '%Success%'",
    ).all<{ tenant_id: string; payload: string }>()
    expect(results.map(({ tenant_id, payload }) => [tenant_id, JSON.parse(payload).tenantId])).toEqual([
      ['default', ended.id],
    ])
  })

  it('continues a large deletion during scheduled maintenance, while the tenant’s host returns 404', async () => {
    await env.DB.prepare(
      `with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 6000)
        insert into logs (tenant_id, id, key, payload, created_at) select ?, 'l' || n, 'Test', '{}', 1 from counted`,
    )
      .bind(other.id)
      .run()
    expect(await (await remove(other.id, other.id)).json()).toEqual({
      id: other.id,
      isComplete: false,
      uploadsLeft: false,
    })
    expect((await rowsOf(other.id)).logs).toBeGreaterThan(0)
    const later = openTestApp({ INTERACTIONS: laterNamespace() })
    expect((await later.fetch(`${other.origin}/sign-in`)).status).toBe(404)
    await later.sweep()
    expect([await rowsOf(other.id), await keysOf(other.id), await uploadsOf(other.id)]).toEqual([{}, 0, 0])
  })

  it.each([
    { behaviour: 'recovering', id: 'recovering-bucket' },
    { behaviour: 'refusing', id: 'refusing-bucket' },
  ])(
    'retries deleting uploads from a $behaviour bucket, and reports whether any are left',
    async ({ behaviour, id }) => {
      const store = `${stubServers.buckets}/${crypto.randomUUID()}`
      const made = (await (await manager.send('POST', '/tenants', { id })).json()) as {
        origin: string
        application: { id: string; secret: string }
      }
      const site = atOrigin(openTestApp(), made.origin)
      const operator = asOperator(site, await machineToken(site, made.application))
      const { accessKeyId, accessSecretKey } = bucketSecrets
      const endpoint = `${store}/${behaviour}`
      const storageProvider = {
        provider: 'S3Storage',
        endpoint,
        bucket: 'files',
        accessKeyId,
        accessSecretKey,
      }
      const changed = await operator.send('PATCH', '/configs/settings', {
        storageProvider,
        allowPrivateTargets: true,
      })
      expect(changed.status).toBe(200)
      const body = new FormData()
      // Smaller pictures are stored in the database.
      const content = [pictureFiles['image/png'], new Uint8Array(BRAND_PICTURE_MAX_BYTES)]
      body.set('file', new File(content, 'logo.png', { type: 'image/png' }))
      const headers = { authorization: `Bearer ${operator.token}` }
      await site.fetch('/api/user-assets', { method: 'POST', body, headers })
      const countUploads = async () => ((await (await fetch(`${store}/kept`)).json()) as unknown[]).length
      const left = behaviour === 'recovering' ? 1 : 0
      expect(await countUploads()).toBe(left)

      // The first attempt fails to list the uploads, and the second one to delete them.
      for (let step = 0; step < 2; step++) {
        expect(await (await remove(id, id)).json()).toEqual({ id, isComplete: false, uploadsLeft: true })
        expect([await countUploads(), Object.keys(await rowsOf(id)).sort()]).toEqual([
          left,
          ['configs', 'tenants'],
        ])
      }
      if (behaviour === 'recovering') await openTestApp({ INTERACTIONS: laterNamespace() }).sweep()
      else {
        await env.DB.prepare('update tenants set deleted_at = deleted_at - 3600000 where id = ?')
          .bind(id)
          .run()
        expect(await (await remove(id, id)).json()).toEqual({ id, isComplete: true, uploadsLeft: true })
      }
      expect([await countUploads(), await rowsOf(id)]).toEqual([0, {}])
    },
  )
})
