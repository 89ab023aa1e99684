/**
 * `npm run conformance -- PLAN FILE` runs a plan of an OpenID conformance suite, or all of them, against a deployment
 * and prints the results (docs/development/conformance.md#openid). You need access to a suite: set
 * `CONFORMANCE_SERVER` to its URL, and `CONFORMANCE_TOKEN` if it requires a token.
 */
import { readFileSync } from 'node:fs'
import { createPlanConfiguration, missingParts, plans } from './conformance-plans.mjs'
import { serveResource } from './conformance-resource.mjs'

/** @typedef {import('./conformance-plans.mjs').Deployment} Deployment */
/** @typedef {import('./conformance-plans.mjs').Plan} Plan */
/** @typedef {{ testModule: string, variant?: Record<string, string> }} Module */
/** @typedef {{ module: string, result: string, url: string }} Result */

const POLL_MS = 1000
/**
 * The number of polls after which we give up on a module. The suite stops modules that are stuck, but not modules that
 * wait for a person.
 */
const MAX_POLLS = 600
/**
 * The number of polls after which a module that waits for a picture, and whose browser does nothing, is left to a
 * person. It is longer than any step of the browser.
 */
const IDLE_POLLS = 20

/** @param {string[]} args */
export async function conformanceCommand([name = '', file = '']) {
  if (!(name === 'all' || Object.hasOwn(plans, name)) || file === '') {
    console.error(`Usage: npm run conformance -- all|${Object.keys(plans).join('|')} FILE`)
    return 2
  }
  const suite = {
    server: process.env.CONFORMANCE_SERVER ?? 'https://www.certification.openid.net',
    token: process.env.CONFORMANCE_TOKEN,
  }
  /** @type {Deployment} */
  const deployment = JSON.parse(readFileSync(file, 'utf8'))
  const names = name === 'all' ? Object.keys(plans) : [name]
  return runPlans(names, { suite, deployment }, { write: console.log, pause: nextPoll })
}

const nextPoll = () => new Promise((resolve) => setTimeout(resolve, POLL_MS))

/**
 * Runs plans and prints a table for each. A plan that the file lacks something for is left out if there are others. The
 * last line then names both, and the exit code is not 0, so that nobody takes some of the plans for all of them.
 *
 * @param {readonly string[]} names
 * @param {{ suite: Suite, deployment: Deployment }} target
 * @param {Terminal} terminal
 * @returns {Promise<number>} the exit code
 */
export async function runPlans(names, { suite, deployment }, terminal) {
  const lacking = names.filter((name) => missingParts(planNamed(name), deployment).length > 0)
  for (const name of lacking)
    terminal.write(
      `${name} cannot run: the file has no ${missingParts(planNamed(name), deployment).join(', ')}.`,
    )
  const complete = names.filter((name) => !lacking.includes(name))
  if (complete.length === 0) return 2

  const resource = await serveResource(deployment)
  let hasFailed = false
  try {
    for (const name of complete) {
      terminal.write(`\n${name}`)
      const ended = await runPlan({ suite, plan: planNamed(name), deployment }, terminal)
      terminal.write(ended.lines.join('\n'))
      hasFailed ||= ended.hasFailed
    }
  } finally {
    resource.close()
  }
  if (lacking.length > 0) terminal.write(`\nRun: ${complete.join(', ')}. Left out: ${lacking.join(', ')}.`)
  if (hasFailed) return 1
  return lacking.length > 0 ? 2 : 0
}

/** @param {string} name @returns {Plan} */
const planNamed = (name) => plans[/** @type {keyof typeof plans} */ (name)]

/** @typedef {{ write: (line: string) => void, pause: () => Promise<unknown> }} Terminal */

/**
 * Runs the modules one after another, because they share the alias and therefore the redirect URI.
 *
 * @param {{ suite: Suite, plan: Plan, deployment: Deployment }} run
 * @param {Terminal} terminal
 */
export async function runPlan({ suite, plan, deployment }, terminal) {
  const call = apiClient(suite)
  const query = {
    planName: plan.name,
    ...(Object.keys(plan.variant).length > 0 && { variant: plan.variant }),
  }
  const configuration = createPlanConfiguration(plan, deployment, suite.server)
  /** @type {{ id: string, modules: Module[] }} */
  const { id, modules } = await call('POST', 'api/plan', query, configuration)
  terminal.write(`${suite.server}/plan-detail.html?plan=${id}`)
  /** @type {Result[]} */
  const results = []
  for (const { testModule, variant = {} } of modules) {
    /** @type {{ id: string }} */
    const test = await call('POST', 'api/runner', { test: testModule, plan: id, variant })
    const url = `${suite.server}/log-detail.html?log=${test.id}`
    const { result, pictures = [] } = await waitForEnd(call, test.id, terminal)
    terminal.write(`${result} ${testModule}`)
    for (const picture of pictures) terminal.write(`  Upload a picture at ${url}: ${picture}`)
    results.push({ module: testModule, result, url })
  }
  return { lines: resultTable(results), hasFailed: results.some(({ result }) => !HARMLESS.includes(result)) }
}

/** Warnings, and screenshots that a person has to review, are not failures. */
const HARMLESS = ['PASSED', 'WARNING', 'REVIEW', 'SKIPPED']

/**
 * @param {Call} call
 * @param {string} id
 * @param {Terminal} terminal
 * @returns {Promise<{ result: string, pictures?: string[] }>} `pictures` are the ones that a person has to upload
 */
async function waitForEnd(call, id, { write, pause }) {
  const printed = new Set()
  let idlePolls = 0
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    /** @type {{ status: string, result?: string | null }} */
    const { status, result } = await call('GET', `api/info/${id}`)
    if (status === 'FINISHED') return { result: result ?? 'UNKNOWN' }
    if (status === 'INTERRUPTED') return { result: 'INTERRUPTED' }
    if (status === 'CONFIGURED') await call('POST', `api/runner/${id}`)
    idlePolls = status === 'WAITING' && (await isIdle(call, id, { write, printed })) ? idlePolls + 1 : 0
    if (idlePolls >= IDLE_POLLS) {
      const pictures = await listMissingPictures(call, id)
      // The next module takes over the alias and thereby ends this one. Its pictures can still be uploaded.
      if (pictures.length > 0) return { result: 'REVIEW', pictures }
    }
    await pause()
  }
  return { result: 'UNKNOWN' }
}

/**
 * Reports whether the suite's browser has nothing left to do. Prints the URLs that a person has to open, because the
 * browser has no tasks for them.
 *
 * @param {Call} call
 * @param {string} id
 * @param {{ write: Terminal['write'], printed: Set<string> }} terminal
 * @returns {Promise<boolean>}
 */
async function isIdle(call, id, { write, printed }) {
  /** @type {{ urls?: string[], visited?: string[], runners?: object[] }} */
  const { urls = [], visited = [], runners = [] } = await call('GET', `api/runner/browser/${id}`)
  const unopened = urls.filter((url) => !visited.includes(url))
  for (const url of unopened.filter((each) => !printed.has(each))) {
    write(`Open ${url}`)
    printed.add(url)
  }
  return unopened.length + runners.length === 0
}

/**
 * Returns what the pictures have to show that the module still waits for, each with the page that was opened last.
 *
 * @param {Call} call
 * @param {string} id
 * @returns {Promise<string[]>}
 */
async function listMissingPictures(call, id) {
  /** @type {{ upload?: string, msg?: string }[]} */
  const entries = await call('GET', `api/log/${id}`)
  /** @type {{ visited?: string[] }} */
  const { visited = [] } = await call('GET', `api/runner/browser/${id}`)
  const missing = entries.filter(({ upload }) => upload !== undefined)
  return missing.map(({ msg = 'a page' }) => [msg, visited.at(-1)].filter(Boolean).join(' '))
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
