import { beforeAll, describe, expect, it } from 'vitest'
import {
  BRAND_PICTURE_MAX_BYTES,
  MAX_BRAND_PICTURES,
  MAX_BRAND_PICTURES_BYTES,
} from '../../../src/contract/experience/brand-pictures.ts'
import { DAY } from '../../../src/contract/time.ts'
import type { Operator } from '../../kit/clients/management-client.ts'
import { openTenant } from '../../kit/tenant-fixture.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'
import { stubServers } from '../../outbound/connector-context.ts'
import { latin1Bytes, pictureFiles } from '../../outbound/messages/pictures.ts'
import { bucketSecrets } from '../../outbound/provider-secrets.ts'

const main = openTestApp()
type Tenant = { id: string; site: TestApp; operator: Operator }
let acme: Tenant
let other: Tenant
const open = async (id: string): Promise<Tenant> => ({ id, ...(await openTenant(main, id)) })
beforeAll(async () => {
  acme = await open('acme')
  other = await open('other')
})

function upload(
  { site, operator }: Tenant,
  content: Uint8Array<ArrayBuffer>,
  type = 'image/png',
): Promise<Response> {
  const body = new FormData()
  body.set('file', new File([content], 'logo.html', { type }))
  const headers = { authorization: `Bearer ${operator.token}` }
  return site.fetch('/api/user-assets', { method: 'POST', body, headers })
}

type Uploaded = { url: string; path: string }
async function store(tenant: Tenant, content: Uint8Array<ArrayBuffer>, type?: string): Promise<Uploaded> {
  const response = await upload(tenant, content, type)
  expect(response.status).toBe(200)
  return (await response.json()) as Uploaded
}
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code

/** A PNG file with the given size, which differs between seeds. */
function png(size: number, seed = 0): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(size)
  content.set(pictureFiles['image/png'])
  content[size - 1] = seed
  return content
}
const svg = (text: string) => latin1Bytes(`<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>`)

describe('a picture of the brand', () => {
  it.each(Object.entries(pictureFiles))(
    '[ASVS-5.3.1] needs no setting and is served as a sandboxed document with the type of its content: %s',
    async (type, content) => {
      const { url, path } = await store(acme, content, 'image/x-icon')
      expect(path).toMatch(/^\/assets\/brand\/[\w-]{43}\.[a-z]+$/)
      expect(url).toBe(acme.site.origin + path)
      const response = await acme.site.fetch(path)
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(content)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': type,
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'cross-origin',
      })
    },
  )

  it('has the same URL whenever it is uploaded, and no body in answers to HEAD and to its own ETag', async () => {
    const { path } = await store(acme, png(100))
    expect((await store(acme, png(100))).path).toBe(path)
    const etag = (await acme.site.fetch(path)).headers.get('etag') ?? ''
    const again = await acme.site.fetch(path, { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const head = await acme.site.fetch(path, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, 'image/png', ''])
    const posted = await acme.site.fetch(path, { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('is read once, and a made-up, foreign or misspelt name is not found without a read', async () => {
    const { path } = await store(acme, png(200))
    const foreign = await store(other, png(201))
    await acme.site.fetch(path)
    const navigation = { headers: { accept: 'text/html' } }
    await acme.site.fetch('/assets/brand/x.png', navigation)
    main.trips()
    expect((await acme.site.fetch(path)).status).toBe(200)
    for (const unknown of [
      foreign.path,
      path.replace('.png', '.svg'),
      path.replace('.png', ''),
      path.toUpperCase(),
      `${path}/`,
      `/assets/brand/${'A'.repeat(43)}.png`,
      '/assets/brand/',
      '/assets/brand/..%2f..%2flogo.png',
      `/assets/brand/%2e%2e%2fbrand%2f${path.slice('/assets/brand/'.length)}`,
    ]) {
      expect((await acme.site.fetch(unknown, navigation)).status).toBe(404)
      const response = await acme.site.fetch(unknown)
      expect([unknown, response.status, response.headers.get('cache-control')]).toEqual([
        unknown,
        404,
        'no-store',
      ])
    }
    expect(main.trips()).toEqual({ awaited: 0, afterwards: 0 })
  })

  it('can be the logo, the favicon and the background, and as a URL the logo of an application', async () => {
    const { path, url } = await store(acme, pictureFiles['image/svg+xml'], 'image/svg+xml')
    const changed = await acme.operator.send('PATCH', '/sign-in-exp', {
      branding: { name: 'Acme', logoUrl: path, favicon: path },
      layout: { type: 'Split', pictureUrl: path },
    })
    expect(changed.status).toBe(200)
    const page = await acme.site.fetch('/signed-in')
    expect(page.headers.get('content-security-policy')).toContain("img-src 'self'")
    const html = await page.text()
    expect(html).toContain(`src="${path}"`)
    expect(html).toContain(`rel="icon" href="${path}"`)
    const application = await acme.operator.send('POST', '/applications', {
      name: 'Shop',
      type: 'SPA',
      oidcClientMetadata: {
        redirectUris: ['https://shop.example.com'],
        postLogoutRedirectUris: [],
        logoUri: url,
      },
    })
    expect(application.status).toBe(200)
  })

  it('may have 256 KiB', async () => {
    await store(other, png(BRAND_PICTURE_MAX_BYTES))
    const larger = await upload(other, png(BRAND_PICTURE_MAX_BYTES + 1))
    expect(await codeOf(larger)).toBe('storage.not_configured')
  })

  it.each([
    '<script>alert(1)</script>',
    '<a href="javascript:alert(1)"/>',
    '<animate attributeName="href" values="javascript:alert(1)"/>',
    '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>',
    '<image href="https://tracker.example/a.png"/>',
  ])('cannot be a drawing with active content: %s', async (part) => {
    const response = await upload(acme, svg(part), 'image/svg+xml')
    expect([response.status, await codeOf(response)]).toEqual([400, 'guard.mime_type_not_allowed'])
  })

  it('is recorded in the audit log with its path', async () => {
    const { path } = await store(acme, png(300))
    const logs = await acme.operator.get('/logs?logKey=Management.UserAsset.Create')
    expect(await logs.text()).toContain(path)
  })
})

describe('the quota of pictures', () => {
  const fill = (tenantId: string, count: number, size: number) =>
    main.env.DB.prepare(
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?)
        insert into brand_pictures select ?, n || '.png', ?, 0, ?, x'00' from numbers`,
    )
      .bind(count, tenantId, size, Date.now() + DAY)
      .run()

  it.each([
    { limit: 'number', id: 'many', count: MAX_BRAND_PICTURES - 1, size: 1 },
    {
      limit: 'size',
      id: 'large',
      count: 1,
      size: MAX_BRAND_PICTURES_BYTES - 100,
    },
  ])('of a $limit admits one of two uploads at its edge', async ({ id, count, size }) => {
    const tenant = await open(id)
    await fill(id, count, size)
    const answers = await Promise.all([upload(tenant, png(100, 1)), upload(tenant, png(100, 2))])
    const refused = answers.filter(({ status }) => status === 422)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
    expect(await codeOf(refused[0] ?? new Response())).toBe('storage.quota_exceeded')
    // A picture that is already stored needs no more room.
    const [stored, other] = answers[0]?.status === 200 ? [1, 2] : [2, 1]
    await store(tenant, png(100, stored))

    const bucket = `${stubServers.buckets}/${crypto.randomUUID()}/ok`
    const { accessKeyId, accessSecretKey } = bucketSecrets
    const storageProvider = {
      provider: 'S3Storage',
      endpoint: bucket,
      bucket: 'files',
      accessKeyId,
      accessSecretKey,
    }
    await tenant.operator.send('PATCH', '/configs/settings', { storageProvider, allowPrivateTargets: true })
    const { url, path } = await store(tenant, png(100, other))
    expect([url.startsWith(bucket), path]).toEqual([true, undefined])
  })
})

describe('pictures that nothing uses', () => {
  it('are removed a day after their upload, unlike those in use', async () => {
    const tenant = await open('sweeping')
    const { operator, site } = tenant
    const at = async (seed: number) => store(tenant, png(400, seed))
    const [logo, css, connector, application, avatar, template, unused, recent] = await Promise.all(
      Array.from({ length: 8 }, (_, seed) => at(seed)),
    )
    if (!logo || !css || !connector || !application || !avatar || !template || !unused || !recent)
      throw new Error('eight pictures are needed')
    const done = async (answer: Promise<Response>) => expect([200, 201]).toContain((await answer).status)
    await done(
      operator.send('PATCH', '/sign-in-exp', {
        branding: { logoUrl: logo.path },
        customCss: `.card { background: url(${css.path}) }`,
      }),
    )
    const oidc = { issuer: 'https://a.example', clientId: 'a', clientSecret: 'b' }
    // In development, a picture of a connector may be at the origin of the pages.
    const metadata = { target: 'staff', name: { en: 'Staff' }, logo: connector.url }
    await done(operator.send('POST', '/connectors', { connectorId: 'oidc', metadata, config: oidc }))
    await done(
      operator.send('POST', '/applications', {
        name: 'Shop',
        type: 'SPA',
        oidcClientMetadata: {
          redirectUris: ['https://shop.example'],
          postLogoutRedirectUris: [],
          logoUri: application.url,
        },
      }),
    )
    await done(operator.send('POST', '/users', { username: 'ann' }))
    await main.env.DB.prepare("update users set avatar = ? where tenant_id = 'sweeping' and username = 'ann'")
      .bind(avatar.url)
      .run()
    const mail = {
      apiKey: 'key',
      fromEmail: 'a@example.com',
      templates: [
        {
          usageType: 'Generic',
          type: 'text/html',
          subject: 'Hello',
          content: `<img src="${template.url}"> {{code}}`,
        },
      ],
    }
    await done(operator.send('POST', '/connectors', { connectorId: 'sendgrid-email-service', config: mail }))
    await main.env.DB.prepare(
      "update brand_pictures set check_at = ? where tenant_id = 'sweeping' and name <> ?",
    )
      .bind(Date.now(), recent.path.split('/').at(-1) ?? '')
      .run()

    await main.sweep()
    const { results } = await main.env.DB.prepare(
      "select '/assets/brand/' || name as path, check_at from brand_pictures where tenant_id = 'sweeping'",
    ).all<{ path: string; check_at: number }>()
    const usedPaths = [logo, css, connector, application, avatar, template, recent].map(({ path }) => path)
    expect(results.map(({ path }) => path).toSorted()).toEqual(usedPaths.toSorted())
    // Those in use are checked again the next day.
    for (const { check_at } of results) expect(check_at).toBeGreaterThan(Date.now() + DAY - 60_000)
    expect((await site.fetch(logo.path)).status).toBe(200)
  })
})
