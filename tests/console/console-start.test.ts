import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findPassedChecks, passedCheckNames } from '../../console/areas/start/fine.ts'
import {
  emailSettings,
  findMailTarget,
  shouldAskForIdentifier,
} from '../../console/areas/start/identifier-question.ts'
import { findCheckedParts, findMissingItems, type StartFacts } from '../../console/areas/start/lacks.ts'
import { RATE_LIMIT_BINDINGS } from '../../console/areas/start/platform.ts'
import { DEFAULT_EXPERIENCE } from '../../src/contract/experience/experience.ts'
import { isRefusal } from '../../src/contract/refused.ts'
import { readAdminConsole } from '../../src/contract/tenants/admin-console.schema.ts'
import { checkExperiencePatch } from '../../src/domain/experience/experience-settings.ts'
import { allowsSignIn } from '../../src/domain/tenants/tenant-sign-in-check.ts'
import { healthyReport } from './console-answers.ts'

/** Tests what the start page of the console reports as missing (spec/console#start). */

type Report = NonNullable<StartFacts['report']>

const report = healthyReport
const complete: StartFacts = {
  report,
  connectors: [{ type: 'Social' }, { type: 'Email' }],
  applicationCount: 1,
  experience: {
    ...DEFAULT_EXPERIENCE,
    color: { ...DEFAULT_EXPERIENCE.color, primaryColor: '#0a7d34' },
  },
  isLocal: false,
}
const missingItems = (facts: Partial<StartFacts>) =>
  findMissingItems({ ...complete, ...facts }).map((lack) => {
    const { name, state } = lack
    return lack.kind === 'page' ? { name, state, href: lack.href } : { name, state, [lack.kind]: lack.text }
  })
const missingFromReport = (changes: Partial<Report>) => missingItems({ report: { ...report, ...changes } })

describe('the start page', () => {
  it('shows no findings if nothing is missing or nothing can be loaded', () => {
    expect(findMissingItems(complete)).toEqual([])
    const unread = { connectors: null, applicationCount: null, experience: null }
    expect(missingItems({ report: null, ...unread })).toEqual([])
  })

  it.each([
    [{ applicationCount: 0 }, 'application', '/applications/~new'],
    [{ connectors: [{ type: 'Sms' }, { type: 'Social' }] }, 'mail', '/connectors'],
    [{ experience: DEFAULT_EXPERIENCE }, 'brand', '/experience'],
    [
      {
        report: {
          ...report,
          secondFactor: { ...report.secondFactor, uncoveredAdministratorRoles: ['#internal:support'] },
        },
      },
      'administrators',
      '/access/administrators',
    ],
  ] satisfies [Partial<StartFacts>, string, string][])(
    'shows a finding for the data %j',
    (facts, name, href) => {
      expect(missingItems(facts)).toEqual([{ name, state: 'warn', href }])
    },
  )

  it('offers optional features that are not set up', () => {
    const connectors = [{ type: 'Email' }, { type: 'Social', isDemo: true }] as const
    expect(missingItems({ connectors, report: { ...report, passkeys: { relatedLabels: 0 } } })).toEqual([
      { name: 'social', state: 'option', href: '/connectors' },
      { name: 'passkeysOff', state: 'option', href: '/settings' },
    ])
  })

  it("links each of the doctor's findings to its fix", () => {
    const { database, secrets, secondFactor } = report
    const migrations = (applied: string[] | null) => ({
      ...database,
      migrations: { expected: ['a'], applied },
    })
    const sendEmail = {
      ...{ id: 'cloudflare', connectorId: 'cloudflare-send-email', problem: null },
      lastFailure: null,
    }
    const findings = [
      { environment: 'development' },
      { secrets: { ...secrets, ROOT_SECRET_PREVIOUS: true } },
      { database: migrations([]) },
      { database: migrations(null) },
      { applications: { unsealedSecrets: 1, keySets: [] } },
      { clients: { unregistered: 'unlimited', selfRegistered: 'unlimited' } },
      { interactions: { isWritable: false } },
      { connectors: [sendEmail], bindings: { ...report.bindings, SEND_EMAIL: false } },
      { uploads: { problem: 'refused' } },
      { passkeys: { relatedLabels: 6 } },
      { secondFactor: { ...secondFactor, factors: ['passkey'], unavailable: ['passkey'] } },
      { signIn: { hasWayIn: false, problem: null } },
    ] as const satisfies Partial<Report>[]
    const fixes = findings.flatMap((changes) =>
      missingFromReport(changes).map(({ state: _, ...cure }) => cure),
    )
    const pages = fixes.flatMap((cure) => (cure.href?.startsWith('/') ? [cure.href] : []))
    const tabs = ['settings/settings', 'experience/experience'].flatMap((area) =>
      [...readFileSync(`console/areas/${area}.tsx`, 'utf8').matchAll(/'(\/[\w/-]+)'/g)].map(([, tab]) => tab),
    )
    expect(pages.filter((page) => !tabs.includes(page))).toEqual([])
    expect(fixes).toEqual([
      { name: 'environment', wrangler: 'ENVIRONMENT = "production"' },
      { name: 'secrets', terminal: 'npx wrangler secret delete ROOT_SECRET_PREVIOUS' },
      { name: 'migrations', terminal: 'npm run deploy' },
      { name: 'unrecordedMigrations', terminal: 'npm run deploy' },
      { name: 'applicationSecrets', terminal: 'npx wrangler tail --status error' },
      { name: 'clients', href: '/settings/clients' },
      { name: 'selfRegistered', href: '/settings/clients' },
      { name: 'kv', href: 'https://dash.cloudflare.com/?to=/:account/workers/kv/namespaces' },
      { name: 'sendEmail', wrangler: '[[send_email]]\nname = "SEND_EMAIL"' },
      { name: 'uploads', href: '/settings/addresses' },
      { name: 'passkeys', href: '/settings/deployment' },
      { name: 'secondFactor', href: '/settings' },
      { name: 'signIn', href: '/experience/sign-in' },
    ])
  })

  it('lists a check as passed only if it applies and found no problems', () => {
    const applications = { unsealedSecrets: 0, keySets: [{ id: 'bank', problem: null }] }
    const all = { ...complete, report: { ...report, applications } }
    expect(findPassedChecks(all)).toEqual(passedCheckNames)
    const faulty = { ...report, interactions: { isWritable: false } }
    expect(
      passedCheckNames.filter((name) => !findPassedChecks({ ...all, report: faulty }).includes(name)),
    ).toEqual(['kv', 'keys'])
    // Checks that don't apply to this deployment aren't listed.
    const development: Report = { ...report, environment: 'development', connectors: [] }
    const names = findPassedChecks({ ...complete, report: development, isLocal: true })
    expect(names.filter((name) => ['environment', 'hosts', 'connector', 'keys'].includes(name))).toEqual([])
    const unread = { report: null, connectors: null, experience: null }
    expect(findPassedChecks({ ...complete, ...unread })).toEqual(['application'])
  })

  it('lists the parts that could not be checked without reporting findings for them', () => {
    expect(findCheckedParts({ ...complete, report: null }).deployment).toBe(false)
    expect(findPassedChecks({ ...complete, report: null })).not.toContain('administrators')
    expect(missingItems({ connectors: null, report: { ...report, connectors: [] } })).toEqual([
      { name: 'mail', state: 'warn', href: '/connectors' },
    ])
  })

  it("links the doctor's findings to the affected entity, and sorts them by severity", () => {
    expect(
      missingFromReport({
        bindings: { ...report.bindings, RATE_LIMITS: false },
        connectors: [
          { id: 'my-mail', connectorId: 'resend-email', problem: 'unreadable', lastFailure: null },
        ],
        applications: { unsealedSecrets: 0, keySets: [{ id: 'bank', problem: 'answers 404' }] },
      }),
    ).toEqual([
      { name: 'keys', state: 'fail', href: '/applications/bank' },
      { name: 'connector', state: 'fail', href: '/connectors/my-mail' },
      { name: 'floods', state: 'warn', wrangler: RATE_LIMIT_BINDINGS },
    ])
    expect(readFileSync('wrangler.toml', 'utf8')).toContain(RATE_LIMIT_BINDINGS)
  })

  it('names a connector whose last message failed', () => {
    const lastFailure = { error: 'connector.general', reason: 'timeout', answer: null, createdAt: 0 } as const
    const connectors = [{ id: 'my-mail', connectorId: 'resend-email', problem: null, lastFailure }]
    expect(missingFromReport({ connectors })).toEqual([
      { name: 'failedMessage', state: 'warn', href: '/connectors/my-mail' },
    ])
    expect(findPassedChecks({ ...complete, report: { ...report, connectors } })).not.toContain('connector')
  })

  it('lists separately the items that are needed only before going live', () => {
    const inDevelopment = { ...report, environment: 'development', hostsConfigured: 0 } as const
    expect(missingItems({ report: inDevelopment, connectors: [{ type: 'Social' }], isLocal: true })).toEqual([
      { name: 'mail', state: 'later', href: '/connectors' },
      { name: 'hosts', state: 'later', terminal: 'npm run deploy -- --host id.example.com' },
    ])
  })
})

describe('the question what users sign in with', () => {
  const unanswered = {
    experience: DEFAULT_EXPERIENCE,
    checklist: readAdminConsole(null),
    code: { sections: [] },
  }

  it.each([
    ['of a new tenant', {}, true],
    ['of a tenant that only looks different', { experience: complete.experience }, true],
    [
      'that was answered or skipped',
      { checklist: { ...unanswered.checklist, signInExperienceCustomized: true } },
    ],
    ['of a tenant that is managed by code', { code: { sections: ['hooks'] } }],
    [
      'of a tenant with other sign-in methods',
      { experience: { ...DEFAULT_EXPERIENCE, ...emailSettings(DEFAULT_EXPERIENCE) } },
    ],
    ['of a tenant without sign-up', { experience: { ...DEFAULT_EXPERIENCE, signInMode: 'SignIn' } }],
    [
      'of a tenant with social buttons',
      { experience: { ...DEFAULT_EXPERIENCE, socialSignInConnectorTargets: ['google'] } },
    ],
  ] as [string, Partial<typeof unanswered>, boolean?][])(
    '%s is asked only if nobody has decided',
    (_, facts, isAsked = false) => {
      expect(shouldAskForIdentifier({ ...unanswered, ...facts })).toBe(isAsked)
    },
  )

  it.each([
    [['Social', 'Email'], 'production', 'connector'],
    [['Sms'], 'development', 'inbox'],
    [[], 'production', 'nowhere'],
  ] as const)('says where codes go with the connectors %j in %s', (types, environment, target) => {
    expect(
      findMailTarget(
        types.map((type) => ({ type })),
        environment,
      ),
    ).toBe(target)
  })

  it('is answered with settings that the server accepts and with which every account can sign in', () => {
    const settings = emailSettings(DEFAULT_EXPERIENCE)
    const facts = (email: boolean) => ({
      connectors: { email, phone: false, targets: [] },
      languages: ['en'],
    })
    expect(checkExperiencePatch(settings, DEFAULT_EXPERIENCE, facts(true))).toEqual(settings)
    expect(isRefusal(checkExperiencePatch(settings, DEFAULT_EXPERIENCE, facts(false)))).toBe(true)
    expect(settings.signIn.methods).toEqual([
      { identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true },
      { identifier: 'email', password: true, verificationCode: true, isPasswordPrimary: true },
    ])
    // If the connector is removed later, users can still sign in with their password.
    expect(allowsSignIn({ ...DEFAULT_EXPERIENCE, ...settings }, facts(false).connectors)).toBe(true)
  })
})
