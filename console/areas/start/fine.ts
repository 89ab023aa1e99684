import { checkedParts, type Facts, lacksOf } from './lacks.ts'

/** What the start page looks at, by the sentence that says it is fine. */
type FineName = (typeof fineNames)[number]

/** What the report of the server says, with the lacks that deny it. Null: it is said where it applies. */
const ofReport = {
  signIn: ['signIn'],
  kv: ['kv'],
  migrations: ['migrations', 'unrecordedMigrations'],
  connector: ['connector', 'sendEmail'],
  environment: ['environment'],
  hosts: ['hosts'],
  secrets: ['secrets'],
  applicationSecrets: ['applicationSecrets'],
  keys: ['keys'],
  clients: ['clients', 'selfRegistered'],
  floods: ['floods'],
  uploads: ['uploads'],
  passkeys: ['passkeys'],
  secondFactor: ['secondFactor'],
} as const

const ofOthers = ['application', 'mail', 'brand', 'administrators'] as const
export const fineNames = [...ofOthers, ...(Object.keys(ofReport) as (keyof typeof ofReport)[])]

/** The checks that were made and found nothing (spec/console#start). What the user may not read was not checked. */
export function fineOf(facts: Facts): FineName[] {
  const { report } = facts
  const { applications, connectors, brand, administrators } = checkedParts(facts)
  const lacking = new Set<string>(lacksOf(facts).map(({ name }) => name))
  const isFine = { application: applications, mail: connectors, brand, administrators }
  // On the machine of a developer, these are as they should be without being set.
  const isLive = report?.environment === 'production'
  const applies: Partial<Record<FineName, boolean>> = {
    environment: isLive,
    hosts: isLive,
    connector: report !== null && report.connectors.length > 0,
    keys: report !== null && report.applications.keySets.length > 0,
    passkeys: report !== null && report.passkeys.relatedLabels > 0,
  }
  return [
    ...ofOthers.filter((name) => isFine[name] && !lacking.has(name)),
    ...(Object.keys(ofReport) as (keyof typeof ofReport)[]).filter(
      (name) =>
        report !== null && applies[name] !== false && !ofReport[name].some((lack) => lacking.has(lack)),
    ),
  ]
}
