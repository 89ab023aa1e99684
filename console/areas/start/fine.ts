import { checkedParts, findMissing, type StartFacts } from './lacks.ts'

/** The name of a check, which is also the key of the sentence for when it passes. */
type PassedCheckName = (typeof passedCheckNames)[number]

/** The checks of the server's report, with the missing items that contradict each of them. */
const checksInReport = {
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

const otherChecks = ['application', 'mail', 'brand', 'administrators'] as const
export const passedCheckNames = [
  ...otherChecks,
  ...(Object.keys(checksInReport) as (keyof typeof checksInReport)[]),
]

/**
 * Returns the checks that were made and passed (spec/console#start). Data that the user may not read wasn't checked.
 */
export function findPassedChecks(facts: StartFacts): PassedCheckName[] {
  const { report } = facts
  const { applications, connectors, brand, administrators } = checkedParts(facts)
  const lacking = new Set<string>(findMissing(facts).map(({ name }) => name))
  const isFine = { application: applications, mail: connectors, brand, administrators }
  // On a developer's machine, these are correct without being set.
  const isLive = report?.environment === 'production'
  const applies: Partial<Record<PassedCheckName, boolean>> = {
    environment: isLive,
    hosts: isLive,
    connector: report !== null && report.connectors.length > 0,
    keys: report !== null && report.applications.keySets.length > 0,
    passkeys: report !== null && report.passkeys.relatedLabels > 0,
  }
  return [
    ...otherChecks.filter((name) => isFine[name] && !lacking.has(name)),
    ...(Object.keys(checksInReport) as (keyof typeof checksInReport)[]).filter(
      (name) =>
        report !== null && applies[name] !== false && !checksInReport[name].some((lack) => lacking.has(lack)),
    ),
  ]
}
