import type { z } from 'zod'
import { checkReport } from '../../../operator/doctor/checks.ts'
import type { DoctorReport } from '../../../src/contract/doctor.schema.ts'
import { DEFAULT_EXPERIENCE, type SignInExperience } from '../../../src/contract/experience.ts'
import { ADMIN_ROLE } from '../../../src/contract/product.ts'
import type { AddedSecondFactorPolicy } from '../../../src/contract/settings.ts'
import type { ManagementScope } from '../../session/scopes.ts'

/** What the start page knows; null for what the user may not read. */
export type Facts = {
  report: z.output<typeof DoctorReport> | null
  connectors: readonly { type: string; isDemo?: boolean | undefined }[] | null
  applicationCount: number | null
  experience: Pick<SignInExperience, 'color' | 'branding'> | null
  /** What the role of administrators asks for. */
  administrators: { secondFactorPolicy: AddedSecondFactorPolicy | null } | null
  /** Whether this is the machine of a developer. */
  isLocal: boolean
}

/** Where something is mended, and with what. */
type Remedy = { href: string; needs: ManagementScope }

const inApplications: Remedy = { href: '/applications', needs: 'applications:write' }
const inConnectors: Remedy = { href: '/connectors', needs: 'connectors:write' }
const inExperience: Remedy = { href: '/experience', needs: 'experience:write' }
const inSettings: Remedy = { href: '/settings', needs: 'settings:write' }

/** The checks of the doctor that are told here. */
const doctorRows = {
  environment: { name: 'environment', remedy: null },
  secrets: { name: 'secrets', remedy: null },
  migrations: { name: 'migrations', remedy: null },
  'application secrets': { name: 'applicationSecrets', remedy: null },
  'keys of': { name: 'keys', remedy: inApplications },
  kv: { name: 'kv', remedy: null },
  floods: { name: 'floods', remedy: null },
  connector: { name: 'connector', remedy: inConnectors },
  uploads: { name: 'uploads', remedy: inSettings },
  passkeys: { name: 'passkeys', remedy: null },
  'second factor': { name: 'secondFactor', remedy: inSettings },
  'sign-in': { name: 'signIn', remedy: inExperience },
} as const
type DoctorCheck = keyof typeof doctorRows

export type Lack = {
  name:
    | 'mail'
    | 'application'
    | 'brand'
    | 'administrators'
    | 'hosts'
    | 'social'
    | 'passkeysOff'
    | (typeof doctorRows)[DoctorCheck]['name']
  /** `later`: before the deployment goes live. `option`: what many deployments have, and none needs. */
  state: 'fail' | 'warn' | 'later' | 'option'
  /** Null: at a terminal. */
  remedy: Remedy | null
  /** What the doctor says and advises, in its words. */
  detail?: string
}

/** What is missing, the worst first (spec/console#start). */
export function lacksOf(facts: Facts): Lack[] {
  const order = ['fail', 'warn', 'later', 'option']
  return [...firstSteps(facts), ...doctorLacks(facts)].toSorted(
    (one, other) => order.indexOf(one.state) - order.indexOf(other.state),
  )
}

function firstSteps({ report, connectors, applicationCount, experience, administrators }: Facts): Lack[] {
  // There, messages are in the inbox of the developer, and every host is answered.
  const onceLive = report?.environment === 'development' ? 'later' : 'warn'
  const lack = (
    isLacking: boolean | undefined,
    name: Lack['name'],
    state: Lack['state'],
    remedy: Remedy | null,
  ) => (isLacking ? [{ name, state, remedy }] : [])
  return [
    ...lack(applicationCount === 0, 'application', 'warn', { ...inApplications, href: '/applications/~new' }),
    ...lack(
      connectors?.every(({ type }) => type !== 'Email'),
      'mail',
      onceLive,
      inConnectors,
    ),
    ...lack(experience !== null && isUnbranded(experience), 'brand', 'warn', inExperience),
    ...lack(administrators !== null && needsNoFactor(administrators, report), 'administrators', 'warn', {
      href: `/access/roles/${ADMIN_ROLE.id}`,
      needs: 'all',
    }),
    ...lack(report?.hostsConfigured === 0, 'hosts', onceLive, null),
    ...lack(
      connectors?.every(({ type, isDemo }) => type !== 'Social' || isDemo),
      'social',
      'option',
      inConnectors,
    ),
    ...lack(report?.passkeys.relatedLabels === 0, 'passkeysOff', 'option', inSettings),
  ]
}

const isUnbranded = ({ color, branding }: NonNullable<Facts['experience']>) =>
  color.primaryColor === DEFAULT_EXPERIENCE.color.primaryColor &&
  branding.logoUrl === DEFAULT_EXPERIENCE.branding.logoUrl

const needsNoFactor = (
  { secondFactorPolicy }: NonNullable<Facts['administrators']>,
  report: Facts['report'],
) => secondFactorPolicy !== 'required' && report?.secondFactor.policy !== 'required'

function doctorLacks({ report, isLocal }: Facts): Lack[] {
  if (!report) return []
  return checkReport(report, { isLocal }).flatMap(({ check, state, says, todo }): Lack[] => {
    if (state !== 'fail' && state !== 'warn') return []
    const found = rowOf(check)
    if (!found) return []
    const { name, remedy } = found.row
    const detail = [says, todo].filter(Boolean).join('. ')
    const at = remedy && found.id ? { ...remedy, href: `${remedy.href}/${found.id}` } : remedy
    return [{ name, state, detail, remedy: at }]
  })
}

/** Some checks end with the id of what they are about. */
function rowOf(check: string) {
  if (isDoctorCheck(check)) return { row: doctorRows[check], id: null }
  const [, kind = '', id = null] = /^(keys of|connector) (.+)$/.exec(check) ?? []
  return isDoctorCheck(kind) ? { row: doctorRows[kind], id } : null
}

const isDoctorCheck = (check: string): check is DoctorCheck => Object.hasOwn(doctorRows, check)
