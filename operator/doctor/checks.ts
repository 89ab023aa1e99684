import type { z } from 'zod'
import type { DoctorReport } from '../../src/contract/tenants/doctor.schema.ts'
import { plainRoleName } from '../../src/domain/access/administration.ts'
import { failureSentences } from '../failure-reasons.ts'
import { type Finding, failFinding, okFinding, type ReportFinding, warnFinding } from './findings.ts'

type Report = z.output<typeof DoctorReport>
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
  [reason ? failureSentences[reason] : `The error is ${error}.`, answer && `The server's answer: ${answer}`]
    .filter(Boolean)
    .join(' ')

/** Only reports problems, because uploads are optional. */
function uploads({ uploads: { problem } }: Report): ReportFinding[] {
  return problem
    ? [failFinding('uploads', problem, 'Change settings.storageProvider, or add the binding and deploy.')]
    : []
}

/** Explains the rules, because the two standards for them contradict each other (ADR-0168). */
function passwords({ passwords: { rules, checksBreaches } }: Report): ReportFinding {
  const check = 'passwords'
  const breaches = checksBreaches ? 'breached ones are rejected' : "breached ones aren't looked up"
  return rules === 'Length'
    ? okFinding(
        check,
        `new ones have at least 8 characters of any kind, as NIST SP 800-63B advises; ${breaches}`,
      )
    : okFinding(
        check,
        `new ones have at least 8 characters of two types (letters, digits, punctuation); ${breaches}`,
        'NIST SP 800-63B advises against requiring types of characters. To require only the length, set settings.passwordPolicy.rules to Length.',
      )
}

/**
 * The number of labels that every browser supports. Some browsers support no more than this (WebAuthn Level 3
 * §5.11.1).
 */
const MAX_LABELS = 5

/** Only reports problems, because passkeys are optional. */
function passkeys({ passkeys: { relatedLabels } }: Report): ReportFinding[] {
  return relatedLabels > MAX_LABELS
    ? [
        warnFinding(
          'passkeys',
          `the hosts of the tenant are below ${relatedLabels} different domain names, but browsers accept passkeys for only ${MAX_LABELS}`,
          'Use hosts below fewer domains for the tenant in HOSTS, and deploy.',
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
      "adaptive, but requests don't contain their country, so every sign-in after the first is unusual",
      'Route users to the Worker through Cloudflare, or choose another settings.secondFactor.policy.',
    )
  if (policies.includes('adaptive') && !sendsCodes)
    return warn(
      "adaptive, but we can't send codes, so we reject unusual sign-ins of users without a factor",
      'Install an email or SMS connector.',
    )
  if (policies.includes('required') && !factors.includes('totp'))
    return warn(
      `required, but users without ${factors.join(', ')} can't set up a factor that counts`,
      'Add totp to settings.secondFactor.factors.',
    )
  const advice = unavailable.map((factor) => adviceOnUnavailable[factor]).join(' ')
  const usable = factors.filter((factor) => !unavailable.includes(factor))
  if (usable.length === 0) return warn(`nobody can use ${unavailable.join(', ')}`, advice)
  return unavailable.length > 0
    ? [okFinding('second factor', `users can use ${usable.join(', ')}`, advice)]
    : []
}

/** The advice about a factor that users may choose but nobody can use. */
const adviceOnUnavailable: Record<Report['secondFactor']['factors'][number], string> = {
  totp: 'Untick authenticator apps under Settings, Security.',
  passkey:
    'Passkeys are switched off, so nobody can use one as a second factor. Turn passkeys on, or untick them under Settings, Security.',
  email:
    'There is no email connector, so nobody can use a code by email as a second factor. Install one, or untick these codes under Settings, Security.',
  phone:
    'There is no text message connector, so nobody can use a code by text message as a second factor. Install one, or untick these codes under Settings, Security.',
}

function administrators({ secondFactor: { uncoveredAdministratorRoles: roles } }: Report): ReportFinding {
  const check = 'administrators'
  return roles.length === 0
    ? okFinding(check, 'all need a second factor')
    : warnFinding(
        check,
        `users with these roles can sign in without a second factor: ${roles.map(plainRoleName).join(', ')}`,
        'Set settings.administratorsNeedSecondFactor to true, or turn it on in the console under Roles and APIs, Administrators.',
      )
}

function signIn({ signIn: { hasWayIn, problem } }: Report): ReportFinding {
  if (!hasWayIn)
    return failFinding(
      'sign-in',
      "users can't sign in, because no sign-in method has a factor that works",
      'Install a connector, or allow passwords in the experience.',
    )
  return problem
    ? warnFinding(
        'sign-in',
        `the experience breaks the rule ${problem}, for example because a connector was deleted`,
        'Change the experience, or install the missing connector.',
      )
    : okFinding('sign-in', 'users can sign in')
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
