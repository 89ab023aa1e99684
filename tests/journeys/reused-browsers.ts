import type { BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright'

/**
 * Passes browser contexts from test to test, because a new context needs a process and has a cold cache,
 * which costs a third of the time of most tests. Between tests, cookies, storage, routes, listeners and other
 * tabs are removed. A context is closed after its test if a change cannot be reverted, such as a script for
 * every page.
 */

export type UserAgent = {
  context: BrowserContext
  page: Page
  /** The errors and warnings that pages, scripts and policies log to the console. */
  complaints: string[]
}

const idle = new Map<string, UserAgent[]>()

/** A device that a browser has in addition to its options. The device is kept from test to test. */
export type Device = {
  name: string
  prepare(client: UserAgent): Promise<void>
  /** Restores the prepared state after a test. */
  restore(client: UserAgent): Promise<void>
}

const keyOf = (options: BrowserContextOptions, device?: Device) =>
  `${device?.name ?? ''} ${JSON.stringify(options)}`

export const takeReusable = (options: BrowserContextOptions, device?: Device) =>
  idle.get(keyOf(options, device))?.pop()

/** Makes the current state the one that is restored after a test. */
export const forgetChanges = ({ context }: UserAgent) => changed.delete(context)

/** The number of pages after which a browser is closed, because its process grows with every page. */
const MAX_USES = 30
const uses = new WeakMap<BrowserContext, number>()
const changed = new WeakSet<BrowserContext>()
/** The origins whose storage a page may have used. */
const visited = new WeakMap<BrowserContext, Set<string>>()

const forGood = {
  context: [
    ...['addInitScript', 'exposeFunction', 'exposeBinding', 'newCDPSession', 'setOffline'],
    ...['setExtraHTTPHeaders', 'setGeolocation', 'grantPermissions'],
  ],
  page: ['addInitScript', 'exposeFunction', 'exposeBinding', 'setExtraHTTPHeaders', 'setDefaultTimeout'],
  clock: ['install', 'setFixedTime', 'setSystemTime', 'pauseAt', 'fastForward', 'runFor'],
}

export function watchForChanges({ context, page }: UserAgent): void {
  const watched = { context, page, clock: page.clock }
  for (const [part, names] of Object.entries(forGood)) {
    const target = watched[part as keyof typeof forGood]
    for (const name of names) {
      const method: (...values: unknown[]) => unknown = Reflect.get(target, name)
      Reflect.set(target, name, (...values: unknown[]) => {
        changed.add(context)
        return method.apply(target, values)
      })
    }
  }
  const origins = new Set<string>()
  visited.set(context, origins)
  watchOrigins(page, origins)
}

/** Opens a DevTools session that leaves no trace in the page, so that its context can be reused. */
export async function unwatchedSession(page: Page): Promise<CDPSession> {
  const context = page.context()
  const isChanged = changed.has(context)
  const session = await context.newCDPSession(page)
  if (!isChanged) changed.delete(context)
  return session
}

function watchOrigins(page: Page, origins: Set<string>): void {
  page.on('framenavigated', (frame) => {
    const { protocol, origin } = new URL(frame.url())
    if (protocol.startsWith('http')) origins.add(origin)
  })
}

/** Makes a browser available to other tests at the end of its test. */
export async function giveBack(
  client: UserAgent,
  {
    options,
    device,
    hasPassed,
  }: { options: BrowserContextOptions; device: Device | undefined; hasPassed: boolean },
): Promise<void> {
  const { context, page } = client
  const used = (uses.get(context) ?? 0) + 1
  uses.set(context, used)
  const isReusable = hasPassed && used < MAX_USES && !changed.has(context) && !page.isClosed()
  const isEmptied = isReusable && (await emptied(client, options).catch(() => false))
  if (!isEmptied) return context.close()
  await device?.restore(client)
  const key = keyOf(options, device)
  idle.set(key, [...(idle.get(key) ?? []), client])
}

async function emptied(client: UserAgent, { viewport, colorScheme, reducedMotion }: BrowserContextOptions) {
  const { context, page, complaints } = client
  const origins = visited.get(context) ?? new Set()
  for (const other of context.pages()) if (other !== page) await other.close()
  for (const event of ['request', 'response', 'requestfailed', 'requestfinished', 'page', 'console'] as const)
    context.removeAllListeners(event)
  context.removeAllListeners('weberror')
  for (const event of ['request', 'response', 'requestfailed', 'requestfinished', 'framenavigated'] as const)
    page.removeAllListeners(event)
  for (const event of ['dialog', 'popup', 'console', 'pageerror', 'websocket'] as const)
    page.removeAllListeners(event)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.clearCookies()
  if (viewport) await page.setViewportSize(viewport)
  await page.emulateMedia({
    media: null,
    colorScheme: colorScheme ?? 'light',
    reducedMotion: reducedMotion ?? 'reduce',
  })

  const current = new URL(page.url()).origin
  await emptyStorage(page)
  const others = [...origins].filter((origin) => origin !== current && origin.includes('.vestibule.test'))
  if (others.length > 0) {
    await page.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
    for (const origin of others) {
      await page.goto(origin)
      await emptyStorage(page)
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
  await page.goto('about:blank')
  await context.clearCookies()
  complaints.length = 0
  origins.clear()
  watchOrigins(page, origins)
  listenForComplaints(client)
  return true
}

const emptyStorage = (page: Page) =>
  page.evaluate(() => {
    sessionStorage.clear()
    localStorage.clear()
  })

/** Listens to the console. This is called again after all listeners of a test have been removed. */
export function listenForComplaints({ context, complaints }: UserAgent): void {
  context.on('console', (message) => {
    // Chromium reports every call with an error status, and these tests expect such calls.
    const isRefusal = /the server responded with a status of 4\d\d/.test(message.text())
    if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text())
  })
  context.on('weberror', (error) => complaints.push(String(error.error())))
}
