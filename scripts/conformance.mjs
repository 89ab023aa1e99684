/**
 * `npm run conformance -- PLAN FILE` runs a plan of an OpenID conformance suite against a deployment and prints the
 * results (docs/development/conformance.md#openid). You need access to a suite: set `CONFORMANCE_SERVER` to its URL,
 * and `CONFORMANCE_TOKEN` if it requires a token.
 */
import { readFileSync } from 'node:fs'
import { createPlanConfiguration, plans } from './conformance-plans.mjs'

/** @typedef {{ testModule: string, variant?: Record<string, string> }} Module */
/** @typedef {{ module: string, result: string, url: string }} Result */

const POLL_MS = 1000
/**
 * The number of polls after which we give up on a module. The suite stops modules that are stuck, but not modules that
 * wait for a person.
 */
const MAX_POLLS = 600

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
 * Runs the modules one after another, because they share the alias and therefore the redirect URI.
 *
 * @param {{ suite: Suite, plan: { name: string, variant: Record<string, string> }, deployment: import('./conformance-plans.mjs').Deployment }} run
 * @param {{ write: (line: string) => void, pause: () => Promise<unknown> }} terminal
 */
export async function runPlan({ suite, plan, deployment }, terminal) {
  const call = apiClient(suite)
  const query = {
    planName: plan.name,
    ...(Object.keys(plan.variant).length > 0 && { variant: plan.variant }),
  }
  /** @type {{ id: string, modules: Module[] }} */
  const { id, modules } = await call('POST', 'api/plan', query, createPlanConfiguration(deployment))
  terminal.write(`${suite.server}/plan-detail.html?plan=${id}`)
  /** @type {Result[]} */
  const results = []
  for (const { testModule, variant = {} } of modules) {
    /** @type {{ id: string }} */
    const test = await call('POST', 'api/runner', { test: testModule, plan: id, variant })
    const url = `${suite.server}/log-detail.html?log=${test.id}`
    const result = await waitForEnd(call, test.id, terminal)
    terminal.write(`${result} ${testModule}`)
    results.push({ module: testModule, result, url })
  }
  return { lines: resultTable(results), hasFailed: results.some(({ result }) => !HARMLESS.includes(result)) }
}

/** Warnings, and screenshots that a person has to review, are not failures. */
const HARMLESS = ['PASSED', 'WARNING', 'REVIEW', 'SKIPPED']

/**
 * @param {Call} call
 * @param {string} id
 * @param {Parameters<typeof runPlan>[1]} terminal
 */
async function waitForEnd(call, id, { write, pause }) {
  const printed = new Set()
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    /** @type {{ status: string, result?: string | null }} */
    const { status, result } = await call('GET', `api/info/${id}`)
    if (status === 'FINISHED') return result ?? 'UNKNOWN'
    if (status === 'INTERRUPTED') return 'INTERRUPTED'
    if (status === 'CONFIGURED') await call('POST', `api/runner/${id}`)
    if (status === 'WAITING') for (const url of await listUnvisited(call, id, printed)) write(`Open ${url}`)
    await pause()
  }
  return 'UNKNOWN'
}

/**
 * Returns the URLs that a person has to open, because the suite's browser has not opened them.
 *
 * @param {Call} call
 * @param {string} id
 * @param {Set<string>} printed
 * @returns {Promise<string[]>}
 */
async function listUnvisited(call, id, printed) {
  /** @type {{ urls?: string[], visited?: string[] }} */
  const { urls = [], visited = [] } = await call('GET', `api/runner/browser/${id}`)
  const unopened = urls.filter((url) => !visited.includes(url) && !printed.has(url))
  for (const url of unopened) printed.add(url)
  return unopened
}

/** @param {Result[]} results */
const resultTable = (results) => [
  '| Module | Result |',
  '| --- | --- |',
  ...results.map(({ module, result, url }) => `| [${module}](${url}) | ${result} |`),
]

/** @typedef {{ server: string, token?: string | undefined }} Suite */
/** @typedef {(method: string, path: string, query?: Record<string, string | object>, body?: object) => Promise<any>} Call */

/** @param {Suite} suite @returns {Call} */
function apiClient({ server, token }) {
  return async (method, path, query = {}, body) => {
    const url = new URL(path, `${server}/`)
    for (const [key, value] of Object.entries(query))
      url.searchParams.set(key, typeof value === 'string' ? value : JSON.stringify(value))
    const response = await fetch(url, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${url.pathname}: ${response.status} ${text.slice(0, 500)}`)
    return text === '' ? {} : JSON.parse(text)
  }
}
