import { describe, expect, it } from 'vitest'
import { checkClock, checkReport } from '../../operator/doctor/checks.ts'
import { doctorCommand } from '../../operator/doctor/command.ts'
import { checkSender, getSenderDomain } from '../../operator/doctor/mail-dns.ts'
import { version } from '../../operator/version.ts'
import { newEnvironment } from './environments.ts'

type Report = Parameters<typeof checkReport>[0]

const healthy: Report = {
  environment: 'production',
  serverTime: 0,
  version: '0.2.0',
  hostsConfigured: 1,
  origins: ['https://id.example.com'],
  consoleOrigin: null,
  logRetentionDays: 90,
  secrets: { ROOT_SECRET_PREVIOUS: false, MANAGEMENT_CLIENT_SECRET: false },
  bindings: { SEND_EMAIL: false, ASSET_BUCKET: false, RATE_LIMITS: true },
  database: {
    kind: 'D1',
    migrations: { expected: ['0000_a', '0001_b'], applied: ['0000_a', '0001_b'] },
    alterationState: { timestamp: Date.UTC(2026, 10, 26), updatedAt: Date.UTC(2026, 10, 28) },
  },
  applications: { unsealedSecrets: 0, keySets: [] },
  clients: { unregistered: 'limited', selfRegistered: 'off' },
  interactions: { isWritable: true },
  connectors: [{ id: 'mail', connectorId: 'sendgrid-email-service', problem: null, lastFailure: null }],
  uploads: { problem: null },
  passwords: { rules: 'CharacterClasses', checksBreaches: true },
  passkeys: { relatedLabels: 1 },
  secondFactor: {
    policy: 'required',
    added: [],
    uncoveredAdministratorRoles: [],
    factors: ['totp'],
    unavailable: [],
    hasBackupCodes: false,
    sendsCodes: true,
    isPlaceKnown: true,
  },
  signIn: { hasWayIn: true, problem: null },
}

/** The last message of a connector, which its server rejected. */
const rejected: NonNullable<Report['connectors'][number]['lastFailure']> = {
  ...{ error: 'connector.general', answer: '535 no', createdAt: Date.UTC(2026, 10, 28, 9) },
  reason: 'credentials',
}

const problemsOf = (changes: Partial<Report>, isLocal = false) =>
  checkReport({ ...healthy, ...changes }, { isLocal }).filter(({ state }) => state !== 'ok')

describe("the doctor's findings about the server", () => {
  it('are empty for a healthy server', () => {
    expect(problemsOf({})).toEqual([])
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
        secondFactor: {
          ...healthy.secondFactor,
          policy: 'optional',
          factors: ['passkey', 'email'],
          unavailable: ['passkey', 'email'],
        },
      },
      finding: 'warn second factor',
    },
    {
      changes: {
        secondFactor: { ...healthy.secondFactor, policy: 'off', added: ['required'], factors: ['email'] },
      },
      finding: 'warn second factor',
    },
    {
      changes: {
        secondFactor: { ...healthy.secondFactor, uncoveredAdministratorRoles: ['#internal:support'] },
      },
      finding: 'warn administrators',
    },
    { changes: { bindings: { ...healthy.bindings, RATE_LIMITS: false } }, finding: 'warn floods' },
    { changes: { connectors: [] }, finding: 'warn connectors' },
    { changes: { uploads: { problem: 'x' } }, finding: 'fail uploads' },
    { changes: { signIn: { hasWayIn: false, problem: null } }, finding: 'fail sign-in' },
    { changes: { signIn: { hasWayIn: true, problem: 'a.rule' } }, finding: 'warn sign-in' },
    {
      changes: {
        database: {
          ...healthy.database,
          migrations: { expected: ['0000_a', '0001_b'], applied: ['0000_a'] },
        },
      },
      finding: 'fail migrations',
    },
    {
      changes: { database: { ...healthy.database, migrations: { expected: ['0000_a'], applied: null } } },
      finding: 'warn migrations',
    },
    {
      changes: { connectors: [{ id: 'mail', connectorId: 'x', problem: 'broken', lastFailure: null }] },
      finding: 'fail connector mail',
    },
    {
      changes: {
        connectors: [{ id: 'cf', connectorId: 'cloudflare-send-email', problem: null, lastFailure: null }],
      },
      finding: 'fail connector cf',
    },
    {
      changes: { connectors: [{ id: 'mail', connectorId: 'x', problem: null, lastFailure: rejected }] },
      finding: 'warn connector mail',
    },
  ])('include "$finding", with advice', ({ changes, finding }) => {
    const [problem, ...others] = problemsOf(changes)
    expect([`${problem?.state} ${problem?.check}`, others]).toEqual([finding, []])
    expect(problem?.todo).toMatch(/\.$/)
  })

  it('say when and why the last message of a connector failed', () => {
    const saysOf = (lastFailure: typeof rejected) =>
      problemsOf({ connectors: [{ id: 'mail', connectorId: 'smtp', problem: null, lastFailure }] })[0]?.says
    expect(saysOf(rejected)).toBe(
      "smtp: the last message, at 2026-11-28T09:00:00.000Z, wasn't sent. The server rejects the credentials. The server's answer: 535 no",
    )
    expect(
      saysOf({ ...rejected, error: 'connector.template_not_found', reason: null, answer: null }),
    ).toMatch(/wasn't sent\. The error is connector\.template_not_found\.$/)
  })

  it('name the roles of administrators as the console does', () => {
    const uncoveredAdministratorRoles = ['#internal:admin', '#internal:support', 'Helpers']
    const [finding] = problemsOf({ secondFactor: { ...healthy.secondFactor, uncoveredAdministratorRoles } })
    expect(finding?.says).toMatch(/: owner, support, Helpers$/)
  })

  it('ignore unused second factors and up to five domain names', () => {
    const secondFactor = { policy: 'off', factors: ['email'], unavailable: ['email'] } as const
    expect(
      problemsOf({
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

  it('only remark on a factor that nobody can use if users can use another one', () => {
    const findings = checkReport(
      {
        ...healthy,
        secondFactor: { ...healthy.secondFactor, factors: ['totp', 'passkey'], unavailable: ['passkey'] },
      },
      { isLocal: false },
    )
    expect(findings.filter(({ check }) => check === 'second factor')).toEqual([
      {
        check: 'second factor',
        state: 'ok',
        says: 'users can use totp',
        todo: 'Passkeys are switched off, so nobody can use one as a second factor. Turn passkeys on, or untick them under Settings > Security.',
      },
    ])
  })

  it.each([
    [{ isPlaceKnown: false }, "don't contain their country"],
    [{ sendsCodes: false }, "we can't send codes"],
    [{}, undefined],
  ])('explain what is missing for the policy "adaptive": %j', (facts, says) => {
    const policy = 'adaptive' as const
    const [finding] = problemsOf({ secondFactor: { ...healthy.secondFactor, policy, ...facts } })
    expect(finding?.says).toEqual(says && expect.stringContaining(says))
  })

  it.each([
    [{ rules: 'CharacterClasses', checksBreaches: true }, /of two types .*; .* rejected$/],
    [{ rules: 'CharacterClasses', checksBreaches: false }, /of two types .*; .* aren't looked up$/],
    [{ rules: 'Length', checksBreaches: true }, /any kind, as NIST SP 800-63B advises; .* rejected$/],
  ] as const)('explain the rules for new passwords: %j', (passwords, says) => {
    const findings = checkReport({ ...healthy, passwords }, { isLocal: false })
    const finding = findings.find(({ check }) => check === 'passwords')
    expect(finding).toMatchObject({ state: 'ok', says: expect.stringMatching(says) })
    expect(finding?.todo?.includes('settings.passwordPolicy.rules') ?? false).toBe(
      passwords.rules === 'CharacterClasses',
    )
  })

  it('warn that removing the previous root secret invalidates backup codes', () => {
    const [finding] = problemsOf({
      secrets: { ...healthy.secrets, ROOT_SECRET_PREVIOUS: true },
      secondFactor: { ...healthy.secondFactor, hasBackupCodes: true },
    })
    expect(finding?.todo).toContain('ask users to create new ones')
  })

  it('ignore migrations from a newer Worker', () => {
    const migrations = { expected: ['0000_a'], applied: ['0000_a', '0001_b'] }
    expect(problemsOf({ database: { ...healthy.database, migrations } })).toEqual([])
  })

  it('name the times of the alteration state: "timestamp, optional updatedAt"', () => {
    const findingOf = (database: Partial<Report['database']>) =>
      checkReport({ ...healthy, database: { ...healthy.database, ...database } }, { isLocal: false }).find(
        ({ check }) => check === 'migrations',
      )?.says
    const timestamp = Date.UTC(2026, 10, 26)
    const unrecorded = { expected: ['0000_a'], applied: null }
    expect(findingOf({})).toBe('D1 has all 2 migrations since 2026-11-28T00:00:00.000Z')
    expect(findingOf({ alterationState: { timestamp } })).toBe('D1 has all 2 migrations')
    expect(findingOf({ alterationState: null })).toBe('D1 has all 2 migrations')
    expect(findingOf({ migrations: unrecorded })).toBe(
      "the D1 database doesn't record its migrations; the newest that was applied is of 2026-11-26T00:00:00.000Z",
    )
  })

  it('say how to replace an alteration state that cannot be read', () => {
    const database = { ...healthy.database, alterationState: 'unreadable' as const }
    expect(problemsOf({ database })).toEqual([
      {
        state: 'warn',
        check: 'migrations',
        says: "the entry alterationState in the D1 database can't be read, so we don't know when the database was last migrated",
        todo: 'Run "npm run deploy" (for a local database "npm start"), which replaces the entry.',
      },
    ])
  })

  it('are empty for local development', () => {
    expect(problemsOf({ environment: 'development', hostsConfigured: 0, connectors: [] }, true)).toEqual([])
  })
})

describe('the clock check', () => {
  it.each([
    { difference: 0, roundTrip: 0, state: 'ok' },
    { difference: 4_900, roundTrip: 0, state: 'ok' },
    { difference: -4_900, roundTrip: 0, state: 'ok' },
    { difference: 5_100, roundTrip: 0, state: 'warn' },
    { difference: -60_000, roundTrip: 100, state: 'warn' },
    { difference: 5_400, roundTrip: 2_000, state: 'ok' },
  ])(
    'returns $state for a difference of $difference ms and a round trip of $roundTrip ms',
    ({ difference, roundTrip, state }) => {
      const now = 1_800_000_000_000
      expect(checkClock(now - roundTrip / 2 + difference, now, roundTrip).state).toBe(state)
    },
  )
})

describe("a connector's sender domain", () => {
  it.each([
    { config: { fromEmail: 'no-reply@Mail.Example.com' }, domain: 'mail.example.com' },
    { config: { fromEmail: 'Example <no-reply@example.com>' }, domain: 'example.com' },
    { config: { accountName: 'no-reply@example.com' }, domain: 'example.com' },
    { config: { fromEmail: 'no-address' }, domain: null },
    { config: { endpoint: 'https://mail.example.com' }, domain: null },
  ])('is $domain for the configuration $config', ({ config, domain }) => {
    expect(getSenderDomain(config)).toBe(domain)
  })
})

describe('the DNS check for a sender', () => {
  const resolver = (zone: Record<string, string[][] | Error>) => ({
    async resolveTxt(name: string) {
      const records = zone[name] ?? Object.assign(new Error('none'), { code: 'ENOTFOUND' })
      if (records instanceof Error) throw records
      return records
    },
  })
  const offline = {
    resolveTxt: () => Promise.reject(Object.assign(new Error('offline'), { code: 'ETIMEOUT' })),
  }
  const findingsFor = async (zone: Record<string, string[][]>, factory = 'sendgrid-email-service') =>
    Object.fromEntries(
      (await checkSender('mail.example.com', factory, resolver(zone))).map(({ check, state, says }) => [
        check.replace(' of mail.example.com', ''),
        [state, says],
      ]),
    )

  it('accepts all three records, including split ones', async () => {
    const findings = await findingsFor({
      'mail.example.com': [['google-site-verification=x'], ['v=spf1 include:send', 'grid.net ~all']],
      's1._domainkey.mail.example.com': [['k=rsa; t=s; ', 'p=MIGf']],
      '_dmarc.example.com': [['v=DMARC1; p=reject']],
    })
    expect(findings).toEqual({
      SPF: ['ok', '"v=spf1 include:sendgrid.net ~all"'],
      DKIM: ['ok', 'found a key at the selector s1'],
      DMARC: ['ok', '"v=DMARC1; p=reject" at example.com'],
    })
  })

  it('warns about all missing records', async () => {
    const findings = await findingsFor({})
    expect(Object.values(findings).map(([state]) => state)).toEqual(['warn', 'warn', 'warn'])
  })

  it.each([
    { records: [['v=spf1 a ~all'], ['v=spf1 mx ~all']], says: /2 records, so none of them counts/ },
    { records: [['v=spf1 +all']], says: /permits every sender/ },
    { records: [['v=spf1 all']], says: /permits every sender/ },
    { records: [['v=spf10 -all']], says: /no record/ },
  ])('warns about the SPF records $records', async ({ records, says }) => {
    expect((await findingsFor({ 'mail.example.com': records })).SPF).toEqual([
      'warn',
      expect.stringMatching(says),
    ])
  })

  it('warns about a revoked DKIM key (RFC 6376 §3.6.1)', async () => {
    const findings = await findingsFor({ 's1._domainkey.mail.example.com': [['v=DKIM1; p=']] })
    expect(findings.DKIM?.[0]).toBe('warn')
  })

  it('reports DKIM as unknown for an SMTP server, whose selector is unknown', async () => {
    expect((await findingsFor({}, 'simple-mail-transfer-protocol')).DKIM?.[0]).toBe('unknown')
  })

  it('reports results as unknown, rather than failed, if DNS is unreachable', async () => {
    const findings = await checkSender('mail.example.com', 'sendgrid-email-service', offline)
    expect(findings.map(({ state }) => state)).toEqual(['unknown', 'unknown', 'unknown'])
  })
})

describe('the doctor', () => {
  const { version: _, ...healthyBefore020 } = healthy
  /** The report of a server of version 0.1.0, which lacks what later versions added. */
  const firstReport = {
    ...healthyBefore020,
    connectors: healthy.connectors.map(({ lastFailure: _, ...connector }) => connector),
  }

  /** Runs the doctor against a server that reports this version, and has no connectors to show. */
  async function findingsAt(
    version: string | null,
    { token = () => Response.json({ access_token: 'x' }), code = 0 } = {},
  ) {
    const headers = version === null ? undefined : { 'vestibule-version': version }
    const responses: Record<string, () => Response> = {
      '/api/status': () => new Response(null, { status: 204, headers }),
      '/oidc/token': token,
      '/api/configs/doctor': () => Response.json(version === null ? firstReport : { ...healthy, version }),
      '/api/connectors': () => Response.json({ code: 'server.error', message: 'No.' }, { status: 500 }),
    }
    const { environment, stdoutText } = newEnvironment({
      fetch: async (input) => responses[new URL(new Request(input).url).pathname]?.() ?? new Response(),
      now: () => 0,
    })
    expect(await doctorCommand.run('doctor', ['--json'], environment)).toBe(code)
    return JSON.parse(stdoutText()).findings
  }

  it('shows its findings even if the connectors cannot be loaded', async () => {
    const findings = await findingsAt(version)
    expect(findings).toContainEqual({
      check: 'mail',
      state: 'unknown',
      says: expect.stringContaining("we couldn't check this: No."),
    })
    expect(findings).toContainEqual(expect.objectContaining({ check: 'sign-in', state: 'ok' }))
  }, 30_000)

  it.each([
    { served: version, state: 'ok', says: version },
    {
      served: '0.1.9',
      state: 'warn',
      says: `the server runs 0.1.9, but this clone is ${version}`,
      todo: expect.stringMatching(/^Deploy this clone /),
    },
    {
      served: '10.9.0',
      state: 'warn',
      says: `the server runs 10.9.0, but this clone is ${version}`,
      todo: 'Check out version 10.9.0 before you deploy.',
    },
    {
      served: null,
      state: 'warn',
      says: `the server runs a version before 0.2.0, but this clone is ${version}`,
      todo: expect.stringMatching(/^Deploy this clone /),
    },
  ])(
    'compares the version $served of the server with that of the clone, and reads its report',
    async ({ served, ...finding }) => {
      const findings = await findingsAt(served)
      expect(findings).toContainEqual({ check: 'version', ...finding })
      expect(findings).toContainEqual({
        check: 'connector mail',
        state: 'ok',
        says: 'sendgrid-email-service',
      })
    },
    30_000,
  )

  it.each([
    { served: '0.1.9', status: 500, todo: /^If you rolled back, deploy the newer version again/ },
    { served: null, status: 503, todo: /^If you rolled back, deploy the newer version again/ },
    { served: version, status: 500, todo: /check the database/ },
    { served: '0.1.9', status: 401, todo: /^Check VESTIBULE_CLIENT_ID/ },
  ])(
    'explains why a server of version $served gives no token: status $status',
    async ({ served, status, todo }) => {
      // The header prevents long waits between the retries.
      const token = () =>
        Response.json({ error: 'server_error' }, { status, headers: { 'retry-after': '0' } })
      const findings = await findingsAt(served, { token, code: 1 })
      expect(findings.at(-1)).toMatchObject({ check: 'credentials', todo: expect.stringMatching(todo) })
    },
    30_000,
  )
})
