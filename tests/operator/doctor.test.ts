import { describe, expect, it } from 'vitest'
import { checkClock, checkReport } from '../../operator/doctor/checks.ts'
import { doctorCommand } from '../../operator/doctor/command.ts'
import { checkSender, senderDomain } from '../../operator/doctor/mail-dns.ts'
import { newEnvironment } from './environments.ts'

type Report = Parameters<typeof checkReport>[0]

const healthy: Report = {
  environment: 'production',
  serverTime: 0,
  hostsConfigured: 1,
  origins: ['https://id.example.com'],
  consoleOrigin: null,
  logRetentionDays: 90,
  secrets: { ROOT_SECRET_PREVIOUS: false, MANAGEMENT_CLIENT_SECRET: false },
  bindings: { SEND_EMAIL: false, ASSET_BUCKET: false, RATE_LIMITS: true },
  database: { kind: 'D1', migrations: { expected: ['0000_a', '0001_b'], applied: ['0000_a', '0001_b'] } },
  applications: { unsealedSecrets: 0, keySets: [] },
  clients: { unregistered: 'limited', selfRegistered: 'off' },
  interactions: { isWritable: true },
  connectors: [{ id: 'mail', connectorId: 'sendgrid-email-service', problem: null }],
  uploads: { problem: null },
  passkeys: { relatedLabels: 1 },
  secondFactor: {
    ...{ policy: 'required', added: [], factors: ['totp'], unavailable: [] },
    ...{ hasBackupCodes: false, sendsCodes: true, isPlaceKnown: true },
  },
  signIn: { hasWayIn: true, problem: null },
}

const checked = (changes: Partial<Report>, isLocal = false) =>
  checkReport({ ...healthy, ...changes }, { isLocal }).filter(({ state }) => state !== 'ok')

describe('the report of the server', () => {
  it('has no findings when nothing is wrong', () => {
    expect(checked({})).toEqual([])
  })

  it.each<{ changes: Partial<Report>; finding: string }>([
    { changes: { environment: 'development' }, finding: 'warn environment' },
    { changes: { hostsConfigured: 0 }, finding: 'warn hosts' },
    { changes: { secrets: { ...healthy.secrets, ROOT_SECRET_PREVIOUS: true } }, finding: 'warn secrets' },
    { changes: { interactions: { isWritable: false } }, finding: 'fail kv' },
    {
      changes: { applications: { unsealedSecrets: 0, keySets: [{ id: 'robot', problem: 'x' }] } },
      finding: 'fail keys of robot',
    },
    { changes: { clients: { unregistered: 'unlimited', selfRegistered: 'off' } }, finding: 'warn clients' },
    {
      changes: { clients: { unregistered: 'off', selfRegistered: 'unlimited' } },
      finding: 'warn self-registered clients',
    },
    { changes: { passkeys: { relatedLabels: 6 } }, finding: 'warn passkeys' },
    {
      changes: { secondFactor: { ...healthy.secondFactor, factors: ['email'] } },
      finding: 'warn second factor',
    },
    {
      changes: {
        secondFactor: { ...healthy.secondFactor, factors: ['totp', 'email'], unavailable: ['email'] },
      },
      finding: 'warn second factor',
    },
    {
      changes: {
        secondFactor: { ...healthy.secondFactor, policy: 'off', added: ['required'], factors: ['email'] },
      },
      finding: 'warn second factor',
    },
    { changes: { bindings: { ...healthy.bindings, RATE_LIMITS: false } }, finding: 'warn floods' },
    { changes: { connectors: [] }, finding: 'warn connectors' },
    { changes: { uploads: { problem: 'x' } }, finding: 'fail uploads' },
    { changes: { signIn: { hasWayIn: false, problem: null } }, finding: 'fail sign-in' },
    { changes: { signIn: { hasWayIn: true, problem: 'a.rule' } }, finding: 'warn sign-in' },
    {
      changes: {
        database: { kind: 'D1', migrations: { expected: ['0000_a', '0001_b'], applied: ['0000_a'] } },
      },
      finding: 'fail migrations',
    },
    {
      changes: { database: { kind: 'libSQL', migrations: { expected: ['0000_a'], applied: null } } },
      finding: 'warn migrations',
    },
    {
      changes: { connectors: [{ id: 'mail', connectorId: 'x', problem: 'broken' }] },
      finding: 'fail connector mail',
    },
    {
      changes: { connectors: [{ id: 'cf', connectorId: 'cloudflare-send-email', problem: null }] },
      finding: 'fail connector cf',
    },
  ])('$finding, with what to do', ({ changes, finding }) => {
    const [found, ...others] = checked(changes)
    expect([`${found?.state} ${found?.check}`, others]).toEqual([finding, []])
    expect(found?.todo).toMatch(/\.$/)
  })

  it('says nothing of second factors that nobody is asked for, nor of five names of domains', () => {
    const secondFactor = { policy: 'off', factors: ['email'], unavailable: ['email'] } as const
    expect(
      checked({
        passkeys: { relatedLabels: 5 },
        secondFactor: {
          ...healthy.secondFactor,
          ...secondFactor,
          factors: ['email'],
          unavailable: ['email'],
        },
      }),
    ).toEqual([])
  })

  it.each([
    [{ isPlaceKnown: false }, 'do not say their country'],
    [{ sendsCodes: false }, 'no codes can be sent'],
    [{}, undefined],
  ])('says what the policy adaptive lacks: %j', (facts, says) => {
    const policy = 'adaptive' as const
    const [finding] = checked({ secondFactor: { ...healthy.secondFactor, policy, ...facts } })
    expect(finding?.says).toEqual(says && expect.stringContaining(says))
  })

  it('says what becomes of backup codes with the previous root secret', () => {
    const [finding] = checked({
      secrets: { ...healthy.secrets, ROOT_SECRET_PREVIOUS: true },
      secondFactor: { ...healthy.secondFactor, hasBackupCodes: true },
    })
    expect(finding?.todo).toContain('have users renew them')
  })

  it('may have more migrations than the Worker knows, because a newer one migrated the database', () => {
    const migrations = { expected: ['0000_a'], applied: ['0000_a', '0001_b'] }
    expect(checked({ database: { kind: 'D1', migrations } })).toEqual([])
  })

  it('has no findings in development on this machine', () => {
    expect(checked({ environment: 'development', hostsConfigured: 0, connectors: [] }, true)).toEqual([])
  })
})

describe('the clock', () => {
  it.each([
    { apart: 0, travel: 0, state: 'ok' },
    { apart: 4_900, travel: 0, state: 'ok' },
    { apart: -4_900, travel: 0, state: 'ok' },
    { apart: 5_100, travel: 0, state: 'warn' },
    { apart: -60_000, travel: 100, state: 'warn' },
    { apart: 5_400, travel: 2_000, state: 'ok' },
  ])('$apart ms apart, $travel ms away: $state', ({ apart, travel, state }) => {
    const now = 1_800_000_000_000
    expect(checkClock(now - travel / 2 + apart, now, travel).state).toBe(state)
  })
})

describe('the address a connector sends from', () => {
  it.each([
    { config: { fromEmail: 'no-reply@Mail.Example.com' }, domain: 'mail.example.com' },
    { config: { fromEmail: 'Example <no-reply@example.com>' }, domain: 'example.com' },
    { config: { accountName: 'no-reply@example.com' }, domain: 'example.com' },
    { config: { fromEmail: 'no-address' }, domain: null },
    { config: { endpoint: 'https://mail.example.com' }, domain: null },
  ])('$config: $domain', ({ config, domain }) => {
    expect(senderDomain(config)).toBe(domain)
  })
})

describe('the DNS of a sender', () => {
  const resolver = (zone: Record<string, string[][] | Error>) => ({
    async resolveTxt(name: string) {
      const found = zone[name] ?? Object.assign(new Error('none'), { code: 'ENOTFOUND' })
      if (found instanceof Error) throw found
      return found
    },
  })
  const offline = {
    resolveTxt: () => Promise.reject(Object.assign(new Error('offline'), { code: 'ETIMEOUT' })),
  }
  const found = async (zone: Record<string, string[][]>, factory = 'sendgrid-email-service') =>
    Object.fromEntries(
      (await checkSender('mail.example.com', factory, resolver(zone))).map(({ check, state, says }) => [
        check.replace(' of mail.example.com', ''),
        [state, says],
      ]),
    )

  it('passes with all three records, long records in parts', async () => {
    const answers = await found({
      'mail.example.com': [['google-site-verification=x'], ['v=spf1 include:send', 'grid.net ~all']],
      's1._domainkey.mail.example.com': [['k=rsa; t=s; ', 'p=MIGf']],
      '_dmarc.example.com': [['v=DMARC1; p=reject']],
    })
    expect(answers).toEqual({
      SPF: ['ok', '"v=spf1 include:sendgrid.net ~all"'],
      DKIM: ['ok', 'key found at the selector s1'],
      DMARC: ['ok', '"v=DMARC1; p=reject" at example.com'],
    })
  })

  it('warns of all that is missing', async () => {
    const answers = await found({})
    expect(Object.values(answers).map(([state]) => state)).toEqual(['warn', 'warn', 'warn'])
  })

  it.each([
    { records: [['v=spf1 a ~all'], ['v=spf1 mx ~all']], says: /2 records, of which none counts/ },
    { records: [['v=spf1 +all']], says: /permits every sender/ },
    { records: [['v=spf1 all']], says: /permits every sender/ },
    { records: [['v=spf10 -all']], says: /no record/ },
  ])('warns of the SPF $records', async ({ records, says }) => {
    expect((await found({ 'mail.example.com': records })).SPF).toEqual(['warn', expect.stringMatching(says)])
  })

  it('does not take a revoked key for one (RFC 6376 §3.6.1)', async () => {
    const answers = await found({ 's1._domainkey.mail.example.com': [['v=DKIM1; p=']] })
    expect(answers.DKIM?.[0]).toBe('warn')
  })

  it('does not guess the selector of an SMTP server', async () => {
    expect((await found({}, 'simple-mail-transfer-protocol')).DKIM?.[0]).toBe('unknown')
  })

  it('could not be checked offline, which is no failure', async () => {
    const answers = await checkSender('mail.example.com', 'sendgrid-email-service', offline)
    expect(answers.map(({ state }) => state)).toEqual(['unknown', 'unknown', 'unknown'])
  })
})

describe('the doctor', () => {
  it('shows its findings also when the connectors cannot be read', async () => {
    const answers: Record<string, () => Response> = {
      '/api/status': () => new Response(null, { status: 204 }),
      '/oidc/token': () => Response.json({ access_token: 'x' }),
      '/api/configs/doctor': () => Response.json(healthy),
      '/api/connectors': () => Response.json({ code: 'server.error', message: 'No.' }, { status: 500 }),
    }
    const { environment, stdoutText } = newEnvironment({
      fetch: async (input) => answers[new URL(new Request(input).url).pathname]?.() ?? new Response(),
      now: () => 0,
    })
    expect(await doctorCommand.run('doctor', ['--json'], environment)).toBe(0)
    const { findings } = JSON.parse(stdoutText())
    expect(findings).toContainEqual({
      check: 'mail',
      state: 'unknown',
      says: expect.stringContaining('could not be checked: No.'),
    })
    expect(findings).toContainEqual(expect.objectContaining({ check: 'sign-in', state: 'ok' }))
  }, 30_000)
})
