import { describe, expect, it } from 'vitest'
import { consolesWithoutTenantHost, parseHosts } from '../../../src/contract/tenants/hosts.ts'
import {
  decideRouting,
  dedicatedConsoleOrigin,
  findTenantByHost,
  isTenantDomain,
  originForMessages,
  strictTransportSecurity,
  tenantOrigin,
} from '../../../src/domain/tenants/hosts.ts'

const read = (setting: string) => parseHosts(setting).hosts
const none = { byHost: new Map(), bases: [] }
const circumstances = (setting: string, isDevelopment = false) => ({ hosts: read(setting), isDevelopment })

describe('the setting HOSTS', () => {
  it('accepts entries with any separator', () => {
    expect(read(' ID.example.com, acme.example=Acme1\n*.Id.example.com=* local.test:8443=acme_1 ')).toEqual({
      byHost: new Map([
        ['id.example.com', 'default'],
        ['acme.example', 'Acme1'],
        ['local.test:8443', 'acme_1'],
      ]),
      bases: ['id.example.com'],
      consoles: none,
      withSubdomains: new Set(),
    })
    expect(read('')).toEqual({ ...none, consoles: none, withSubdomains: new Set() })
  })

  it('can assign hosts to consoles, and reports consoles whose tenant has no host', () => {
    expect(read('admin.example.com=default/console *.admin.example.com=*/console').consoles).toEqual({
      byHost: new Map([['admin.example.com', 'default']]),
      bases: ['admin.example.com'],
    })
    const setting =
      'id.example.com admin.example.com=default/console a.example=acme/console *.b.example=*/console'
    expect(consolesWithoutTenantHost(read(setting))).toEqual(['a.example', '*.b.example'])
    expect(consolesWithoutTenantHost(read(`${setting} *.id.example.com=*`))).toEqual([])
  })

  it.each([
    ['https://id.example.com', 'is not a host'],
    ['id.example.com/oidc', 'is not a host'],
    ['id.example.com:443', 'is not a host'],
    ['id.example.com:', 'is not a host'],
    ['id..example.com', 'is not a host'],
    ['bücher.example', 'is not a host'],
    ['me@id.example.com', 'is not a host'],
    ['id.*.example.com', 'is not a host'],
    ['=acme', 'is not a host'],
    ['id.example.com=', 'does not name a tenant'],
    ['id.example.com=*', 'does not name a tenant'],
    ['id.example.com=a.b', 'does not name a tenant'],
    [`id.example.com=${'a'.repeat(22)}`, 'does not name a tenant'],
    ['id.example.com=a=b', 'has more than one ='],
    ['*.id.example.com', 'must be followed by =*'],
    ['*.id.example.com=acme', 'must be followed by =*'],
    ['*.=*', 'does not end with a host'],
    ['*.*.example.com=*', 'does not end with a host'],
    ['id.example.com=acme id.example.com', 'assigns a host to a second tenant'],
    ['id.example.com=/console', 'does not name a tenant'],
    ['id.example.com=acme/pages', 'does not name a tenant'],
    ['id.example.com=acme/includeSubDomains/console', 'does not name a tenant'],
    ['id.example.com=/includeSubDomains', 'does not name a tenant'],
    ['*.id.example.com=acme/includeSubDomains', 'must be followed by =*'],
    ['*.id.example.com=acme/console', 'must be followed by =*'],
    ['id.example.com id.example.com=default/console', 'is used for both a tenant and a console'],
    ['id.example.com=a/console id.example.com=b/console', 'assigns a host to a second tenant'],
    ['*.example.com=* *.example.com=*/console', 'is used for both tenants and their consoles'],
  ])('rejects the entry %s', (setting, problem) => {
    expect(parseHosts(setting).problems).toEqual([expect.stringContaining(problem)])
  })
})

describe('Strict-Transport-Security', () => {
  const hosts = read(
    `id.example.com=default/includeSubDomains admin.example.com=default/console/includeSubDomains plain.example.com
    *.t.example.com=*/includeSubDomains acme.t.example.com=acme *.admin.t.example.com=*/console/includeSubDomains
    *.u.example.com=* localhost:8443=default/includeSubDomains`,
  )
  const host = 'max-age=31536000'
  const withSubdomains = `${host}; includeSubDomains`
  it.each([
    ['https://id.example.com', withSubdomains],
    ['https://admin.example.com', withSubdomains],
    ['https://beta.t.example.com', withSubdomains],
    ['https://beta.admin.t.example.com', withSubdomains],
    // The entry for this host takes precedence over the wildcard.
    ['https://acme.t.example.com', host],
    ['https://plain.example.com', host],
    ['https://beta.u.example.com', host],
    ['https://t.example.com', host],
    ['https://a.b.t.example.com', host],
    ['https://id.example.com:8443', host],
    ['https://localhost.example', host],
    ['http://id.example.com', null],
    ['http://plain.example.com', null],
    ['https://localhost', null],
    ['https://localhost:8443', null],
    ['https://localhost.', null],
    ['https://acme.localhost:8787', null],
    ['https://a.b.localhost', null],
    ['https://127.0.0.1', null],
    ['https://127.255.0.3:8787', null],
    ['https://[::1]:8787', null],
  ])('has the expected value on the host of %s: %s', (address, value) => {
    expect(strictTransportSecurity(new URL(address), hosts)).toBe(value)
  })

  it('can include subdomains without any effect on the hosts of tenants and consoles', () => {
    expect(hosts.byHost.get('id.example.com')).toBe('default')
    expect(hosts.consoles.byHost.get('admin.example.com')).toBe('default')
    expect([hosts.bases, hosts.consoles.bases]).toEqual([
      ['t.example.com', 'u.example.com'],
      ['admin.t.example.com'],
    ])
  })
})

describe('the tenant for a request URL', () => {
  const configured = circumstances('id.example.com acme.example=Acme1 special.t.example=other *.t.example=*')
  it.each([
    ['https://id.example.com', 'default'],
    ['https://ID.example.com:443', 'default'],
    ['https://acme.example', 'Acme1'],
    ['https://bob.t.example', 'bob'],
    ['https://default.t.example', 'default'],
    ['https://special.t.example', 'other'],
    ['https://id.example.com:8443', null],
    ['https://t.example', null],
    ['https://a.bob.t.example', null],
    ['https://-bob.t.example', null],
    ['https://b_b.t.example', null],
    [`https://${'b'.repeat(22)}.t.example`, null],
    ['https://bobt.example', null],
    ['https://evil.example', null],
    ['http://localhost:8787', null],
    ['http://bob.localhost:8787', null],
  ])('is determined by the host: the tenant of %s is %s', (address, tenantId) => {
    expect(findTenantByHost(new URL(address), configured)).toBe(tenantId)
  })

  it.each([
    ['http://localhost:8787', 'default'],
    ['http://127.0.0.1:8787', 'default'],
    ['http://[::1]:8787', 'default'],
    ['http://bob.localhost:8787', 'bob'],
    ['http://a.bob.localhost:8787', null],
    ['http://127.8.9.10:8787', 'default'],
    ['https://localhost:8787', 'default'],
    ['https://bob.local.test:8787', 'bob'],
    ['https://local.test', null],
    ['https://bob.other.test', null],
    // Even configured names are unknown in development, because any name can resolve to the local machine.
    ['https://id.example.com', null],
    ['https://bob.t.example', null],
    ['http://localhost.evil.example:8787', null],
    ['http://127.0.0.1.evil.example:8787', null],
    ['https://evil.example', null],
  ])('is determined by the host in development: the tenant of %s is %s', (address, tenantId) => {
    expect(
      findTenantByHost(new URL(address), { ...configured, isDevelopment: true, localDomain: 'local.test' }),
    ).toBe(tenantId)
  })

  it.each(['*.example.com=* *.eu.example.com=*', '*.eu.example.com=* *.example.com=*'])(
    'is found under each of the wildcards in HOSTS "%s"',
    (setting) => {
      const named = (host: string) => findTenantByHost(new URL(`https://${host}`), circumstances(setting))
      expect(['bob.example.com', 'bob.eu.example.com'].map(named)).toEqual(['bob', 'bob'])
      expect(['eu.example.com', 'a.bob.eu.example.com', 'example.com'].map(named)).toEqual(['eu', null, null])
    },
  )

  it('is unknown if no host is configured', () => {
    expect(findTenantByHost(new URL('https://vestibule.workers.dev'), circumstances(''))).toBe(null)
  })
})

describe('the routing decision', () => {
  it.each([
    ['https://id.example.com/x', 'id.example.com', { kind: 'tenant', tenantId: 'default' }],
    [
      'http://id.example.com/x?y=1',
      'id.example.com',
      { kind: 'plainHttp', secureAddress: 'https://id.example.com/x?y=1' },
    ],
    ['http://evil.example/x', 'id.example.com', { kind: 'unknownHost' }],
    ['http://localhost/x', '', { kind: 'hostsMissing' }],
  ])('depends on the URL %s and HOSTS "%s": %j', (address, setting, decision) => {
    expect(decideRouting(new URL(address), circumstances(setting))).toEqual(decision)
  })

  const withConsoles =
    'id.example.com *.t.example=* admin.example.com=default/console *.admin.t.example=*/console x.t.example=x/console'
  it.each([
    ['https://admin.example.com/', { kind: 'elsewhere', address: 'https://admin.example.com/console' }],
    ['https://admin.example.com/console/users?role=a', { kind: 'tenant', tenantId: 'default' }],
    ['https://bob.admin.t.example/console', { kind: 'tenant', tenantId: 'bob' }],
    // A console host serves only the console, and no other paths that begin with the same letters.
    ['https://admin.example.com/api/users', { kind: 'unknownHost' }],
    ['https://admin.example.com/oidc/auth', { kind: 'unknownHost' }],
    ['https://admin.example.com/consoles', { kind: 'unknownHost' }],
    ['https://x.t.example/sign-in', { kind: 'unknownHost' }],
    ['http://admin.example.com/', { kind: 'plainHttp', secureAddress: 'https://admin.example.com/' }],
    [
      'https://id.example.com/console/users?role=a',
      { kind: 'elsewhere', address: 'https://admin.example.com/console/users?role=a' },
    ],
    ['https://bob.t.example/console', { kind: 'elsewhere', address: 'https://bob.admin.t.example/console' }],
    ['https://id.example.com/sign-in', { kind: 'tenant', tenantId: 'default' }],
    // The router decodes percent-encoded letters.
    [
      'https://id.example.com/%63onsol%65/users',
      { kind: 'elsewhere', address: 'https://admin.example.com/%63onsol%65/users' },
    ],
    ['https://admin.example.com/%63onsole', { kind: 'tenant', tenantId: 'default' }],
    ['https://admin.example.com/console%2Fusers', { kind: 'unknownHost' }],
    ['https://id.example.com/consol%E0%A4', { kind: 'tenant', tenantId: 'default' }],
  ])('depends on the URL %s if consoles have dedicated hosts: %j', (address, decision) => {
    expect(decideRouting(new URL(address), circumstances(withConsoles))).toEqual(decision)
  })

  it('allows plain http to the local machine in development', () => {
    const local = new URL('http://localhost:8787/x')
    expect(decideRouting(local, circumstances('', true))).toEqual({ kind: 'tenant', tenantId: 'default' })
  })
})

describe('a tenant’s origin', () => {
  const here = new URL('https://id.example.com/api/tenants')
  it.each([
    { setting: 'id.example.com', tenantId: 'default', origin: 'https://id.example.com' },
    { setting: 'id.example.com', tenantId: 'bob', origin: null },
    { setting: 'id.example.com bob.example:8443=bob', tenantId: 'bob', origin: 'https://bob.example:8443' },
    { setting: 'id.example.com *.t.example=*', tenantId: 'bob', origin: 'https://bob.t.example' },
    // The explicit entry of a tenant takes precedence over a wildcard.
    { setting: '*.t.example=* bob.example=bob', tenantId: 'bob', origin: 'https://bob.example' },
    // The host that the wildcard derives for this tenant is assigned to another tenant.
    { setting: '*.t.example=* bob.t.example=other', tenantId: 'bob', origin: null },
    { setting: '*.t.example=*', tenantId: 'Upper', origin: null },
    { setting: '', tenantId: 'default', origin: null },
  ])('depends on HOSTS: for $tenantId with "$setting" it is $origin', ({ setting, tenantId, origin }) => {
    expect(tenantOrigin(tenantId, here, circumstances(setting))).toBe(origin)
  })

  it('is never the origin of the tenant’s dedicated console', () => {
    const setting = 'admin.example.com=default/console id.example.com'
    const there = new URL('https://admin.example.com/console')
    expect(tenantOrigin('default', there, circumstances(setting))).toBe('https://id.example.com')
    expect(dedicatedConsoleOrigin('default', there, circumstances(setting))).toBe('https://admin.example.com')
    expect(dedicatedConsoleOrigin('bob', there, circumstances(setting))).toBe(null)
    const local = circumstances('c.localhost:8787=bob/console', true)
    expect(dedicatedConsoleOrigin('bob', new URL('http://bob.localhost:8787'), local)).toBe(
      'http://c.localhost:8787',
    )
    const rebound = new URL('https://admin.example.com/console')
    expect(decideRouting(rebound, circumstances(setting, true))).toEqual({ kind: 'unknownHost' })
  })

  it('is never the production origin in development, not even over https', () => {
    const deployed = circumstances('id.example.com admin.example.com=default/console', true)
    const local = new URL('https://localhost:8787/console')
    expect(decideRouting(local, deployed)).toEqual({ kind: 'tenant', tenantId: 'default' })
    expect(tenantOrigin('default', local, deployed)).toBe('https://localhost:8787')
    expect(dedicatedConsoleOrigin('default', local, deployed)).toBe(null)
  })

  it('is a subdomain of localhost in development, at the same port', () => {
    const local = new URL('http://localhost:8790/api/tenants')
    expect(tenantOrigin('bob', local, circumstances('', true))).toBe('http://bob.localhost:8790')
    expect(tenantOrigin('default', local, circumstances('', true))).toBe('http://localhost:8790')
    const withoutPort = new URL('http://localhost/api/tenants')
    expect(tenantOrigin('bob', withoutPort, circumstances('', true))).toBe('http://bob.localhost')
    const named = { ...circumstances('', true), localDomain: 'local.test' }
    expect(tenantOrigin('bob', local, named)).toBe('http://bob.localhost:8790')
    const there = new URL('https://default.local.test:8790/api/tenants')
    expect(tenantOrigin('bob', there, named)).toBe('https://bob.local.test:8790')
  })
})

describe('a link in a message', () => {
  it.each([
    {
      host: 'id.example.com',
      isDevelopment: false,
      isBehindTlsProxy: false,
      origin: 'https://id.example.com',
    },
    { host: 'localhost:8787', isDevelopment: true, isBehindTlsProxy: false, origin: 'http://localhost:8787' },
    {
      host: 'a.localhost:8787',
      isDevelopment: true,
      isBehindTlsProxy: true,
      origin: 'https://a.localhost:8787',
    },
    { host: 'id.t.example', isDevelopment: true, isBehindTlsProxy: false, origin: 'https://id.t.example' },
  ])('begins with $origin if the host is $host', ({ host, origin, ...server }) => {
    expect(originForMessages(host, server)).toBe(origin)
  })
})

describe('a passkey domain', () => {
  it.each([
    ['id.example.com', 'id.example.com', true],
    ['id.example.com', 'example.com', true],
    ['id.example.com', 'com', false],
    ['id.example.com', 'evil.example', false],
    ['id.example.com admin.example.com=default/console', 'example.com', true],
    ['id.example.com shop.example=default', 'example.com', true],
    // Another tenant, or its console, has a host in this domain.
    ['id.example.com acme.example.com=acme', 'example.com', false],
    ['id.example.com acme.example.com=acme acme-admin.example.com=acme/console', 'example.com', false],
    ['id.example.com a.example=acme admin.example.com=acme/console', 'example.com', false],
    ['id.example.com *.t.example.com=*', 'example.com', false],
    ['id.example.com *.t.example=* *.admin.example.com=*/console', 'example.com', false],
  ])('must belong only to the tenant: with HOSTS "%s", %s is allowed: %s', (setting, domain, isOwn) => {
    const here = new URL('https://id.example.com')
    expect(isTenantDomain(domain, 'default', here, circumstances(setting))).toBe(isOwn)
  })
})
