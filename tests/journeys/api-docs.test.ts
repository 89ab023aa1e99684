import { expect, inject, it } from 'vitest'
import { mobile, person, picture } from './browser.ts'
import { managementToken } from './management.ts'

const origin = inject('origin')

it('the API can be looked through and tried out, with nothing from elsewhere', async () => {
  const { page, complaints } = await person()
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))

  await page.goto(`${origin}/api/docs`)
  await page.getByRole('heading', { name: 'Vestibule' }).waitFor()
  await page.getByRole('button', { name: 'get /api/users', exact: true }).click()
  await page.getByText('Total-Number').first().waitFor()
  await picture(page, 'api-docs')

  // As an operator with a token would.
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  const management = page.locator('form').filter({ hasText: 'management (http, Bearer)' })
  await management.getByRole('textbox').fill(await managementToken())
  await management.getByRole('button', { name: 'Apply credentials' }).click()
  await management.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  const answered = page.waitForResponse((response) => response.url().includes('/api/users'))
  await page.getByRole('button', { name: 'Execute' }).click()
  expect((await answered).status()).toBe(200)
  await page.getByText('Response body').first().waitFor()

  expect(complaints).toEqual([])
  expect([...hosts]).toEqual([new URL(origin).host])
})

it('the API says where its description is to who has no script', async () => {
  const { page, complaints } = await person({ ...mobile, javaScriptEnabled: false })
  await page.goto(`${origin}/api/docs`)
  await page.getByRole('link', { name: '/api/openapi.json' }).click()
  await page.waitForURL('**/api/openapi.json')
  expect(complaints).toEqual([])
})
