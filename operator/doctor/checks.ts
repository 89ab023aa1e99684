import { failureSentences } from './failure-reasons.ts'
import {
  type Finding,
  failFinding,
  okFinding,
  type Report,
  type ReportFinding,
  warnFinding,
} from './findings.ts'
import { administrators, passkeys, passwords, secondFactor, signIn } from './sign-in-checks.ts'

type LastFailure = NonNullable<Report['connectors'][number]['lastFailure']>

/** Converts the server's report to findings. */
export function checkReport(report: Report, { isLocal }: { isLocal: boolean }): ReportFinding[] {
  return [
    isLocal ? okFinding('environment', report.environment) : environment(report),
    hosts(report),
    secrets(report),
    migrations(report),
    applicationSecrets(report),
    ...keySets(report),
    ...clients(report),
    interactions(report),
    retention(report),
    floods(report),
    ...connectors(report),
    ...uploads(report),
    passwords(report),
    ...passkeys(report),
    ...secondFactor(report),
    administrators(report),
    signIn(report),
  ]
}

function environment({ environment }: Report): ReportFinding {
  return environment === 'production'
    ? okFinding('environment', 'production')
    : warnFinding(
        'environment',
        'development: anyone can read messages in the inbox at /dev/inbox',
        'Set ENVIRONMENT to production if end users sign in here.',
      )
}

function hosts({ hostsConfigured, environment }: Report): ReportFinding {
  if (hostsConfigured > 0)
    return okFinding('hosts', `HOSTS has ${hostsConfigured} ${hostsConfigured === 1 ? 'entry' : 'entries'}`)
  return environment === 'development'
    ? okFinding('hosts', "HOSTS isn't needed in development, which only serves names of this machine")
    : warnFinding(
        'hosts',
        'HOSTS is empty, so outside development the Worker serves nothing',
        'Set HOSTS in wrangler.local.toml and deploy.',
      )
}

function secrets({ secrets, secondFactor, environment }: Report): ReportFinding {
  if (secrets.ROOT_SECRET_PREVIOUS)
    return warnFinding(
      'secrets',
      'ROOT_SECRET_PREVIOUS is still set, so data sealed with the previous secret can be decrypted',
      `Delete it as described in docs/operations/runbook.md, once the log shows that nothing needs it.${
        secondFactor.hasBackupCodes
          ? ' Backup codes from before the change stop working then, so ask users to create new ones.'
          : ''
      }`,
    )
  if (secrets.MANAGEMENT_CLIENT_SECRET && environment === 'production')
    return okFinding(
      'secrets',
      'ROOT_SECRET and MANAGEMENT_CLIENT_SECRET are set, so the client "management" exists',
    )
  return okFinding('secrets', 'ROOT_SECRET is set')
}

function migrations({ database: { kind, migrations, alterationState } }: Report): ReportFinding {
  const check = 'migrations'
  const { expected, applied } = migrations
  const timeOf = (time: number) => new Date(time).toISOString()
  const missing = expected.filter((name) => applied && !applied.includes(name))
  if (missing.length > 0)
    return failFinding(
      check,
      `${kind} lacks ${missing.join(', ')}`,
      'Run "npm run deploy", which applies migrations before it uploads the code.',
    )
  if (alterationState === 'unreadable')
    return warnFinding(
      check,
      `the entry alterationState in the ${kind} database can't be read, so we don't know when the database was last migrated`,
      'Run "npm run deploy" (for a local database "npm start"), which replaces the entry.',
    )
  if (!applied)
    return warnFinding(
      check,
      `the ${kind} database doesn't record its migrations${
        alterationState ? `; the newest that was applied is of ${timeOf(alterationState.timestamp)}` : ''
      }`,
      `If you didn't set it up with "npm run deploy", compare it with migrations/.`,
    )
  return okFinding(
    check,
    `${kind} has all ${expected.length} migrations${
      alterationState?.updatedAt ? ` since ${timeOf(alterationState.updatedAt)}` : ''
    }`,
  )
}

function applicationSecrets({ applications: { unsealedSecrets: count } }: Report): ReportFinding {
  const check = 'application secrets'
  return count === 0
    ? okFinding(check, 'all are sealed')
    : warnFinding(
        check,
        `${count} ${count === 1 ? "isn't" : "aren't"} sealed in the database yet`,
        'The scheduled run seals them one hour after the update that introduced sealing. If they stay unsealed, look for failed runs.',
      )
}

/** Returns one finding per application with a key set: whether the application can authenticate with its keys. */
const keySets = ({ applications: { keySets } }: Report): ReportFinding[] =>
  keySets.map(({ id, problem }) =>
    problem === null
      ? okFinding(`keys of ${id}`, 'we can read the key set')
      : failFinding(
          `keys of ${id}`,
          `${problem}, so the application can't authenticate`,
          'Publish its public keys as JSON at its jwksUri, or set them as jwks.',
        ),
  )

/** Only reports problems, because unregistered clients are optional. */
function clients({ clients: { unregistered, selfRegistered } }: Report): ReportFinding[] {
  const kinds = [
    { check: 'clients', reach: unregistered, who: 'nobody has registered', setting: 'unregisteredClients' },
    {
      check: 'self-registered clients',
      reach: selfRegistered,
      who: 'register themselves',
      setting: 'clientRegistration',
    },
  ] as const
  return kinds
    .filter(({ reach }) => reach === 'unlimited')
    .map(({ check, who, setting }) =>
      warnFinding(
        check,
        `clients that ${who} may ask users for access to every resource of the tenant`,
        `List the resources that they may ask for in settings.${setting}.resources.`,
      ),
    )
}

function interactions({ interactions: { isWritable } }: Report): ReportFinding {
  return isWritable
    ? okFinding('kv', 'we can write to INTERACTIONS')
    : failFinding(
        'kv',
        "we can't write to INTERACTIONS, so users can't sign in",
        "Check the namespace, its binding and the daily limits in Cloudflare's dashboard.",
      )
}

const retention = ({ logRetentionDays: days }: Report): ReportFinding =>
  okFinding('logs', days === 0 ? 'we keep rows forever' : `we keep rows for ${days} days`)

const floods = ({ bindings: { RATE_LIMITS } }: Report): ReportFinding =>
  RATE_LIMITS
    ? okFinding('floods', 'requests per network are limited')
    : warnFinding(
        'floods',
        "requests per network to the provider aren't limited",
        'Add the bindings under "ratelimits" in wrangler.toml, and deploy.',
      )

function connectors({ connectors, bindings, environment }: Report): ReportFinding[] {
  if (connectors.length === 0)
    return [
      environment === 'development'
        ? okFinding('connectors', 'none; messages go to the development inbox')
        : warnFinding(
            'connectors',
            "none, so we can't send codes",
            'Add one to vestibule.config.ts and apply it.',
          ),
    ]
  return connectors.map(({ id, connectorId, problem, lastFailure }) => {
    const check = `connector ${id}` as const
    if (problem) return failFinding(check, `${connectorId}: ${problem}`, 'Save its configuration again.')
    if (connectorId === 'cloudflare-send-email' && !bindings.SEND_EMAIL)
      return failFinding(
        check,
        `${connectorId} has no binding`,
        'Add send_email as SEND_EMAIL to wrangler.local.toml, and deploy.',
      )
    if (lastFailure)
      return warnFinding(
        check,
        `${connectorId}: the last message, at ${new Date(lastFailure.createdAt).toISOString()}, wasn't sent. ${describeFailure(lastFailure)}`,
        'Correct the settings, and send a test message from the page of the connector in the console.',
      )
    return okFinding(check, connectorId)
  })
}

const describeFailure = ({ error, reason, answer }: LastFailure) =>
  [
    reason ? failureSentences[reason].replaceAll('’', "'") : `The error is ${error}.`,
    answer && `The server's answer: ${answer}`,
  ]
    .filter(Boolean)
    .join(' ')

/** Only reports problems, because uploads are optional. */
function uploads({ uploads: { problem } }: Report): ReportFinding[] {
  return problem
    ? [failFinding('uploads', problem, 'Change settings.storageProvider, or add the binding and deploy.')]
    : []
}

const MAX_DIFFERENCE = 5_000 // ms

/**
 * Compares the clocks of the server and of this machine, both in epoch milliseconds. It allows for half of
 * `roundTrip`, the duration of the request in milliseconds.
 */
export function checkClock(serverTime: number, now: number, roundTrip: number): Finding {
  const difference = Math.abs(serverTime - (now - roundTrip / 2))
  const seconds = (difference / 1000).toFixed(1)
  return difference <= MAX_DIFFERENCE + roundTrip / 2
    ? okFinding('clock', `${seconds} s apart`)
    : warnFinding(
        'clock',
        `${seconds} s apart from this machine`,
        'Set the clock of this machine (NTP). If it is right, set that of the server, because the validity of tokens depends on it.',
      )
}
