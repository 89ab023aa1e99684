import { expect, it } from 'vitest'
import { openTestApp } from '../../kit/test-app.ts'

it('[ASVS-13.4.5] the API reference loads only files from its own origin and has no inline scripts or styles', async () => {
  const response = await openTestApp().fetch('/api/docs')
  const html = await response.text()
  expect(response.status).toBe(200)
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|\*|https?:/)
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')

  const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address)
  expect(addresses.length).toBeGreaterThan(3)
  for (const address of addresses) expect(address).toMatch(/^\/[\w./-]+$/)
  expect(html).not.toMatch(/<script>|<style|\sstyle=|\son\w+=/)
})
