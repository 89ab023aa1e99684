import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright'
import { quietly } from '../../scripts/chromium.mjs'
import { type Edge, openEdge } from './edge.ts'

/** Where Debian puts it; without it Playwright looks for its own. */
const DEBIAN = '/usr/bin/chromium'

/** A Chromium that reaches every plain-HTTP origin, this machine's among them, through an edge that compresses. */
export type Chromium = {
  browser: Browser
  fresh(options?: Options): Promise<BrowserContext>
  close(): Promise<void>
}

type Options = { javaScriptEnabled?: boolean; storageState?: State }
export type State = Awaited<ReturnType<BrowserContext['storageState']>>

const SCREEN = { width: 1280, height: 800 }

export async function openChromium(): Promise<Chromium> {
  const edge = await openEdge()
  const browser = await launch(edge).catch(async (error) => {
    await edge.close()
    throw error
  })
  return {
    browser,
    /** Nothing remembered, nothing cached. */
    fresh: (options = {}) => browser.newContext({ locale: 'en-US', viewport: SCREEN, ...options }),
    async close() {
      await browser.close()
      await edge.close()
    },
  }
}

function launch({ address }: Edge): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? (existsSync(DEBIAN) ? DEBIAN : undefined)
  return chromium.launch({
    ...(executablePath && { executablePath }),
    // Left alone, Chromium goes straight to loopback addresses.
    proxy: { server: address, bypass: '<-loopback>' },
    args: quietly,
  })
}
