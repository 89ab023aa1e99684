import { findCheckedParts, findMissingItems, type StartFacts } from './lacks.ts'

/** The name of a check. It is also the key of the sentence that is shown if the check passes. */
type PassedCheckName = (typeof passedCheckNames)[number]

/** The checks in the server's report. Each fails if one of these items is missing. */
const checksInReport = {
  signIn: ['signIn'],
  kv: ['kv'],
  migrations: ['migrations', 'unrecordedMigrations'],
  connector: ['connector', 'sendEmail', 'failedMessage'],
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
  administrators: ['administrators'],
} as const

const otherChecks = ['application', 'mail', 'brand'] as const
export const passedCheckNames = [
  ...otherChecks,
  ...(Object.keys(checksInReport) as (keyof typeof checksInReport)[]),
]

/**
 * Returns the checks that were made and passed (spec/console#start). A check is skipped if the user may not read its
 * data.
 */
export function findPassedChecks(facts: StartFacts): PassedCheckName[] {
  const { report } = facts
  const { applications, connectors, brand } = findCheckedParts(facts)
  const lacking = new Set<string>(findMissingItems(facts).map(({ name }) => name))
  const isFine = { application: applications, mail: connectors, brand }
  // These checks only apply in production: on a developer's machine, the settings aren't needed.
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
