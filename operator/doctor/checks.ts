import type { z } from 'zod'
import type { DoctorReport } from '../../src/contract/tenants/doctor.schema.ts'
import { type Finding, failFinding, okFinding, type ReportFinding, warnFinding } from './findings.ts'

type Report = z.output<typeof DoctorReport>

/** Findings from the report of the server. */
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
    ...passkeys(report),
    ...secondFactor(report),
    signIn(report),
  ]
}

function environment({ environment }: Report): ReportFinding {
  return environment === 'production'
    ? okFinding('environment', 'production')
    : warnFinding(
        'environment',
        'development: messages are public in the inbox at /dev/inbox',
        'Set ENVIRONMENT to production where end users sign in.',
      )
}

function hosts({ hostsConfigured, environment }: Report): ReportFinding {
  if (hostsConfigured > 0)
    return okFinding('hosts', `HOSTS has ${hostsConfigured} ${hostsConfigured === 1 ? 'entry' : 'entries'}`)
  return environment === 'development'
    ? okFinding('hosts', 'HOSTS is not needed in development: only names of this machine answer')
    : warnFinding(
        'hosts',
        'HOSTS is empty: outside development nothing is answered',
        'Set HOSTS in wrangler.toml and deploy.',
      )
}

function secrets({ secrets, secondFactor, environment }: Report): ReportFinding {
  if (secrets.ROOT_SECRET_PREVIOUS)
    return warnFinding(
      'secrets',
      'ROOT_SECRET_PREVIOUS still opens data sealed with the previous secret',
      `Delete it as docs/operations/runbook.md says, once the log shows that nothing needs it.${
        secondFactor.hasBackupCodes
          ? ' Backup codes from before the change end with it: have users renew them.'
          : ''
      }`,
    )
  if (secrets.MANAGEMENT_CLIENT_SECRET && environment === 'production')
    return okFinding(
      'secrets',
      'ROOT_SECRET is set; MANAGEMENT_CLIENT_SECRET too, so the client "management" exists',
    )
  return okFinding('secrets', 'ROOT_SECRET is set')
}

function migrations({ database: { kind, migrations } }: Report): ReportFinding {
  const check = 'migrations'
  const { expected, applied } = migrations
  if (!applied)
    return warnFinding(
      check,
      `the ${kind} database does not record its migrations`,
      'If it was not set up by "npm run deploy", compare it with migrations/.',
    )
  const missing = expected.filter((name) => !applied.includes(name))
  return missing.length === 0
    ? okFinding(check, `${kind} has all ${expected.length}`)
    : failFinding(
        check,
        `${kind} lacks ${missing.join(', ')}`,
        'Run "npm run deploy": it applies migrations before it uploads the code.',
      )
}

function applicationSecrets({ applications: { unsealedSecrets: count } }: Report): ReportFinding {
  const check = 'application secrets'
  return count === 0
    ? okFinding(check, 'all are sealed')
    : warnFinding(
        check,
        `${count} ${count === 1 ? 'is' : 'are'} not yet sealed in the database`,
        'The schedule seals them, one hour after the update that seals secrets. Look for failed scheduled runs if they stay.',
      )
}

/** Applications that have a key set can authenticate by it, or the finding says why not. */
const keySets = ({ applications: { keySets } }: Report): ReportFinding[] =>
  keySets.map(({ id, problem }) =>
    problem === null
      ? okFinding(`keys of ${id}`, 'the key set can be read')
      : failFinding(
          `keys of ${id}`,
          `${problem}: the application cannot authenticate`,
          'Publish its public keys as JSON at its jwksUri, or give them as jwks.',
        ),
  )

/** Only with a problem: such clients are optional. */
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
        `clients that ${who} may ask users for every resource of the tenant`,
        `List those that they may ask for in settings.${setting}.resources.`,
      ),
    )
}

function interactions({ interactions: { isWritable } }: Report): ReportFinding {
  return isWritable
    ? okFinding('kv', 'INTERACTIONS is writable')
    : failFinding(
        'kv',
        'INTERACTIONS is not writable: no user can sign in',
        "Check the namespace, its binding and the daily limits in Cloudflare's dashboard.",
      )
}

const retention = ({ logRetentionDays: days }: Report): ReportFinding =>
  okFinding('logs', days === 0 ? 'rows are kept for good' : `rows are kept for ${days} days`)

const floods = ({ bindings: { RATE_LIMITS } }: Report): ReportFinding =>
  RATE_LIMITS
    ? okFinding('floods', 'requests of a network are limited')
    : warnFinding(
        'floods',
        'requests of a network to the provider are not limited',
        'Bind what "ratelimits" of wrangler.toml lists, and deploy.',
      )

function connectors({ connectors, bindings, environment }: Report): ReportFinding[] {
  if (connectors.length === 0)
    return [
      environment === 'development'
        ? okFinding('connectors', 'none; messages go to the development inbox')
        : warnFinding(
            'connectors',
            'none: no codes can be sent',
            'Describe one in vestibule.config.ts and apply it.',
          ),
    ]
  return connectors.map(({ id, connectorId, problem }) => {
    const check = `connector ${id}` as const
    if (problem) return failFinding(check, `${connectorId}: ${problem}`, 'Save its configuration again.')
    if (connectorId === 'cloudflare-send-email' && !bindings.SEND_EMAIL)
      return failFinding(
        check,
        `${connectorId} has no binding`,
        'Add send_email as SEND_EMAIL to wrangler.toml and deploy.',
      )
    return okFinding(check, connectorId)
  })
}

/** Only with a problem: uploads are optional. */
function uploads({ uploads: { problem } }: Report): ReportFinding[] {
  return problem
    ? [failFinding('uploads', problem, 'Change settings.storageProvider, or add the binding and deploy.')]
    : []
}

/** WebAuthn Level 3 §5.11.1: browsers take at least so many, and some take no more. */
const MAX_LABELS = 5

/** Only with a problem, as for uploads. */
function passkeys({ passkeys: { relatedLabels } }: Report): ReportFinding[] {
  return relatedLabels > MAX_LABELS
    ? [
        warnFinding(
          'passkeys',
          `the hosts of the tenant have ${relatedLabels} names of domains: browsers take passkeys at ${MAX_LABELS}`,
          'Give the tenant hosts below fewer domains in HOSTS, and deploy.',
        ),
      ]
    : []
}

function secondFactor({ secondFactor }: Report): ReportFinding[] {
  const { policy, added, factors, unavailable, isPlaceKnown, sendsCodes } = secondFactor
  const policies = [policy, ...added]
  const warn = (says: string, todo: string) => [warnFinding('second factor', says, todo)]
  if (policies.every((each) => each === 'off')) return []
  if (policies.includes('adaptive') && !isPlaceKnown)
    return warn(
      'adaptive, and requests do not say their country: every sign-in but the first is unusual',
      'Let users reach the Worker through Cloudflare, or choose another settings.secondFactor.policy.',
    )
  if (policies.includes('adaptive') && !sendsCodes)
    return warn(
      'adaptive, and no codes can be sent: unusual sign-ins of users without a factor are refused',
      'Install a connector for e-mail or SMS.',
    )
  if (policies.includes('required') && !factors.includes('totp'))
    return warn(
      `required, and users without ${factors.join(', ')} can set up nothing that counts`,
      'Add totp to settings.secondFactor.factors.',
    )
  if (unavailable.length === 0) return []
  return warn(
    `nobody can prove ${unavailable.join(', ')}`,
    'Enable passkeys or install a connector, or take it out of settings.secondFactor.factors.',
  )
}

function signIn({ signIn: { hasWayIn, problem } }: Report): ReportFinding {
  if (!hasWayIn)
    return failFinding(
      'sign-in',
      'no user can sign in: no method has a factor that works',
      'Install a connector, or allow passwords in the experience.',
    )
  return problem
    ? warnFinding(
        'sign-in',
        `the experience breaks the rule ${problem}, e.g. because a connector was deleted`,
        'Change the experience, or install what it needs.',
      )
    : okFinding('sign-in', 'users can sign in')
}

const TOLERATED = 5_000 // ms

/** `serverTime` and `now` in epoch milliseconds. The answer took `travel`; half of it is not a difference of the clocks. */
export function checkClock(serverTime: number, now: number, travel: number): Finding {
  const apart = Math.abs(serverTime - (now - travel / 2))
  const seconds = (apart / 1000).toFixed(1)
  return apart <= TOLERATED + travel / 2
    ? okFinding('clock', `${seconds} s apart`)
    : warnFinding(
        'clock',
        `${seconds} s apart from this machine`,
        'Set the clock of this machine (NTP); if it is right, that of the server: the validity of tokens depends on it.',
      )
}
