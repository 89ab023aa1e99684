import type { z } from 'zod'
import type { DoctorReport } from '../../src/contract/doctor.schema.ts'
import { type Finding, fail, ok, warn } from './findings.ts'

type Report = z.output<typeof DoctorReport>

/** What the server says about itself, judged. Pure: the same report is judged the same everywhere. */
export function judgeReport(report: Report, { isLocal }: { isLocal: boolean }): Finding[] {
  return [
    isLocal ? ok('environment', report.environment) : environment(report),
    hosts(report),
    secrets(report),
    migrations(report),
    interactions(report),
    ...connectors(report),
    ...uploads(report),
    signIn(report),
  ]
}

function environment({ environment }: Report): Finding {
  return environment === 'production'
    ? ok('environment', 'production')
    : warn(
        'environment',
        'development: messages lie open in the inbox at /dev/inbox',
        'Set ENVIRONMENT to production where visitors are.',
      )
}

function hosts({ hostsConfigured, environment }: Report): Finding {
  if (hostsConfigured > 0) return ok('hosts', `HOSTS names ${hostsConfigured}`)
  return environment === 'development'
    ? ok('hosts', 'every host, as in development')
    : warn(
        'hosts',
        'HOSTS is empty: every host that leads here is an issuer, *.workers.dev included',
        'Set HOSTS in wrangler.toml and deploy.',
      )
}

function secrets({ secrets, environment }: Report): Finding {
  if (secrets.ROOT_SECRET_PREVIOUS)
    return warn(
      'secrets',
      'ROOT_SECRET_PREVIOUS still opens what the secret before sealed',
      'Remove it when a day has passed since ROOT_SECRET was replaced and all connectors were saved again.',
    )
  if (secrets.MANAGEMENT_CLIENT_SECRET && environment === 'production')
    return ok(
      'secrets',
      'ROOT_SECRET is set; MANAGEMENT_CLIENT_SECRET too, so the client "management" exists',
    )
  return ok('secrets', 'ROOT_SECRET is set')
}

function migrations({ database: { kind, migrations } }: Report): Finding {
  const check = 'migrations'
  const { expected, applied } = migrations
  if (!applied)
    return warn(
      check,
      `the ${kind} database does not say which it has`,
      'If it was set up by other means than "npm run deploy", compare it with migrations/.',
    )
  const missing = expected.filter((name) => !applied.includes(name))
  return missing.length === 0
    ? ok(check, `${kind} has all ${expected.length}`)
    : fail(
        check,
        `${kind} lacks ${missing.join(', ')}`,
        'Run "npm run deploy": it migrates before it uploads.',
      )
}

function interactions({ interactions: { isWritable } }: Report): Finding {
  return isWritable
    ? ok('kv', 'INTERACTIONS can be written')
    : fail(
        'kv',
        'INTERACTIONS cannot be written: nobody can sign in',
        "Look at the namespace, its binding, and the day's limits in Cloudflare's dashboard.",
      )
}

function connectors({ connectors, bindings, environment }: Report): Finding[] {
  if (connectors.length === 0)
    return [
      environment === 'development'
        ? ok('connectors', 'none; messages go to the development inbox')
        : warn(
            'connectors',
            'none: no codes can be sent',
            'Describe one in vestibule.config.ts and apply it.',
          ),
    ]
  return connectors.map(({ id, connectorId, problem }) => {
    const check = `connector ${id}`
    if (problem) return fail(check, `${connectorId}: ${problem}`, 'Save its configuration again.')
    if (connectorId === 'cloudflare-send-email' && !bindings.SEND_EMAIL)
      return fail(
        check,
        `${connectorId} has no binding`,
        'Add send_email as SEND_EMAIL to wrangler.toml and deploy.',
      )
    return ok(check, connectorId)
  })
}

/** Only who has set one wants to upload. */
function uploads({ uploads: { problem } }: Report): Finding[] {
  return problem
    ? [fail('uploads', problem, 'Change settings.storageProvider, or add the binding and deploy.')]
    : []
}

function signIn({ signIn: { hasWayIn, problem } }: Report): Finding {
  if (!hasWayIn)
    return fail(
      'sign-in',
      'nobody can sign in: no method has a factor that works',
      'Install a connector, or allow passwords in the experience.',
    )
  return problem
    ? warn(
        'sign-in',
        `the experience breaks the rule ${problem}, e.g. because a connector is gone`,
        'Change the experience, or install what it needs.',
      )
    : ok('sign-in', 'somebody can')
}

const TOLERATED = 5_000 // ms

/** `serverTime` and `now` in epoch milliseconds; the answer took `travel`, of which half is not the clock's fault. */
export function judgeClock(serverTime: number, now: number, travel: number): Finding {
  const apart = Math.abs(serverTime - (now - travel / 2))
  const seconds = (apart / 1000).toFixed(1)
  return apart <= TOLERATED + travel / 2
    ? ok('clock', `${seconds} s apart`)
    : warn(
        'clock',
        `${seconds} s apart from this machine`,
        'Set the clock of this machine (NTP); if it is right, that of the server: tokens live by it.',
      )
}
