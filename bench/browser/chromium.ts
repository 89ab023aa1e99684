import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright'
import { quietFlags } from '../../scripts/chromium.mjs'
import { type Edge, openEdge } from './edge.ts'

/** The paths of Chromium in Debian. If neither exists, Playwright uses its own download. */
const DEBIAN = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell']

/** A Chromium that reaches every plain-HTTP origin through a compressing proxy, including loopback origins. */
export type Chromium = {
  browser: Browser
  fresh(options?: Options): Promise<BrowserContext>
  close(): Promise<void>
}

type Options = { javaScriptEnabled?: boolean; storageState?: BrowserState }
export type BrowserState = Awaited<ReturnType<BrowserContext['storageState']>>

const SCREEN = { width: 1280, height: 800 }

async function openChromium(): Promise<Chromium> {
  const edge = await openEdge()
  const browser = await launch(edge).catch(async (error) => {
    await edge.close()
    throw error
  })
  return {
    browser,
    /** Opens a context without cookies or a cache. */
    fresh: (options = {}) => browser.newContext({ locale: 'en-US', viewport: SCREEN, ...options }),
    async close() {
      await browser.close()
      await edge.close()
    },
  }
}

export async function withChromium<Result>(
  measure: (chromium: Chromium) => Promise<Result>,
): Promise<Result> {
  const chromium = await openChromium()
  try {
    return await measure(chromium)
  } finally {
    await chromium.close()
  }
}

function launch({ url }: Edge): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? DEBIAN.find((file) => existsSync(file))
  return chromium.launch({
    ...(executablePath && { executablePath }),
    // By default Chromium bypasses the proxy for loopback addresses.
    proxy: { server: url, bypass: '<-loopback>' },
    args: quietFlags,
  })
}
