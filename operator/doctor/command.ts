import { z } from 'zod'
import { ConnectorCheckResult, ConnectorSchema } from '../../src/contract/connectors/connectors.schema.ts'
import { DoctorReport } from '../../src/contract/tenants/doctor.schema.ts'
import { defineCommand, deploymentOptions } from '../command.ts'
import { formatReason } from '../credential-check.ts'
import { ApiError, type Deployment, openDeployment } from '../deployment.ts'
import type { Environment } from '../environment.ts'
import { CommandFailure } from '../failure.ts'
import { describeNetworkError } from '../network-fault.ts'
import { plainLine, type Style, type Terminal } from '../terminal.ts'
import { checkClock, checkReport } from './checks.ts'
import { type Finding, failFinding, okFinding, unknownFinding } from './findings.ts'
import { checkSender, senderDomain } from './mail-dns.ts'

export const doctorCommand = defineCommand({
  summary: 'Check a deployment: bindings, secrets, migrations, connectors and their credentials, clock, mail',
  options: deploymentOptions,
  notes: 'Exit code 1 means that a check failed; warnings alone leave it at 0.',
  async run({ values, terminal, environment }) {
    const deployment = openDeployment(values, environment)
    terminal.status(`Checking ${deployment.origin} ...`)
    const findings = await examineDeployment(deployment, environment)
    terminal.clearStatus()
    for (const finding of findings) show(finding, terminal)
    terminal.printJson({ origin: deployment.origin, findings })
    return findings.some(({ state }) => state === 'fail') ? 1 : 0
  },
})

/** First whether it answers, then the credentials, then its own report: each needs the one before. */
async function examineDeployment(deployment: Deployment, environment: Environment): Promise<Finding[]> {
  const reached = await checkReachable(deployment, environment)
  if (reached.some(({ state }) => state === 'fail')) return reached

  const admitted = await checkCredentials(deployment)
  if (admitted.state === 'fail') return [...reached, admitted]

  const sentAt = environment.now()
  const report = await fetchReport(deployment)
  const answered = environment.now()
  if ('check' in report) return [...reached, admitted, report]
  return [
    ...reached,
    admitted,
    checkClock(report.serverTime, answered, answered - sentAt),
    ...checkReport(report, deployment),
    ...(await connectors(deployment, environment)),
  ]
}

const TIMEOUT = 10_000 // ms

async function checkReachable({ origin }: Deployment, { fetch, now }: Environment): Promise<Finding[]> {
  const check = 'reachable'
  const started = now()
  try {
    const response = await fetch(`${origin}/api/status`, { signal: AbortSignal.timeout(TIMEOUT) })
    const arrived = now()
    if (response.status === 404)
      return [
        failFinding(check, `${origin} answers 404`, 'Is its host in HOSTS, and does Vestibule run there?'),
      ]
    if (response.status !== 204)
      return [
        failFinding(
          check,
          `${origin} answers ${response.status}`,
          'Are ROOT_SECRET and HOSTS set? "npx wrangler tail" shows the log of the Worker.',
        ),
      ]
    return [okFinding(check, `${origin} in ${arrived - started} ms`)]
  } catch (error) {
    const { cause, todo = 'Does it run, and is the address right, with http or https?' } =
      describeNetworkError(error)
    return [failFinding(check, `${origin} does not answer: ${plainLine(cause)}`, todo)]
  }
}

async function checkCredentials(deployment: Deployment): Promise<Finding> {
  const check = 'credentials'
  try {
    await deployment.token()
    return okFinding(check, `the client "${deployment.clientId}" gets a token`)
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    return failFinding(
      check,
      error.message,
      'Check VESTIBULE_CLIENT_ID and VESTIBULE_CLIENT_SECRET. A status of 500 or 503 means the database: "npx wrangler tail".',
    )
  }
}

async function fetchReport({ get }: Deployment): Promise<z.output<typeof DoctorReport> | Finding> {
  try {
    return await get('configs/doctor', DoctorReport)
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    const isForbidden = error instanceof ApiError && error.status === 403
    return failFinding(
      'report',
      error.message,
      isForbidden
        ? 'Give the application the role of an administrator.'
        : 'Is the database reachable? "npx wrangler tail" shows the log of the Worker.',
    )
  }
}

async function connectors(deployment: Deployment, { resolver }: Environment): Promise<Finding[]> {
  const installed = await deployment.get('connectors', z.array(ConnectorSchema)).catch((error: unknown) => {
    if (error instanceof CommandFailure) return error
    throw error
  })
  // The findings so far are still shown.
  if (installed instanceof CommandFailure)
    return [unknownFinding('mail', `could not be checked: ${installed.message}`)]
  const senders = installed.map(({ type, connectorId, config }) => {
    const domain = type === 'Email' ? senderDomain(config) : null
    return domain === null ? [] : checkSender(domain, connectorId, resolver)
  })
  const [credentials, ...mail] = await Promise.all([examineCredentials(deployment, installed), ...senders])
  return [...credentials, ...mail.flat()]
}

const marks = {
  ok: { mark: 'ok', style: 'green' },
  warn: { mark: 'warn', style: 'yellow' },
  fail: { mark: 'FAIL', style: 'red' },
  unknown: { mark: '?', style: 'dim' },
} as const satisfies Record<Finding['state'], { mark: string; style: Style }>

function show({ check, state, says, todo }: Finding, terminal: Terminal): void {
  const { mark, style } = marks[state]
  terminal.print(`${terminal.paint(style, mark.padEnd(5))} ${plainLine(`${check}: ${says}`)}`)
  if (todo) terminal.print(`      ${plainLine(todo)}`)
}

type Connectors = readonly z.output<typeof ConnectorSchema>[]

/** What each provider says of the credentials that are installed (spec/connectors#credential-check). */
async function examineCredentials(deployment: Deployment, connectors: Connectors): Promise<Finding[]> {
  const installed = connectors.filter(({ isDemo }) => !isDemo)
  return (await Promise.all(installed.map((connector) => examine(deployment, connector)))).flat()
}

async function examine({ send }: Deployment, { id, connectorId }: Connectors[number]): Promise<Finding[]> {
  const check = `credentials of ${connectorId}`
  try {
    const path = `connectors/${encodeURIComponent(id)}/check`
    const result = await send('post', path, {}, ConnectorCheckResult)
    const because = formatReason(result)
    switch (result.outcome) {
      case 'accepted':
        return [okFinding(check, 'the provider knows them')]
      case 'refused':
        return [
          failFinding(
            check,
            `the provider refuses them${because}`,
            'Enter new ones: npm run connect -- --help',
          ),
        ]
      case 'unclear':
        return [unknownFinding(check, `the provider neither accepts nor refuses them${because}`)]
      case 'unreachable':
        return [unknownFinding(check, `the provider cannot be asked${because}`)]
      case 'unsupported':
        return []
    }
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    return [unknownFinding(check, `could not be checked: ${error.message}`)]
  }
}
