import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Locator, Page } from 'playwright'
import { certificate } from '../../kit/certificate.ts'

/**
 * A stand-in for the OpenID Foundation's conformance suite, which we cannot ship: its API, its pages, and the way in
 * which its browser follows the configuration of a plan. Modules are functions of the test.
 */

export type Commands = readonly (readonly (string | number)[])[]
type Task = { task: string; match?: string; optional?: boolean; commands?: Commands }
type Automation = { match: string; 'match-limit'?: number; tasks: Task[] }
export type PlanConfiguration = {
  alias: string
  server: { discoveryUrl: string }
  client: SuiteClient
  client2: SuiteClient
  resource: { resourceUrl: string }
  browser: Automation[]
  override?: Record<string, { browser: Automation[] }>
}
export type SuiteClient = {
  client_id: string
  client_secret?: string
  scope: string
  jwks?: { keys: JsonWebKey[] }
}

/** The actions of a module. */
export type Run = {
  config: PlanConfiguration
  redirectUri: string
  /** Lets the browser open a URL. With the text of a placeholder, the module needs a picture of a page. */
  visit(url: string | URL, placeholder?: string): Promise<void>
  /** Returns the URL with which the browser has come back. */
  callback(): URL
}
type Module = (run: Run) => Promise<void>
/** The modules of each plan, by the variant that tells plans of the same name apart. */
export type Modules = (plan: string, variant: Record<string, string>) => Record<string, Module>

type Test = {
  status: 'WAITING' | 'FINISHED'
  result: string | null
  problem: string
  visited: string[]
  runners: { url: string }[]
  log: { msg: string; result: 'REVIEW'; upload?: string }[]
}

export type Suite = {
  /** The URL of the API. */
  server: string
  /** The URL of the suite in its redirect URIs. */
  address: string
  /** The reasons why modules failed, and what its browser did on which page. */
  problems: string[]
  steps: string[]
  close(): void
}

/** A browser that the suite can use, how it clicks, and how it finds out whether an optional element is there. */
export type Browser = {
  page: Page
  click(element: Locator): Promise<void>
  has(element: Locator): Promise<boolean>
}

export async function openSuite(browser: Browser, modulesOf: Modules): Promise<Suite> {
  const { page } = browser
  const plans = new Map<string, { config: PlanConfiguration; modules: Record<string, Module> }>()
  const tests = new Map<string, Test>()
  const problems: string[] = []
  const steps: string[] = []
  /** The requests to the suite's redirect URIs. */
  const callbacks: URL[] = []

  const pages = createSecureServer(certificate, async (request, response) => {
    const url = new URL(request.url ?? '', address())
    const form = new URLSearchParams(await text(request))
    for (const [name, value] of form) url.searchParams.append(name, value)
    if (/\/(?:callback|post_logout_redirect)$/.test(url.pathname)) callbacks.push(url)
    response.setHeader('content-type', 'text/html')
    response.end(
      '<!doctype html><link rel="icon" href="data:,"><title>Suite</title><p id="submission_complete">Done',
    )
  })
  const api = createServer(async (request, response) => {
    const body = await respond(
      request.method ?? '',
      new URL(request.url ?? '', server()),
      await text(request),
    )
    response
      .writeHead(body ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(body ?? {}))
  })
  await Promise.all([pages, api].map((each) => new Promise<void>((resolve) => each.listen(0, resolve))))
  const portOf = (each: typeof api | typeof pages) => (each.address() as AddressInfo).port
  const address = () => `https://suite.example.test:${portOf(pages)}`
  const server = () => `http://localhost:${portOf(api)}`

  async function respond(method: string, { pathname, searchParams }: URL, body: string) {
    const [, , kind = '', ...rest] = pathname.split('/')
    const test = tests.get(rest.at(-1) ?? '')
    if (kind === 'plan') {
      const id = `plan-${plans.size}`
      const variant = JSON.parse(searchParams.get('variant') ?? '{}')
      const modules = modulesOf(searchParams.get('planName') ?? '', variant)
      plans.set(id, { config: JSON.parse(body), modules })
      return { id, modules: Object.keys(modules).map((testModule) => ({ testModule })) }
    }
    if (kind === 'runner' && rest.length === 0) {
      const name = searchParams.get('test') ?? ''
      return { id: start(name, searchParams.get('plan') ?? '') }
    }
    if (!test) return null
    if (kind === 'info') return { status: test.status, result: test.result }
    if (kind === 'log') return test.log
    return method === 'GET' ? { urls: [], visited: test.visited, runners: test.runners } : {}
  }

  function start(name: string, plan: string): string {
    const { config, modules } = plans.get(plan) ?? {}
    const id = `test-${tests.size}`
    const test: Test = { status: 'WAITING', result: null, problem: '', visited: [], runners: [], log: [] }
    tests.set(id, test)
    callbacks.length = 0
    void run().then(
      () => end(test.log.length > 0 ? 'REVIEW' : 'PASSED'),
      (error: unknown) => {
        problems.push(
          `${name}: ${error instanceof Error ? `${error.message} ${error.stack}` : String(error)}`,
        )
        end('FAILED')
      },
    )
    return id

    async function run(): Promise<void> {
      const module = modules?.[name]
      if (!config || !module) throw new Error('unknown module')
      await page.context().clearCookies()
      const automation = structuredClone(config.override?.[name]?.browser ?? config.browser)
      await module({
        config,
        redirectUri: `${address()}/test/a/${config.alias}/callback`,
        callback() {
          const last = callbacks.at(-1)
          if (!last) throw new Error(`the browser has not come back, but is at ${page.url()}`)
          return last
        },
        async visit(url, placeholder) {
          const entry = placeholder
            ? { msg: placeholder, result: 'REVIEW' as const, upload: 'id' }
            : undefined
          if (entry) test.log.push(entry)
          test.runners.push({ url: String(url) })
          await followAutomation(browser, automation, {
            url: String(url),
            onPicture: () => entry && Reflect.deleteProperty(entry, 'upload'),
            onStep: (step) => steps.push(`${name}: ${step}`),
          })
          test.runners.pop()
          test.visited.push(String(url))
          if (entry && 'upload' in entry) throw new Error(`the browser sent no picture: ${placeholder}`)
        },
      })
    }

    function end(result: string): void {
      Object.assign(test, { status: 'FINISHED', result, runners: [] })
    }
  }

  return {
    server: server(),
    address: address(),
    problems,
    steps,
    close() {
      for (const each of [api, pages]) {
        each.closeAllConnections()
        each.close()
      }
    },
  }
}

/** Does what the suite's browser does: the first automation whose pattern matches the URL, task by task. */
async function followAutomation(
  browser: Browser,
  automation: Automation[],
  { url, onPicture, onStep }: { url: string; onPicture(): void; onStep(step: string): void },
): Promise<void> {
  const { page } = browser
  const chosen = automation.find((each) => matches(each.match, url) && each['match-limit'] !== 0)
  if (!chosen) throw new Error(`a person would have to open ${url}`)
  if (chosen['match-limit']) chosen['match-limit'] -= 1
  await page.goto(url)
  for (const { task, match = '*', optional, commands = [] } of chosen.tasks) {
    if (!matches(match, page.url())) {
      if (!optional) throw new Error(`${task}: unexpected URL ${page.url()}`)
      continue
    }
    await page.waitForLoadState()
    for (const command of commands) {
      onStep(`${task}: ${command.slice(0, 3).join(' ')}`)
      await follow(browser, command, onPicture)
    }
  }
}

/** Matches like `PatternMatchUtils.simpleMatch` of Spring: `*` is the only wildcard. */
function matches(pattern: string, url: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(url)
}

const selectors: Record<string, (value: string) => string> = {
  id: (value) => `#${value}`,
  name: (value) => `[name='${value}']`,
  css: (value) => value,
  xpath: (value) => `xpath=${value}`,
  class: (value) => `.${value}`,
}

async function follow(
  { page, click, has }: Browser,
  command: Commands[number],
  onPicture: () => void,
): Promise<void> {
  const [name, kind = '', target = '', value = '', ...more] = command.map(String)
  const element = page.locator(selectors[kind]?.(target) ?? '').first()
  switch (name) {
    case 'click': {
      // The suite ignores every failure of an optional click, for example because the page went on by itself.
      const clicked = click(element)
      return value === 'optional' ? clicked.catch(() => undefined) : clicked
    }
    case 'text': {
      if (more[0] === 'optional' && !(await has(element))) return
      return element.fill(value)
    }
    case 'wait': {
      const timeout = Number(value) * 1000
      if (kind === 'match') return page.waitForURL(new RegExp(target), { timeout })
      await element.waitFor({ state: 'attached', timeout })
      const [pattern = '', action] = more
      if (!new RegExp(pattern, 's').test((await element.textContent()) ?? ''))
        throw new Error(`${target} does not contain ${pattern}`)
      if (action === 'update-image-placeholder-optional') onPicture()
      return
    }
    default:
      throw new Error(`the stand-in does not know ${name}`)
  }
}
