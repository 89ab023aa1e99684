import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { auditEntries } from '../../kit/audit-entries.ts'
import { freshName } from '../../kit/clients/cookie-client.ts'
import { beginInteraction } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { membersOf, storeOrganization, storeOrganizationRole } from '../../kit/organisations/organizations.ts'
import { signInByPassword } from '../../kit/second-factor.ts'
import { storeAccount } from '../../kit/stored-account.ts'
import { everyMethod, setExperience } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests domains of organisations and joining by them (spec/organisations#domains). */

let app: TestApp
let operator: Operator
beforeAll(async () => {
  await setExperience(openTestApp(), {
    methods: everyMethod,
    signUp: { identifiers: ['email'], password: false, verify: true },
  })
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
})
afterEach(() => vi.restoreAllMocks())

type Domain = {
  domain: string
  record: { name: string; type: string; value: string }
  verifiedAt: number | null
  missedAt: number | null
  checkedAt: number | null
}

const freshDomain = () => `${freshName().replace('_', '-')}.com`

const add = (organizationId: string, domain: string, body: object = {}) =>
  operator.send('POST', `/organizations/${organizationId}/domains`, { domain, ...body })
const verify = (organizationId: string, domain: string) =>
  operator.send('POST', `/organizations/${organizationId}/domains/${domain}/verification`)
const read = async (organizationId: string, domain: string) =>
  (await (await operator.get(`/organizations/${organizationId}/domains/${domain}`)).json()) as Domain
const codeOf = async (response: Response) => {
  const { code, data } = (await response.json()) as { code?: string; data?: { reason?: string } }
  return [response.status, code, data?.reason]
}

type Resolve = (name: string) => Response | Promise<Response>
const CLOUDFLARE = 'https://cloudflare-dns.com/dns-query'
const GOOGLE = 'https://dns.google/resolve'

/** Answers the calls to the two resolvers, and returns the calls. */
function stubResolvers(cloudflare: Resolve, google: Resolve = cloudflare) {
  const calls: { url: string; init: RequestInit | undefined }[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const url = new URL(String(input))
    calls.push({ url: url.href, init })
    const name = url.searchParams.get('name') ?? ''
    if (url.href.startsWith(CLOUDFLARE)) return cloudflare(name)
    if (url.href.startsWith(GOOGLE)) return google(name)
    throw new Error(`Nobody calls ${url.origin}`)
  })
  return calls
}

const answer = (records: readonly string[], more: object = {}) =>
  Response.json({
    Status: 0,
    TC: false,
    Answer: records.map((data) => ({ name: 'x', type: 16, TTL: 60, data })),
    ...more,
  })
const absent = () => Response.json({ Status: 3, TC: false })

/** Adds a domain and proves it with resolvers that see its record. */
async function prove(organizationId: string, domain: string, body: object = {}): Promise<Domain> {
  const added = await add(organizationId, domain, body)
  expect([added.status, added.ok ? '' : await added.clone().text()]).toEqual([200, ''])
  const { record } = (await added.json()) as Domain
  stubResolvers(() => answer(['"v=spf1 -all"', `"${record.value}"`]))
  const proved = await verify(organizationId, domain)
  expect([proved.status, proved.ok ? '' : await proved.clone().text()]).toEqual([200, ''])
  vi.restoreAllMocks()
  return (await proved.json()) as Domain
}

const expire = (domain: string) =>
  app.env.DB.prepare('update organization_domains set next_check_at = 1 where domain = ?').bind(domain).run()

describe('a domain of an organisation', () => {
  it('is stored once, in its canonical form', async () => {
    const organizationId = await storeOrganization()
    const domain = `bücher-${freshName().slice(5)}.de`
    const { hostname } = new URL(`https://${domain}`)
    const created = (await (await add(organizationId, `${domain.toUpperCase()}.`)).json()) as Domain
    expect(created).toMatchObject({ domain: hostname, verifiedAt: null })
    expect(created.record).toEqual({
      name: `_vestibule.${hostname}`,
      type: 'TXT',
      value: expect.stringMatching(/^vestibule-domain=\w{32}$/),
    })
    // The twin of an internationalized domain is the same domain, and keeps its token.
    expect(await codeOf(await add(organizationId, hostname.toUpperCase()))).toEqual([
      422,
      'entity.id_in_use',
      undefined,
    ])
    expect((await read(organizationId, domain)).record).toEqual(created.record)
  })

  it('is refused if the organisation has 50 already', async () => {
    const organizationId = await storeOrganization()
    await app.env.DB.prepare(
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 50)
      insert into organization_domains (tenant_id, organization_id, domain, token, join_mode, created_at)
      select 'default', ?, n || '.example.com', n, 'off', 1 from numbers`,
    )
      .bind(organizationId)
      .run()
    const [status, code] = await codeOf(await add(organizationId, freshDomain()))
    expect([status, code]).toEqual([422, 'organization.domain_limit_reached'])
  })

  it.each([
    { domain: 'co.uk', reason: 'publicSuffix' },
    { domain: 'github.io', reason: 'publicSuffix' },
    { domain: 'anything.ck', reason: 'publicSuffix' },
    { domain: 'gmail.com', reason: 'mailProvider' },
    { domain: 'GMAIL.COM.', reason: 'mailProvider' },
    { domain: 'ｇｍａｉｌ.com', reason: 'mailProvider' },
    { domain: 'mail.tutanota.com', reason: 'mailProvider' },
    { domain: 'acme.internal', reason: 'unknownSuffix' },
  ])('is not allowed: $domain', async ({ domain, reason }) => {
    const refused = await add(await storeOrganization(), domain)
    expect(await codeOf(refused)).toEqual([422, 'organization.domain_not_allowed', reason])
  })

  it.each([
    'com',
    'localhost',
    '*.acme.com',
    '127.0.0.1',
    '[::1]',
    '0x7f.1',
    'acme.com/x',
    ' acme.com',
    'xn--gmail-.com',
    'a..com',
  ])('is no domain name: %s', async (domain) => {
    expect(await codeOf(await add(await storeOrganization(), domain))).toEqual([
      400,
      'guard.invalid_input',
      undefined,
    ])
  })

  it('is changed and removed, with roles that exist', async () => {
    const organizationId = await storeOrganization()
    const domain = freshDomain()
    const role = await storeOrganizationRole()
    await add(organizationId, domain)
    const path = `/organizations/${organizationId}/domains/${domain}`
    const changed = await operator.send('PATCH', path, { join: 'automatic', roleIds: [role.id] })
    expect(await changed.json()).toMatchObject({ join: 'automatic', roleIds: [role.id] })
    const padded = await operator.send('PATCH', path, { roleIds: [` ${role.id}`] })
    expect(await codeOf(padded)).toEqual([404, 'entity.not_exists_with_id', undefined])
    const other = `/organizations/${await storeOrganization()}/domains/${domain}`
    expect((await operator.send('DELETE', other)).status).toBe(404)
    expect((await operator.send('DELETE', path)).status).toBe(204)
    expect((await operator.get(path)).status).toBe(404)
  })
})

describe('the proof of a domain', () => {
  it('asks both resolvers for the record, without following redirects', async () => {
    const organizationId = await storeOrganization()
    const domain = freshDomain()
    const { record } = (await (await add(organizationId, domain)).json()) as Domain
    // One resolver splits the text and quotes it, the other returns it as it is.
    const half = record.value.length / 2
    const split = `"${record.value.slice(0, half)}" "${record.value.slice(half)}"`
    const calls = stubResolvers(
      () => answer([split]),
      () => answer([record.value]),
    )
    expect((await verify(organizationId, domain)).status).toBe(200)
    expect(calls.map(({ url }) => url).toSorted()).toEqual([
      `${CLOUDFLARE}?name=_vestibule.${domain}&type=TXT`,
      `${GOOGLE}?name=_vestibule.${domain}&type=TXT`,
    ])
    for (const { init } of calls)
      expect(init).toMatchObject({
        method: 'GET',
        redirect: 'manual',
        headers: { accept: 'application/dns-json' },
      })
    const entries = await auditEntries(app.env.DB)
    expect(entries.at(-1)).toMatchObject({
      key: 'Management.OrganizationDomain.Update',
      payload: { organizationId, domain, result: 'Success' },
    })
  })

  const proof = (value: string) => () => answer([value])
  it.each<{ what: string; resolvers: (value: string) => [Resolve, Resolve?]; reason: string }>([
    { what: 'no record', resolvers: () => [absent], reason: 'missing' },
    {
      what: 'the token of another organisation',
      resolvers: () => [proof('vestibule-domain=other')],
      reason: 'missing',
    },
    { what: 'a record that contains more', resolvers: (value) => [proof(`${value} x`)], reason: 'missing' },
    { what: 'one lying resolver', resolvers: (value) => [proof(value), absent], reason: 'disagreement' },
    { what: 'another lying resolver', resolvers: (value) => [absent, proof(value)], reason: 'disagreement' },
    {
      what: 'a redirect',
      resolvers: (value) => [proof(value), () => Response.redirect('https://evil.example/', 302)],
      reason: 'unavailable',
    },
    {
      what: 'a huge answer',
      resolvers: (value) => [proof(value), () => answer([value], { Comment: 'x'.repeat(300_000) })],
      reason: 'unavailable',
    },
    {
      what: 'a shortened answer',
      resolvers: (value) => [() => answer([value], { TC: true })],
      reason: 'unavailable',
    },
    {
      what: 'a failing server',
      resolvers: (value) => [() => answer([value], { Status: 2 })],
      reason: 'unavailable',
    },
    {
      what: 'HTML',
      resolvers: (value) => [proof(value), () => new Response(`<p>${value}`)],
      reason: 'unavailable',
    },
    {
      what: 'a record of another type',
      resolvers: (value) => [() => Response.json({ Status: 0, Answer: [{ type: 5, data: value }] })],
      reason: 'missing',
    },
    {
      what: 'no connection',
      resolvers: () => [() => Promise.reject(new TypeError('refused'))],
      reason: 'unavailable',
    },
  ])('is refused because of $what', async ({ resolvers, reason }) => {
    const organizationId = await storeOrganization()
    const domain = freshDomain()
    const { record } = (await (await add(organizationId, domain)).json()) as Domain
    stubResolvers(...resolvers(record.value))
    expect(await codeOf(await verify(organizationId, domain))).toEqual([
      422,
      'organization.domain_unproved',
      reason,
    ])
    expect((await read(organizationId, domain)).verifiedAt).toBeNull()
  })

  it('belongs to one organisation, also if two prove it at once', async () => {
    const [first, second] = [await storeOrganization(), await storeOrganization()]
    const domain = freshDomain()
    const records = await Promise.all(
      [first, second].map(async (id) => ((await (await add(id, domain)).json()) as Domain).record.value),
    )
    stubResolvers(() => answer(records))
    const outcomes = await Promise.all(
      [verify(first, domain), verify(second, domain)].map(async (r) => codeOf(await r)),
    )
    expect(outcomes.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
      [200, undefined, undefined],
      [422, 'organization.domain_in_use', undefined],
    ])
  })

  it('protects the subdomains, which only the same organisation can add', async () => {
    const [acme, other] = [await storeOrganization(), await storeOrganization()]
    const domain = freshDomain()
    await add(other, `shop.${domain}`)
    await prove(acme, domain)
    expect(await codeOf(await add(other, `login.eu.${domain}`))).toEqual([
      422,
      'organization.domain_in_use',
      undefined,
    ])
    expect(await codeOf(await add(other, domain))).toEqual([422, 'organization.domain_in_use', undefined])
    expect((await add(acme, `login.eu.${domain}`)).status).toBe(200)
    const { record } = await read(other, `shop.${domain}`)
    stubResolvers(() => answer([record.value]))
    expect((await verify(other, `shop.${domain}`)).status).toBe(422)
  })

  it('is checked again every week: joining ends at the first confirmed miss, and resumes', async () => {
    const organizationId = await storeOrganization()
    const domain = freshDomain()
    const { record, checkedAt } = await prove(organizationId, domain)
    const sweep = async (...resolvers: Parameters<typeof stubResolvers>) => {
      await expire(domain)
      const calls = stubResolvers(...resolvers)
      await app.sweep()
      const ours = calls.filter(({ url }) => url.includes(domain)).length
      vi.restoreAllMocks()
      return { ours, ...(await read(organizationId, domain)) }
    }
    // It is not due yet.
    const calls = stubResolvers(absent)
    await app.sweep()
    expect(calls.filter(({ url }) => url.includes(domain))).toEqual([])
    vi.restoreAllMocks()
    expect(await sweep(absent, () => new Response(null, { status: 500 }))).toMatchObject({
      ours: 2,
      missedAt: null,
      checkedAt,
    })
    expect(await sweep(absent, () => answer([record.value]))).toMatchObject({ missedAt: null })
    const missed = await sweep(absent)
    expect(missed).toMatchObject({ verifiedAt: expect.any(Number), missedAt: expect.any(Number) })
    expect(await sweep(absent)).toMatchObject({ missedAt: missed.missedAt })
    expect(await sweep(() => answer([record.value]))).toMatchObject({ missedAt: null })
    const keys = (await auditEntries(app.env.DB)).flatMap(({ key, payload }) =>
      payload.organizationId === organizationId && key.startsWith('Organization.') ? key : [],
    )
    expect(keys).toEqual(['Organization.Domain.Miss', 'Organization.Domain.Resume'])
  })
})

describe('joining by a domain', () => {
  const set = (statement: string, ...values: (string | number)[]) =>
    app.env.DB.prepare(statement)
      .bind(...values)
      .run()

  /** Stores an account with an address of the domain and signs it in. */
  async function signInWith(domain: string, isVerified = 1) {
    const account = await storeAccount({ email: `${freshName()}@${domain.toUpperCase()}` })
    await set('update users set email_verified = ? where id = ?', isVerified, account.id)
    return { ...account, submit: () => signInAgain(account.username) }
  }
  const signInAgain = async (username: string) =>
    (await (await signInByPassword(app, username)).call('POST', '/submit')).status

  it('makes the owner of a verified address a member in the sign-in, with the roles of the domain', async () => {
    const organizationId = await storeOrganization()
    const role = await storeOrganizationRole()
    const domain = freshDomain()
    await prove(organizationId, domain, { join: 'automatic', roleIds: [role.id] })
    const { id, submit } = await signInWith(domain)
    expect(await submit()).toBe(200)
    expect(await membersOf(organizationId)).toEqual([{ userId: id, sources: 'domain', roles: role.id }])
    expect(await submit()).toBe(200)
    const joined = (await auditEntries(app.env.DB)).filter(
      ({ key, payload }) => key === 'Organization.Member.Join' && payload.organizationId === organizationId,
    )
    expect(joined.map(({ payload }) => payload)).toEqual([
      expect.objectContaining({ userId: id, domain, result: 'Success' }),
    ])
  })

  it('makes somebody a member who registers with a code to the address', async () => {
    const organizationId = await storeOrganization()
    const domain = freshDomain()
    await prove(organizationId, domain, { join: 'automatic' })
    const interaction = await beginInteraction(app)
    const email = `${freshName()}@${domain}`
    await interaction.start('Register')
    await interaction.prove({ email })
    await interaction.call('PATCH', '/profile', { email })
    expect(await interaction.submit()).toMatchObject({ status: 200 })
    const [member] = await membersOf(organizationId)
    expect(member).toMatchObject({ sources: 'domain', roles: null })
  })

  it.each([
    { what: 'the address is not verified', isVerified: 0 },
    { what: 'the domain only suggests to join', body: { join: 'suggest' } },
    { what: 'the domain is turned off', body: { join: 'off' } },
    {
      what: 'the record is missing',
      statement: 'update organization_domains set missed_at = 1 where domain = ?',
    },
    {
      what: 'the domain is not proved',
      statement: 'update organization_domains set verified_at = null where domain = ?',
    },
    { what: 'the address is of a subdomain', prefix: 'mail.' },
  ])('makes nobody a member if $what', async ({ isVerified = 1, body = {}, statement, prefix = '' }) => {
    const organizationId = await storeOrganization()
    const domain = freshDomain()
    await prove(organizationId, domain, { join: 'automatic', ...body })
    if (statement) await set(statement, domain)
    const { submit } = await signInWith(prefix + domain, isVerified)
    expect(await submit()).toBe(200)
    expect(await membersOf(organizationId)).toEqual([])
  })

  it('makes nobody a member again who left or was removed, and ends no membership with the domain', async () => {
    const organizationId = await storeOrganization()
    const domain = freshDomain()
    await prove(organizationId, domain, { join: 'automatic' })
    const [removed, remaining] = [await signInWith(domain), await signInWith(domain)]
    await removed.submit()
    await remaining.submit()
    await set('delete from organization_users where user_id = ?', removed.id)
    expect(await removed.submit()).toBe(200)
    await operator.send('DELETE', `/organizations/${organizationId}/domains/${domain}`)
    expect(await membersOf(organizationId)).toEqual([
      { userId: remaining.id, sources: 'domain', roles: null },
    ])
  })
})
