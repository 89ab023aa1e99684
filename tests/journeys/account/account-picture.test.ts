import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startBuckets } from '../../outbound/bucket-server.ts'
import { bucketSecrets } from '../../outbound/provider-secrets.ts'
import { openPage } from '../browser.ts'
import { expectSound, expectStill, smallTargets, watchContext } from '../inspection.ts'
import { pressButton, signInOnPage } from '../steps.ts'
import { openTenant, type Tenant } from '../tenant.ts'

/**
 * Tests how a picture is cropped (spec/account-centre#picture). tests/application/account/own-profile.test.ts uploads
 * one without JavaScript.
 */

const PUBLIC = 'https://pictures.example'

let tenant: Tenant
let buckets: Awaited<ReturnType<typeof startBuckets>>
beforeAll(async () => {
  buckets = await startBuckets()
  tenant = await openTenant()
  const { accessKeyId, accessSecretKey } = bucketSecrets
  await tenant.call('PATCH', '/configs/settings', {
    allowPrivateTargets: true,
    storageProvider: {
      provider: 'S3Storage',
      endpoint: `${buckets.url}/crop/ok`,
      bucket: 'files',
      accessKeyId,
      accessSecretKey,
      publicUrl: PUBLIC,
    },
  })
})
afterAll(() => buckets.close())

/** Draws a JPEG of 80 by 40 pixels, red on the left and blue on the right. */
const drawJpeg = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 80
    canvas.height = 40
    const context = canvas.getContext('2d')
    for (const [colour, left] of [
      ['#f00', 0],
      ['#00f', 40],
    ] as const) {
      if (!context) continue
      context.fillStyle = colour
      context.fillRect(left, 0, 40, 40)
    }
    return canvas.toDataURL('image/jpeg', 1).split(',')[1] ?? ''
  })

/** EXIF data with a single entry: orientation 6, a clockwise rotation by 90 degrees. */
const TURNED = Buffer.from(
  'ffe100224578696600004d4d002a000000080001011200030000000100060000000000000000',
  'hex',
)

const asTurned = (jpeg: Buffer) => Buffer.concat([jpeg.subarray(0, 2), TURNED, jpeg.subarray(2)])

/** Returns the size of the uploaded picture, and its colours from top to bottom. */
async function sentPicture(page: Page) {
  const uploads = (await (await fetch(`${buckets.url}/crop/kept`)).json()) as {
    path: string
    content: string
  }[]
  const { path = '', content = '' } = uploads.at(-1) ?? {}
  const pixels = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes]))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const context = canvas.getContext('2d', { willReadFrequently: true })
    context?.drawImage(bitmap, 0, 0)
    const colourAt = (y: number) => {
      const [red = 0, , blue = 0] = context?.getImageData(bitmap.width / 2, y, 1, 1).data ?? []
      return red > 200 && blue < 60 ? 'red' : blue > 200 && red < 60 ? 'blue' : 'other'
    }
    return { size: [bitmap.width, bitmap.height], colours: [colourAt(2), colourAt(bitmap.height - 3)] }
  }, content)
  return { ...pixels, type: path.split('.').at(-1), isBare: !Buffer.from(content, 'base64').includes('Exif') }
}

it('a picture with an EXIF rotation is shown upright, cropped by keyboard or by dragging, and uploaded', async () => {
  const { page, context, complaints } = await openPage({ viewport: { width: 320, height: 640 } })
  await watchContext(context, tenant.origin)
  await page.route(`${PUBLIC}/**`, (route) => route.fulfill({ contentType: 'image/png', body: '' }))
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
  const isLoaded = () => loaded.some((path) => path.includes('crop-picture'))
  await page.goto(`${tenant.origin}/account/picture`)
  await signInOnPage(page, await tenant.registeredName())
  await page.waitForURL('**/account/picture')
  const chooser = page.getByLabel('New picture')
  await chooser.waitFor()
  expect(isLoaded()).toBe(false)

  await chooser.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await page.getByRole('alert').getByText('We can’t open this picture').waitFor()
  expect([isLoaded(), await chooser.inputValue()]).toEqual([true, ''])

  const buffer = asTurned(Buffer.from(await drawJpeg(page), 'base64'))
  const picture = { name: 'a.jpg', mimeType: 'image/jpeg', buffer }
  await chooser.setInputFiles(picture)
  const dialog = page.getByRole('dialog', { name: 'Crop the picture' })
  await dialog.waitFor()
  expect(await page.getByRole('alert').textContent()).toBe('')
  await expectSound(page)
  expect(await smallTargets(page)).toEqual([])
  await pressButton(page, 'Cancel')
  await expect.poll(() => chooser.inputValue()).toBe('')
  expect(await dialog.isVisible()).toBe(false)

  // The upright picture is red above and blue below, so its upper half is a red square.
  await chooser.setInputFiles(picture)
  await dialog.getByRole('slider', { name: 'From top to bottom' }).press('Home')
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('Changes saved.').waitFor()
  const above = { size: [40, 40], type: 'jpeg', isBare: true }
  expect(await sentPicture(page)).toEqual({ ...above, colours: ['red', 'red'] })
  await page.getByRole('link', { name: 'Your picture' }).click()
  await page.waitForURL('**/account/picture')
  await expectStill(page)

  await page.getByLabel('New picture').setInputFiles(picture)
  const { x, y, width, height } = (await dialog.locator('canvas').boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  }
  await page.mouse.move(x + width / 2, y + height - 4)
  await page.mouse.down()
  await page.mouse.move(x + width / 2, y + 4)
  await page.mouse.up()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => sentPicture(page)).toEqual({ ...above, colours: ['blue', 'blue'] })
  expect(complaints).toEqual([])
})
