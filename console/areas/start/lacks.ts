import type { z } from 'zod'
import { checkReport } from '../../../operator/doctor/checks.ts'
import type { ReportCheck, ReportFinding } from '../../../operator/doctor/findings.ts'
import type { ConnectorType } from '../../../src/contract/connectors/connectors.ts'
import { DEFAULT_EXPERIENCE, type SignInExperience } from '../../../src/contract/experience/experience.ts'
import type { DoctorReport } from '../../../src/contract/tenants/doctor.schema.ts'
import type { ManagementScope } from '../../session/scopes.ts'
import type { missingItemPhrases } from './phrases.ts'
import { KV_NAMESPACES, RATE_LIMIT_BINDINGS, SEND_EMAIL_BINDING } from './platform.ts'

/** The facts that the start page is based on. A null value means that the user may not read the data. */
export type StartFacts = {
  report: z.output<typeof DoctorReport> | null
  connectors: readonly { type: ConnectorType; isDemo?: boolean | undefined }[] | null
  applicationCount: number | null
  experience: Pick<SignInExperience, 'color' | 'branding'> | null
  /** True if the server runs on a developer's machine. */
  isLocal: boolean
}

/**
 * The way to fix a missing item: on a page of the console or of Cloudflare, or with a text to paste into a terminal or
 * wrangler.local.toml.
 */
type Fix =
  /** `needs` is the scope that the fix requires, or null for a page of Cloudflare. */
  | { kind: 'page'; name: PageName; href: string; needs: ManagementScope | null }
  | { kind: 'terminal' | 'wrangler'; name: TextName; text: string }

type LastFailure = NonNullable<NonNullable<StartFacts['report']>['connectors'][number]['lastFailure']>

type MissingText = keyof (typeof missingItemPhrases)['en']
type PageName = MissingText extends infer Key ? (Key extends `${infer Name}Do` ? Name : never) : never
type TextName = Exclude<
  MissingText extends infer Key ? (Key extends `${infer Name}Why` ? Name : never) : never,
  PageName
>

export type MissingItem = Fix & {
  /**
   * The urgency of the item. `later` items are needed before the deployment goes live, and `option` items are common
   * but always optional.
   */
  state: 'fail' | 'warn' | 'later' | 'option'
  /** The finding and the advice, as worded by the doctor. */
  detail?: string
  /** The failure of a connector's last message, instead of a detail. */
  failure?: LastFailure
}

/** Returns the missing items, the most serious first (spec/console#start). */
export function findMissingItems(facts: StartFacts): MissingItem[] {
  const order = ['fail', 'warn', 'later', 'option']
  return [...firstSteps(facts), ...findingsOfDoctor(facts)].toSorted(
    (one, other) => order.indexOf(one.state) - order.indexOf(other.state),
  )
}

/** Returns which parts could be checked, because the user may read them. */
export const findCheckedParts = ({ report, connectors, applicationCount, experience }: StartFacts) => ({
  deployment: report !== null,
  applications: applicationCount !== null,
  connectors: connectors !== null,
  brand: experience !== null,
})

/** The scopes that fixes require, by the beginning of the path. */
const needs: readonly [string, ManagementScope][] = [
  ['/applications', 'applications:write'],
  ['/connectors', 'connectors:write'],
  ['/experience', 'experience:write'],
  ['/settings', 'settings:write'],
  // The second factor of administrators.
  ['/access', 'all'],
]

function page(name: PageName, href: string): Fix {
  const area = needs.find(([path]) => href.startsWith(path))
  return { kind: 'page', name, href, needs: area?.[1] ?? null }
}

const terminal = (name: TextName, text: string): Fix => ({ kind: 'terminal', name, text })
const wrangler = (name: TextName, text: string): Fix => ({ kind: 'wrangler', name, text })

function firstSteps({ report, connectors, applicationCount, experience }: StartFacts): MissingItem[] {
  // In development, messages go to the developer's inbox and the server responds on every host, so these items can
  // wait.
  const onceLive = report?.environment === 'development' ? 'later' : 'warn'
  const hasNoMail = connectors?.every(({ type }) => type !== 'Email') ?? report?.connectors.length === 0
  const hasNoSocial = connectors?.every(({ type, isDemo }) => type !== 'Social' || isDemo)
  const item = (isLacking: boolean | undefined, state: MissingItem['state'], fix: Fix): MissingItem[] =>
    isLacking ? [{ ...fix, state }] : []
  return [
    ...item(applicationCount === 0, 'warn', page('application', '/applications/~new')),
    ...item(hasNoMail, onceLive, page('mail', '/connectors')),
    ...item(experience !== null && isUnbranded(experience), 'warn', page('brand', '/experience')),
    ...item(
      report !== null && report.secondFactor.uncoveredAdministratorRoles.length > 0,
      'warn',
      page('administrators', '/access/administrators'),
    ),
    ...item(
      report?.hostsConfigured === 0,
      onceLive,
      terminal('hosts', 'npm run deploy -- --host id.example.com'),
    ),
    ...item(hasNoSocial, 'option', page('social', '/connectors')),
    ...item(report?.passkeys.relatedLabels === 0, 'option', page('passkeysOff', '/settings')),
  ]
}

const isUnbranded = ({ color, branding }: NonNullable<StartFacts['experience']>) =>
  color.primaryColor === DEFAULT_EXPERIENCE.color.primaryColor &&
  branding.logoUrl === DEFAULT_EXPERIENCE.branding.logoUrl

function findingsOfDoctor({ report, isLocal }: StartFacts): MissingItem[] {
  if (!report) return []
  return checkReport(report, { isLocal }).flatMap((finding): MissingItem[] => {
    const { state, says, todo } = finding
    if (state !== 'fail' && state !== 'warn') return []
    const fix = findFix(finding, report)
    if (fix?.name === 'failedMessage') return [{ ...fix, state, ...findFailure(finding, report) }]
    return fix ? [{ ...fix, state, detail: [says, todo].filter(Boolean).join('. ') }] : []
  })
}

type CheckPerEntity = `keys of ${string}` | `connector ${string}`

/** The fixes for checks that are made once per deployment. */
const fixes: Readonly<Record<Exclude<ReportCheck, CheckPerEntity>, Fix | null>> = {
  environment: wrangler('environment', 'ENVIRONMENT = "production"'),
  secrets: terminal('secrets', 'npx wrangler secret delete ROOT_SECRET_PREVIOUS'),
  migrations: terminal('migrations', 'npm run deploy'),
  'application secrets': terminal('applicationSecrets', 'npx wrangler tail --status error'),
  clients: page('clients', '/settings/clients'),
  'self-registered clients': page('selfRegistered', '/settings/clients'),
  kv: page('kv', KV_NAMESPACES),
  floods: wrangler('floods', RATE_LIMIT_BINDINGS),
  uploads: page('uploads', '/settings/addresses'),
  passkeys: page('passkeys', '/settings/deployment'),
  'second factor': page('secondFactor', '/settings'),
  'sign-in': page('signIn', '/experience/sign-in'),
  // Both sets of rules are valid.
  passwords: null,
  // `firstSteps` already includes these items.
  hosts: null,
  connectors: null,
  logs: null,
  administrators: null,
}

function findFix({ check, state }: ReportFinding, report: NonNullable<StartFacts['report']>): Fix | null {
  if (isCheckOf(check, 'keys of')) return page('keys', `/applications/${check.slice('keys of '.length)}`)
  if (isCheckOf(check, 'connector')) {
    const id = check.slice('connector '.length)
    if (state === 'warn') return page('failedMessage', `/connectors/${id}`)
    const { problem } = report.connectors.find((connector) => connector.id === id) ?? {}
    // If the connector itself has no problem, then its binding is missing.
    return problem === null
      ? wrangler('sendEmail', SEND_EMAIL_BINDING)
      : page('connector', `/connectors/${id}`)
  }
  if (check === 'migrations' && state === 'warn') return terminal('unrecordedMigrations', 'npm run deploy')
  return fixes[check]
}

function findFailure({ check }: ReportFinding, { connectors }: NonNullable<StartFacts['report']>) {
  const { lastFailure } = connectors.find(({ id }) => check === `connector ${id}`) ?? {}
  return lastFailure ? { failure: lastFailure } : {}
}

const isCheckOf = <Kind extends string>(check: string, kind: Kind): check is `${Kind} ${string}` =>
  check.startsWith(`${kind} `)
