import { mkdirSync } from 'node:fs'
import path from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright'
import { afterAll, expect } from 'vitest'
import { quietly } from '../../scripts/chromium.mjs'

const SCREENSHOTS = 'tests/screenshots'

let running: Promise<Browser> | undefined
const browser = () => {
  running ??= chromium.launch({
    ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
    args: quietly,
  })
  return running
}

afterAll(async () => {
  await (await running)?.close()
  running = undefined
})

export const desktop = { viewport: { width: 1280, height: 800 } }
export const mobile = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  userAgent:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
}

/** A browser of its own for one person. What its pages complain about fails the test that asks `complaints`. */
export async function person(options: BrowserContextOptions = desktop): Promise<{
  context: BrowserContext
  page: Page
  complaints: string[]
}> {
  const context = await (await browser()).newContext({ locale: 'en-US', ...options })
  const complaints: string[] = []
  context.on('console', (message) => {
    // What a refused call says of itself is expected; what the page's own code or policy says is not.
    const isRefusal = /the server responded with a status of 4\d\d/.test(message.text())
    if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text())
  })
  context.on('weberror', (error) => complaints.push(String(error.error())))
  return { context, page: await context.newPage(), complaints }
}

/** For people to look at; the folder is not kept. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) })
}

/** No address that a browser remembers, sends on or shows may hold a password. */
export function watchAddresses(page: Page): string[] {
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  page.on('framenavigated', (frame) => addresses.push(frame.url()))
  return addresses
}

export function expectNowhere(secret: string, addresses: readonly string[]): void {
  expect(addresses.filter((address) => decodeURIComponent(address).includes(secret))).toEqual([])
}
