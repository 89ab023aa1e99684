import { describe, expect, it } from 'vitest'
import { type Facts, lacksOf } from '../../console/areas/start/lacks.ts'
import { DEFAULT_EXPERIENCE } from '../../src/contract/experience.ts'
import { healthyReport } from './console-answers.ts'

/** What the start page of the console finds missing (spec/console#start). */

type Report = NonNullable<Facts['report']>

const report = healthyReport
const complete: Facts = {
  report,
  connectors: [{ type: 'Social' }, { type: 'Email' }],
  applicationCount: 1,
  experience: {
    ...DEFAULT_EXPERIENCE,
    color: { ...DEFAULT_EXPERIENCE.color, primaryColor: '#0a7d34' },
  },
  administrators: { secondFactorPolicy: 'required' },
  isLocal: false,
}
const named = (facts: Partial<Facts>) =>
  lacksOf({ ...complete, ...facts }).map(({ name, state, remedy }) => ({
    name,
    state,
    href: remedy?.href ?? null,
  }))
const reported = (given: Partial<Report>) => named({ report: { ...report, ...given } })

describe('the start page', () => {
  it('finds nothing where nothing is missing, and nothing that may not be read', () => {
    expect(lacksOf(complete)).toEqual([])
    const unread = { connectors: null, applicationCount: null, experience: null, administrators: null }
    expect(named({ report: null, ...unread })).toEqual([])
  })

  it.each([
    [{ applicationCount: 0 }, 'application', '/applications/~new'],
    [{ connectors: [{ type: 'Sms' }, { type: 'Social' }] }, 'mail', '/connectors'],
    [{ experience: DEFAULT_EXPERIENCE }, 'brand', '/experience'],
    [{ administrators: { secondFactorPolicy: null } }, 'administrators', '/access/roles/admin-role'],
  ] as const)('finds %j', (facts, name, href) => {
    expect(named(facts)).toEqual([{ name, state: 'warn', href }])
  })

  it('offers what is not there and not needed', () => {
    const connectors = [{ type: 'Email' }, { type: 'Social', isDemo: true }]
    expect(named({ connectors, report: { ...report, passkeys: { relatedLabels: 0 } } })).toEqual([
      { name: 'social', state: 'option', href: '/connectors' },
      { name: 'passkeysOff', state: 'option', href: '/settings' },
    ])
  })

  it('asks nothing of the role of administrators where the tenant asks everybody', () => {
    const secondFactor = { ...report.secondFactor, policy: 'required' as const }
    expect(
      named({ administrators: { secondFactorPolicy: null }, report: { ...report, secondFactor } }),
    ).toEqual([])
  })

  it('tells what the doctor finds, with the page of the entity, the worst first', () => {
    expect(
      reported({
        bindings: { ...report.bindings, RATE_LIMITS: false },
        connectors: [{ id: 'my-mail', connectorId: 'resend-email', problem: 'unreadable' }],
        applications: { unsealedSecrets: 0, keySets: [{ id: 'bank', problem: 'answers 404' }] },
      }),
    ).toEqual([
      { name: 'keys', state: 'fail', href: '/applications/bank' },
      { name: 'connector', state: 'fail', href: '/connectors/my-mail' },
      { name: 'floods', state: 'warn', href: null },
    ])
  })

  it('tells a developer what is missing before going live, apart from the rest', () => {
    const inDevelopment = { ...report, environment: 'development', hostsConfigured: 0 } as const
    expect(named({ report: inDevelopment, connectors: [{ type: 'Social' }], isLocal: true })).toEqual([
      { name: 'mail', state: 'later', href: '/connectors' },
      { name: 'hosts', state: 'later', href: null },
    ])
  })
})
