import type { z } from 'zod'
import { checkReport } from '../../../operator/doctor/checks.ts'
import type { DoctorReport } from '../../../src/contract/doctor.schema.ts'
import { DEFAULT_EXPERIENCE, type SignInExperience } from '../../../src/contract/experience.ts'
import { ADMIN_ROLE } from '../../../src/contract/product.ts'
import type { AddedSecondFactorPolicy } from '../../../src/contract/settings.ts'

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

/** The checks of the doctor that are told here, and where they are mended: null means at a terminal. */
const doctorRows = {
  environment: { name: 'environment', href: null },
  secrets: { name: 'secrets', href: null },
  migrations: { name: 'migrations', href: null },
  'application secrets': { name: 'applicationSecrets', href: null },
  'keys of': { name: 'keys', href: '/applications' },
  kv: { name: 'kv', href: null },
  floods: { name: 'floods', href: null },
  connector: { name: 'connector', href: '/connectors' },
  uploads: { name: 'uploads', href: '/settings' },
  passkeys: { name: 'passkeys', href: null },
  'second factor': { name: 'secondFactor', href: '/settings' },
  'sign-in': { name: 'signIn', href: '/experience' },
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
  href: string | null
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
    href: string | null,
  ) => (isLacking ? [{ name, state, href }] : [])
  return [
    ...lack(applicationCount === 0, 'application', 'warn', '/applications/~new'),
    ...lack(
      connectors?.every(({ type }) => type !== 'Email'),
      'mail',
      onceLive,
      '/connectors',
    ),
    ...lack(experience !== null && isUnbranded(experience), 'brand', 'warn', '/experience'),
    ...lack(
      administrators !== null && needsNoFactor(administrators, report),
      'administrators',
      'warn',
      `/access/roles/${ADMIN_ROLE.id}`,
    ),
    ...lack(report?.hostsConfigured === 0, 'hosts', onceLive, null),
    ...lack(
      connectors?.every(({ type, isDemo }) => type !== 'Social' || isDemo),
      'social',
      'option',
      '/connectors',
    ),
    ...lack(report?.passkeys.relatedLabels === 0, 'passkeysOff', 'option', '/settings'),
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
    const { name, href } = found.row
    const detail = [says, todo].filter(Boolean).join('. ')
    return [{ name, state, detail, href: href && found.id ? `${href}/${found.id}` : href }]
  })
}

/** Some checks end with the id of what they are about. */
function rowOf(check: string) {
  if (isDoctorCheck(check)) return { row: doctorRows[check], id: null }
  const [, kind = '', id = null] = /^(keys of|connector) (.+)$/.exec(check) ?? []
  return isDoctorCheck(kind) ? { row: doctorRows[kind], id } : null
}

const isDoctorCheck = (check: string): check is DoctorCheck => Object.hasOwn(doctorRows, check)
