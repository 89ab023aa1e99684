import { mkdirSync } from 'node:fs'
import path from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright'
import { expect, it, onTestFinished } from 'vitest'
import { quietFlags } from '../../scripts/chromium.mjs'
import { publicKeyHash } from '../kit/certificate.ts'
import { spread, sweepOfProcess } from '../kit/sweep.ts'
import {
  type Device,
  forgetChanges,
  giveBack,
  listenForComplaints,
  takeReusable,
  type UserAgent,
  watchForChanges,
} from './reused-browsers.ts'

export type { UserAgent } from './reused-browsers.ts'

const SCREENSHOTS = 'tests/screenshots'

export const browserSweep = sweepOfProcess()

/**
 * Declares a journey that `npm test` leaves out, because faster tests prove each of its steps. A comment above it names
 * these tests.
 */
export const inExhaustiveRun = it.runIf(browserSweep.isExhaustive)

/** Returns all cases in an exhaustive run, and otherwise at most `most` evenly spaced ones. */
export const someOf = <Case>(all: readonly Case[], most: number): readonly Case[] =>
  browserSweep.isExhaustive ? all : spread(all, most)

/** `npm run screens` saves whole pages, in every view that an exhaustive run inspects. */
const isDrawing = process.env.DRAW === 'screens'
export const pictureSweep = { ...browserSweep, isExhaustive: browserSweep.isExhaustive || isDrawing }

/**
 * Flags for a browser that shows only a page or two. It starts no GPU process, has one process for all pages of a site
 * in a context instead of one for every visit, compiles functions when they are first called, and does not optimise code
 * for later runs. The benchmark measures time and therefore uses none of these flags.
 */
const shortLived = ['--in-process-gpu', '--process-per-site', '--js-flags=--no-opt --no-maglev --max-lazy']

/** Resolves hosts under `test` to this machine, and makes Chromium accept their certificate. */
const testHosts = [
  '--host-resolver-rules=MAP *.test 127.0.0.1',
  `--ignore-certificate-errors-spki-list=${publicKeyHash}`,
]

let running: Promise<Browser> | undefined

/** Returns the Chromium that all test files of a worker process share. It ends with the process. */
function browser(): Promise<Browser> {
  running ??= chromium.launch({
    ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
    args: [...quietFlags, ...shortLived, ...testHosts],
  })
  return running
}

export const desktopOptions = { viewport: { width: 1280, height: 800 } }
export const mobileOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  userAgent:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
}
/** The options for tests about what moves. Playwright waits until an element has stopped moving, so other tests do without. */
export const withMotion = { ...desktopOptions, reducedMotion: 'no-preference' } as const
/** A very narrow phone. */
export const narrowOptions = { ...mobileOptions, viewport: { width: 320, height: 640 } }
export const withoutScript = { ...desktopOptions, javaScriptEnabled: false }

export const scripted = { script: 'with JavaScript', options: desktopOptions }
export const scriptless = { script: 'without JavaScript', options: withoutScript }
/**
 * Returns the variants with and without JavaScript. `npm test` runs only one variant if a test over HTTP or
 * of another flow covers the other.
 */
export const waysOf = (inNpmTest: typeof scripted) =>
  browserSweep.isExhaustive ? [scripted, scriptless] : [inNpmTest]

/**
 * Opens the browser of one user for one test, without any stored data. The browser may have been used by an
 * earlier test and reset (reused-browsers.ts). Its cache contains files of the tenant only if the earlier
 * test used the same tenant.
 */
export async function openPage(
  options: BrowserContextOptions = desktopOptions,
  device?: Device,
): Promise<UserAgent> {
  const client = takeReusable(options, device) ?? (await openDevice(options, device))
  onTestFinished(({ task }) =>
    giveBack(client, { options, device, hasPassed: task.result?.state === 'pass' }),
  )
  return client
}

async function openDevice(options: BrowserContextOptions, device: Device | undefined): Promise<UserAgent> {
  const client = await openBrowser(options)
  await device?.prepare(client)
  forgetChanges(client)
  return client
}

const contextsWithoutScript = new WeakSet<BrowserContext>()
export const hasScript = (page: Page) => !contextsWithoutScript.has(page.context())

/** Opens a browser that several tests share and close themselves. */
export async function openBrowser(options: BrowserContextOptions): Promise<UserAgent> {
  const context = await (await browser()).newContext({
    locale: 'en-US',
    reducedMotion: 'reduce',
    ...options,
  })
  if (options.javaScriptEnabled === false) contextsWithoutScript.add(context)
  const client = { context, page: await context.newPage(), complaints: [] }
  watchForChanges(client)
  listenForComplaints(client)
  return client
}

/** Saves a screenshot for review, in the exhaustive run and for `npm run screens`. The folder is not committed. */
export async function savePicture(page: Page, name: string): Promise<void> {
  if (!pictureSweep.isExhaustive) return
  mkdirSync(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`), fullPage: isDrawing })
}

/** Records every URL that a browser requests or displays. */
export function watchAddresses(page: Page): string[] {
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  page.on('framenavigated', (frame) => addresses.push(frame.url()))
  return addresses
}

export function expectNowhere(secret: string, addresses: readonly string[]): void {
  expect(addresses.filter((address) => decodeURIComponent(address).includes(secret))).toEqual([])
}
