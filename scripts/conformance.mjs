/**
 * `npm run conformance -- PLAN FILE`: runs a plan of an OpenID conformance suite against a deployment, and prints the results
 * (docs/development/conformance.md#openid). Whoever runs it has the suite: `CONFORMANCE_SERVER`, and `CONFORMANCE_TOKEN` where it asks for one.
 */
import { readFileSync } from 'node:fs'
import { planConfiguration, plans } from './conformance-plans.mjs'

/** @typedef {{ testModule: string, variant?: Record<string, string> }} Module */
/** @typedef {{ module: string, result: string, address: string }} Result */

const POLL_MS = 1000
/** The suite ends a module that waits for nothing; one that waits for a person waits as long as this. */
const POLLS = 600

/** @param {string[]} args */
export async function conformanceCommand([name = '', file = '']) {
  if (!Object.hasOwn(plans, name) || file === '') {
    console.error(`Usage: npm run conformance -- ${Object.keys(plans).join('|')} FILE`)
    return 2
  }
  const suite = {
    server: process.env.CONFORMANCE_SERVER ?? 'https://www.certification.openid.net',
    token: process.env.CONFORMANCE_TOKEN,
  }
  const deployment = JSON.parse(readFileSync(file, 'utf8'))
  const run = { suite, plan: plans[/** @type {keyof typeof plans} */ (name)], deployment }
  const { lines, hasFailed } = await runPlan(run, { write: console.log, pause: nextPoll })
  console.log(lines.join('\n'))
  return hasFailed ? 1 : 0
}

const nextPoll = () => new Promise((resolve) => setTimeout(resolve, POLL_MS))

/**
 * One module after another: they share the alias, and so the redirect URI.
 *
 * @param {{ suite: Suite, plan: { name: string, variant: Record<string, string> }, deployment: import('./conformance-plans.mjs').Deployment }} run
 * @param {{ write: (line: string) => void, pause: () => Promise<unknown> }} terminal
 */
export async function runPlan({ suite, plan, deployment }, terminal) {
  const call = callsOf(suite)
  const query = {
    planName: plan.name,
    ...(Object.keys(plan.variant).length > 0 && { variant: plan.variant }),
  }
  /** @type {{ id: string, modules: Module[] }} */
  const { id, modules } = await call('POST', 'api/plan', query, planConfiguration(deployment))
  terminal.write(`${suite.server}/plan-detail.html?plan=${id}`)
  /** @type {Result[]} */
  const results = []
  for (const { testModule, variant = {} } of modules) {
    /** @type {{ id: string }} */
    const test = await call('POST', 'api/runner', { test: testModule, plan: id, variant })
    const address = `${suite.server}/log-detail.html?log=${test.id}`
    const result = await untilEnded(call, test.id, terminal)
    terminal.write(`${result} ${testModule}`)
    results.push({ module: testModule, result, address })
  }
  return { lines: tableOf(results), hasFailed: results.some(({ result }) => !HARMLESS.includes(result)) }
}

/** Warnings and pictures that a person has to look at are not failures. */
const HARMLESS = ['PASSED', 'WARNING', 'REVIEW', 'SKIPPED']

/**
 * @param {Call} call
 * @param {string} id
 * @param {Parameters<typeof runPlan>[1]} terminal
 */
async function untilEnded(call, id, { write, pause }) {
  const printed = new Set()
  for (let poll = 0; poll < POLLS; poll++) {
    /** @type {{ status: string, result?: string | null }} */
    const { status, result } = await call('GET', `api/info/${id}`)
    if (status === 'FINISHED') return result ?? 'UNKNOWN'
    if (status === 'INTERRUPTED') return 'INTERRUPTED'
    if (status === 'CONFIGURED') await call('POST', `api/runner/${id}`)
    if (status === 'WAITING')
      for (const address of await unvisited(call, id, printed)) write(`Open ${address}`)
    await pause()
  }
  return 'UNKNOWN'
}

/**
 * What the browser of the suite has not opened waits for a person.
 *
 * @param {Call} call
 * @param {string} id
 * @param {Set<string>} printed
 * @returns {Promise<string[]>}
 */
async function unvisited(call, id, printed) {
  /** @type {{ urls?: string[], visited?: string[] }} */
  const { urls = [], visited = [] } = await call('GET', `api/runner/browser/${id}`)
  const open = urls.filter((address) => !visited.includes(address) && !printed.has(address))
  for (const address of open) printed.add(address)
  return open
}

/** @param {Result[]} results */
const tableOf = (results) => [
  '| Module | Result |',
  '| --- | --- |',
  ...results.map(({ module, result, address }) => `| [${module}](${address}) | ${result} |`),
]

/** @typedef {{ server: string, token?: string | undefined }} Suite */
/** @typedef {(method: string, path: string, query?: Record<string, string | object>, body?: object) => Promise<any>} Call */

/** @param {Suite} suite @returns {Call} */
function callsOf({ server, token }) {
  return async (method, path, query = {}, body) => {
    const url = new URL(path, `${server}/`)
    for (const [key, value] of Object.entries(query))
      url.searchParams.set(key, typeof value === 'string' ? value : JSON.stringify(value))
    const answer = await fetch(url, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${url.pathname}: ${answer.status} ${text.slice(0, 500)}`)
    return text === '' ? {} : JSON.parse(text)
  }
}
