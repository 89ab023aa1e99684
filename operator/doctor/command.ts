import { z } from 'zod'
import { ConnectorCheckResult } from '../../src/contract/connectors/connectors.schema.ts'
import { VERSION_HEADER } from '../../src/contract/product.ts'
import { defineCommand, deploymentOptions } from '../command.ts'
import { formatReason } from '../credential-check.ts'
import { ApiError, createDeploymentClient, type Deployment } from '../deployment.ts'
import type { Environment } from '../environment.ts'
import { CommandFailure } from '../failure.ts'
import { describeNetworkError } from '../network-fault.ts'
import { InstalledConnector, ServerReport } from '../older-servers.ts'
import { type Style, type Terminal, toPlainLine } from '../terminal.ts'
import { version } from '../version.ts'
import { checkClock, checkReport } from './checks.ts'
import { type Finding, failFinding, okFinding, type Report, unknownFinding, warnFinding } from './findings.ts'
import { checkSender, getSenderDomain } from './mail-dns.ts'

export const doctorCommand = defineCommand({
  summary:
    'Check a deployment: bindings, secrets, migrations, connectors and their credentials, clock and mail',
  options: deploymentOptions,
  notes: "The exit code is 1 if a check fails. Warnings don't change it.",
  async run({ values, terminal, environment }) {
    const deployment = createDeploymentClient(values, environment)
    terminal.status(`Checking ${deployment.origin}…`)
    const findings = await checkDeployment(deployment, environment)
    terminal.clearStatus()
    for (const finding of findings) show(finding, terminal)
    terminal.printJson({ origin: deployment.origin, findings })
    return findings.some(({ state }) => state === 'fail') ? 1 : 0
  },
})

/**
 * Checks first whether the deployment responds, then the credentials, then the server's own report. If one step fails,
 * the next ones are skipped.
 */
async function checkDeployment(deployment: Deployment, environment: Environment): Promise<Finding[]> {
  const { findings: reachability, isOlder } = await checkReachable(deployment, environment)
  if (reachability.some(({ state }) => state === 'fail')) return reachability

  const credentialFinding = await checkCredentials(deployment, isOlder)
  if (credentialFinding.state === 'fail') return [...reachability, credentialFinding]

  const sentAt = environment.now()
  const report = await fetchReport(deployment)
  const receivedAt = environment.now()
  if ('check' in report) return [...reachability, credentialFinding, report]
  return [
    ...reachability,
    credentialFinding,
    checkClock(report.serverTime, receivedAt, receivedAt - sentAt),
    ...checkReport(report, deployment),
    ...(await connectors(deployment, environment)),
  ]
}

const TIMEOUT = 10_000 // ms

/** `isOlder` is true if the server runs an older version than this clone. */
type Reachability = { findings: Finding[]; isOlder: boolean }

async function checkReachable({ origin }: Deployment, { fetch, now }: Environment): Promise<Reachability> {
  const check = 'reachable'
  const failed = (says: string, todo: string) => ({
    findings: [failFinding(check, says, todo)],
    isOlder: false,
  })
  const startedAt = now()
  try {
    const response = await fetch(`${origin}/api/status`, { signal: AbortSignal.timeout(TIMEOUT) })
    const respondedAt = now()
    if (response.status === 404)
      return failed(
        `${origin} responded with 404`,
        'Check that its host is in HOSTS and that Vestibule runs there.',
      )
    if (response.status !== 204)
      return failed(
        `${origin} responded with ${response.status}`,
        `Check that ROOT_SECRET and HOSTS are set. "npx wrangler tail" shows the Worker's log.`,
      )
    const served = response.headers.get(VERSION_HEADER)
    return {
      findings: [okFinding(check, `${origin} in ${respondedAt - startedAt} ms`), checkVersion(served)],
      isOlder: served === null || compareVersions(served, version) < 0,
    }
  } catch (error) {
    const {
      cause,
      todo = 'Check that the server is running, and that the URL and its scheme (http or https) are right.',
    } = describeNetworkError(error)
    return failed(`${origin} didn't respond: ${toPlainLine(cause)}`, todo)
  }
}

/** Compares the version of the server with that of this clone. Servers before 0.2.0 don't tell theirs. */
function checkVersion(served: string | null): Finding {
  const check = 'version'
  if (served === version) return okFinding(check, version)
  const isNewer = served !== null && compareVersions(served, version) > 0
  return warnFinding(
    check,
    `the server runs ${served ?? 'a version before 0.2.0'}, but this clone is ${version}`,
    isNewer
      ? `Check out version ${served} before you deploy.`
      : 'Deploy this clone (docs/operations/upgrading.md), or check out the version of the server.',
  )
}

/** Returns a negative number if the first version is the older one, and a positive one if it is the newer one. */
const compareVersions = (first: string, second: string) =>
  first.localeCompare(second, 'en', { numeric: true })

/** @param isOlder whether the server runs an older version than this clone, perhaps after a rollback */
async function checkCredentials(deployment: Deployment, isOlder: boolean): Promise<Finding> {
  const check = 'credentials'
  try {
    await deployment.token()
    return okFinding(check, `the client "${deployment.clientId}" gets a token`)
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    const isServerFault = error instanceof ApiError && error.status >= 500
    return failFinding(
      check,
      error.message,
      isServerFault && isOlder
        ? `If you rolled back, deploy the newer version again: the older one may be unable to read what the newer one stored. "npx wrangler tail" shows the cause in the Worker's log.`
        : 'Check VESTIBULE_CLIENT_ID and VESTIBULE_CLIENT_SECRET. If the status is 500 or 503, check the database with "npx wrangler tail".',
    )
  }
}

async function fetchReport({ get }: Deployment): Promise<Report | Finding> {
  try {
    return await get('configs/doctor', ServerReport)
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    const isForbidden = error instanceof ApiError && error.status === 403
    return failFinding(
      'report',
      error.message,
      isForbidden
        ? 'Give the application the administrator role.'
        : `Check that the database is reachable. "npx wrangler tail" shows the Worker's log.`,
    )
  }
}

async function connectors(deployment: Deployment, { resolver }: Environment): Promise<Finding[]> {
  const installed = await deployment
    .get('connectors', z.array(InstalledConnector))
    .catch((error: unknown) => {
      if (error instanceof CommandFailure) return error
      throw error
    })
  // Don't throw, so that the previous findings are still shown.
  if (installed instanceof CommandFailure)
    return [unknownFinding('mail', `we couldn't check this: ${installed.message}`)]
  const senders = installed.map(({ type, connectorId, config }) => {
    const domain = type === 'Email' ? getSenderDomain(config) : null
    return domain === null ? [] : checkSender(domain, connectorId, resolver)
  })
  const [credentials, ...mail] = await Promise.all([checkAllCredentials(deployment, installed), ...senders])
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
  terminal.print(`${terminal.paint(style, mark.padEnd(5))} ${toPlainLine(`${check}: ${says}`)}`)
  if (todo) terminal.print(`      ${toPlainLine(todo)}`)
}

type Connectors = readonly z.output<typeof InstalledConnector>[]

/**
 * Asks each provider whether it accepts the credentials of its installed connector (spec/connectors#credential-check).
 */
async function checkAllCredentials(deployment: Deployment, connectors: Connectors): Promise<Finding[]> {
  const installed = connectors.filter(({ isDemo }) => !isDemo)
  return (
    await Promise.all(installed.map((connector) => checkConnectorCredentials(deployment, connector)))
  ).flat()
}

async function checkConnectorCredentials(
  { send }: Deployment,
  { id, connectorId }: Connectors[number],
): Promise<Finding[]> {
  const check = `credentials of ${connectorId}`
  try {
    const path = `connectors/${encodeURIComponent(id)}/check`
    const result = await send('post', path, {}, ConnectorCheckResult)
    const reason = formatReason(result)
    switch (result.outcome) {
      case 'accepted':
        return [okFinding(check, 'the provider accepts them')]
      case 'refused':
        return [
          failFinding(
            check,
            `the provider rejects them${reason}`,
            'Enter new ones with: npm run connect -- PROVIDER.',
          ),
        ]
      case 'unclear':
        return [unknownFinding(check, `the provider neither accepts nor rejects them${reason}`)]
      case 'unreachable':
        return [unknownFinding(check, `we couldn't reach the provider${reason}`)]
      case 'unsupported':
        return []
    }
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    return [unknownFinding(check, `we couldn't check this: ${error.message}`)]
  }
}
