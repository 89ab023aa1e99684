import { z } from 'zod'
import { Connector } from '../../src/contract/connectors.schema.ts'
import { DoctorReport } from '../../src/contract/doctor.schema.ts'
import { command, deploymentOptions } from '../command.ts'
import { causeOf, type Deployment, openDeployment, Refusal } from '../deployment.ts'
import type { Environment } from '../environment.ts'
import { Failure } from '../failure.ts'
import { plain, type Style, type Terminal } from '../terminal.ts'
import { type Finding, fail, ok, unknown } from './findings.ts'
import { judgeClock, judgeReport } from './judge.ts'
import { examineSender, senderDomain } from './mail-dns.ts'

export const doctorCommand = command({
  summary: 'Look whether a deployment is well: bindings, secrets, migrations, connectors, clock, mail',
  options: deploymentOptions,
  notes: 'Exit code 1 means that something failed; warnings alone leave it at 0.',
  async run({ values, terminal, environment }) {
    const deployment = openDeployment(values, environment)
    terminal.status(`Examining ${deployment.origin} ...`)
    const findings = await examine(deployment, environment)
    terminal.clearStatus()
    for (const finding of findings) show(finding, terminal)
    terminal.answer({ origin: deployment.origin, findings })
    return findings.some(({ state }) => state === 'fail') ? 1 : 0
  },
})

/** From the outside in: what does not answer cannot be asked about itself. */
async function examine(deployment: Deployment, environment: Environment): Promise<Finding[]> {
  const reached = await reach(deployment, environment)
  if (reached.some(({ state }) => state === 'fail')) return reached

  const admitted = await admit(deployment)
  if (admitted.state === 'fail') return [...reached, admitted]

  const asked = environment.now()
  const report = await askItself(deployment)
  const answered = environment.now()
  if ('check' in report) return [...reached, admitted, report]
  return [
    ...reached,
    admitted,
    judgeClock(report.serverTime, answered, answered - asked),
    ...judgeReport(report, deployment),
    ...(await mail(deployment, environment)),
  ]
}

const PATIENCE = 10_000 // ms

async function reach({ origin }: Deployment, { fetch, now }: Environment): Promise<Finding[]> {
  const check = 'reachable'
  const started = now()
  try {
    const response = await fetch(`${origin}/api/status`, { signal: AbortSignal.timeout(PATIENCE) })
    const arrived = now()
    if (response.status === 404)
      return [fail(check, `${origin} answers 404`, 'Is its host named in HOSTS, and is it a Vestibule?')]
    if (response.status !== 204)
      return [
        fail(
          check,
          `${origin} answers ${response.status}`,
          'Is ROOT_SECRET set? "npx wrangler tail" shows what the Worker says.',
        ),
      ]
    return [ok(check, `${origin} in ${arrived - started} ms`)]
  } catch (error) {
    return [
      fail(
        check,
        `${origin} does not answer: ${plain(causeOf(error))}`,
        'Is it running, and is the address right?',
      ),
    ]
  }
}

async function admit(deployment: Deployment): Promise<Finding> {
  const check = 'credentials'
  try {
    await deployment.token()
    return ok(check, `the client "${deployment.clientId}" gets a token`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return fail(
      check,
      error.message,
      'Look at VESTIBULE_CLIENT_ID and VESTIBULE_CLIENT_SECRET. An answer of 500 or 503 means the database: "npx wrangler tail".',
    )
  }
}

async function askItself({ get }: Deployment): Promise<z.output<typeof DoctorReport> | Finding> {
  try {
    return await get('configs/doctor', DoctorReport)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const isForbidden = error instanceof Refusal && error.status === 403
    return fail(
      'report',
      error.message,
      isForbidden
        ? 'Give the application the role of an administrator.'
        : 'Is the database reachable? "npx wrangler tail" shows what the Worker says.',
    )
  }
}

async function mail({ get }: Deployment, { resolver }: Environment): Promise<Finding[]> {
  const connectors = await get('connectors', z.array(Connector)).catch((error: unknown) => {
    if (error instanceof Failure) return error
    throw error
  })
  // What was found out until here is worth saying.
  if (connectors instanceof Failure) return [unknown('mail', `could not be checked: ${connectors.message}`)]
  const findings = connectors.map(({ type, connectorId, config }) => {
    const domain = type === 'Email' ? senderDomain(config) : null
    return domain === null ? [] : examineSender(domain, connectorId, resolver)
  })
  return (await Promise.all(findings)).flat()
}

const marks = {
  ok: { mark: 'ok', style: 'green' },
  warn: { mark: 'warn', style: 'yellow' },
  fail: { mark: 'FAIL', style: 'red' },
  unknown: { mark: '?', style: 'dim' },
} as const satisfies Record<Finding['state'], { mark: string; style: Style }>

function show({ check, state, says, todo }: Finding, terminal: Terminal): void {
  const { mark, style } = marks[state]
  terminal.say(`${terminal.paint(style, mark.padEnd(5))} ${plain(`${check}: ${says}`)}`)
  if (todo) terminal.say(`      ${plain(todo)}`)
}
