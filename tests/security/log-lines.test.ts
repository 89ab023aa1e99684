import { beforeAll, expect, it, vi } from 'vitest'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

let app: TestApp
beforeAll(() => {
  app = openTestApp({ ENVIRONMENT: 'production' })
})

it('[ASVS-16.4.1] client input cannot forge a log line', async () => {
  const lines: unknown[][] = []
  const spies = (['log', 'error', 'warn'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((...values: unknown[]) => {
      lines.push(values)
    }),
  )
  const forged = '%0A{"event":"forged"}%0D%0A'
  const broken = openTestApp({ ENVIRONMENT: 'production' })
  broken.beforeEachTrip(() => {
    throw new Error('line one\n{"event":"forged"}')
  })
  const headers = { 'user-agent': '{"event":"forged"}', 'accept-language': 'de\t{"event":"forged"}' }
  for (const path of [
    `/${forged}`,
    `/sign-in?lng=${forged}`,
    `/oidc/auth?client_id=${forged}`,
    `/api/users/${forged}`,
  ]) {
    await app.fetch(path, { headers })
    await broken.fetch(path, { headers: { ...headers, accept: 'text/html' } })
  }
  for (const spy of spies) spy.mockRestore()
  expect(lines.length).toBeGreaterThan(0)
  for (const [line, ...more] of lines) {
    expect(more).toEqual([])
    expect(String(line)).not.toMatch(/[\r\n]/)
    expect(JSON.parse(String(line))).not.toMatchObject({ event: 'forged' })
  }
})
