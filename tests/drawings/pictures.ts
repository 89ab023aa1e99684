import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright'

const BEST_QUALITY = 90
const WORST_QUALITY = 40

/** Takes a screenshot of the window as a WebP file with a maximum size in bytes. */
export async function writePicture(page: Page, file: string, mostBytes: number): Promise<void> {
  // Playwright itself cannot write WebP files.
  const session = await page.context().newCDPSession(page)
  for (let quality = BEST_QUALITY; quality >= WORST_QUALITY; quality -= 5) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
    const picture = Buffer.from(data, 'base64')
    if (picture.length > mostBytes) continue
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, picture)
    return
  }
  throw new Error(`${file} would have more than ${mostBytes} bytes`)
}
