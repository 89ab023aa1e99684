import { expect, it } from 'vitest'
import { looks } from '../../docs/design/looks.ts'
import { mobileOptions, openPage } from '../journeys/browser.ts'
import { openLook, serveArt } from '../journeys/experience/looks-tenant.ts'
import { untilSettled } from '../journeys/inspection.ts'
import { writePicture } from './pictures.ts'

/** Draws the gallery of docs/guides/theming.md. */

const sizes = { desktop: { viewport: { width: 1100, height: 720 } }, mobile: mobileOptions }

it.each(Object.entries(looks))('%s', async (name, look) => {
  const { openApplication } = await openLook(look)
  const { authorizationUrl } = await openApplication()
  const { size, theme } = look.shown
  const { page, context, complaints } = await openPage({ ...sizes[size], colorScheme: theme })
  await serveArt(context)
  await page.goto((await authorizationUrl()).url, { waitUntil: 'networkidle' })
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await untilSettled(page)
  await writePicture(page, `docs/design/looks/${name}.webp`, 30_000)
  expect(complaints).toEqual([])
})
