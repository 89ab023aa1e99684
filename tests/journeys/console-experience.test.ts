import { expect, it } from 'vitest'
import { previewLatency } from '../../bench/browser/preview-latency.ts'
import { openConsole } from './console.ts'
import { axeViolations } from './inspection.ts'
import { openTenant } from './tenant.ts'

/** The settings of the sign-in pages beside the pages themselves (spec/console#experience). */

it('changes the brand colour: the preview has it at once, the sign-in page once it is saved, and not after undo', async () => {
  const tenant = await openTenant()
  const { page, complaints } = await openConsole(tenant, { path: '/experience' })
  const preview = page.frameLocator('iframe')
  await preview.getByRole('heading', { name: 'Sign in to your account' }).waitFor()
  const brandOf = (root: { evaluate: typeof page.evaluate }) =>
    root.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--color-brand-default').toLowerCase(),
    )
  const frame = page.frames().find((one) => one.url().includes('preview=true'))
  if (!frame) throw new Error('there is no preview')

  // What the bench measures; a second is no budget, but more than that is no preview.
  const { changes } = await previewLatency(page, 2)
  expect(changes.map((each) => each > 0 && each < 1000)).toEqual([true, true])
  await page.getByLabel('Brand color', { exact: true }).fill('#008844')
  await expect.poll(() => brandOf(frame)).toBe('#008844')
  await page.getByLabel('Name', { exact: true }).fill('Acme')
  await preview.getByRole('heading', { name: 'Sign in to Acme' }).waitFor()
  await page.getByRole('region', { name: 'Preview' }).getByText('Dark', { exact: true }).click()
  await page.getByLabel('Language of the pages').selectOption('de')
  await preview.locator('html[lang=de][data-theme=dark]').waitFor()
  await page.getByLabel('Screen').selectOption('Consent')
  await preview.getByText('app.example.com').waitFor()
  await page.getByLabel('Screen').selectOption('Error')
  await preview.getByText('server.internal').waitFor()
  expect(await axeViolations(page)).toEqual([])

  const stored = () => tenant.call<{ color: { primaryColor: string } }>('GET', '/sign-in-exp')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  expect((await stored()).color.primaryColor).toBe('#008844')
  const application = await tenant.openApplication('Brand')
  const visitor = await page.context().newPage()
  await visitor.goto((await application.authorizationUrl({ prompt: 'login' })).url)
  await visitor.getByRole('heading', { name: 'Sign in to Acme' }).waitFor()
  expect(await brandOf(visitor)).toBe('#008844')

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('status').getByText('Taken back').waitFor()
  expect((await stored()).color.primaryColor).toBe('#6139F6')
  expect(complaints).toEqual([])
})
