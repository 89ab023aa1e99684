import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { storeDevMessage } from '../../../src/storage/connectors/dev-messages.ts'
import { openD1 } from '../../../src/storage/d1.ts'
import { openTestApp } from '../../kit/test-app.ts'

const db = openD1(env.DB)
const app = openTestApp()
const deployed = openTestApp({ ENVIRONMENT: 'production' })

const email = {
  to: 'ann@example.com',
  channel: 'email' as const,
  type: 'SignIn',
  code: '482913',
  language: 'en',
  subject: 'Your code <to> sign in',
  body: 'Your code: 482913 <script>alert(1)</script>',
  html: '<html><head><style>@media (prefers-color-scheme:dark){b{color:red}}</style></head><b>482913</b></html>',
  createdAt: Date.UTC(2026, 10, 21, 12),
}
const {
  subject: _subject,
  html: _html,
  ...sms
} = {
  ...email,
  to: '33612345678',
  channel: 'sms' as const,
  createdAt: email.createdAt + 1,
}

await storeDevMessage(db, 'default', email)
await storeDevMessage(db, 'default', { ...sms, subject: null, html: null })

describe('a development server’s inbox', () => {
  it('returns the sent messages as JSON, newest first', async () => {
    const response = await app.fetch('/dev/inbox.json')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual([sms, email])
  })

  it.each([
    { to: 'ann@example.com', messages: [email] },
    { to: '33612345678', messages: [sms] },
    { to: '+33612345678', messages: [sms] },
    { to: '%2B33612345678', messages: [sms] },
    { to: 'bob@example.com', messages: [] },
    { to: '', messages: [sms, email] },
  ])('returns only the messages to "$to"', async ({ to, messages }) => {
    const response = await app.fetch(`/dev/inbox.json?to=${to}`)
    expect(await response.json()).toEqual(messages)
  })

  it('shows the messages on a page that reloads itself without JavaScript', async () => {
    const response = await app.fetch('/dev/inbox')
    expect(response.status).toBe(200)
    expect(response.headers.get('refresh')).toBe('5')
    const page = await response.text()
    expect(page).toContain('<h2>ann@example.com</h2>')
    expect(page).toContain('>482913</p>')
    expect(page).toContain('2026-11-21 12:00:00 UTC')
    expect(page).not.toMatch(/<script(?! type="application\/json")/)
  })

  it('shows a message as HTML, text and source, without JavaScript', async () => {
    const page = async (path: string) => (await app.fetch(path)).text()
    const [path = ''] = /\/dev\/inbox\/[\w-]+/.exec(await page('/dev/inbox?to=ann@example.com')) ?? []
    expect(await page(path)).toContain(`src="${path}/html?theme=light"`)
    expect(await page(`${path}?theme=dark`)).toContain(`src="${path}/html?theme=dark"`)
    expect(await page(`${path}?view=text`)).toContain('<pre lang="en">Your code: 482913 &#60;script&#62;')
    expect(await page(`${path}?view=source`)).toContain('&#60;b&#62;482913&#60;/b&#62;')
    const mail = await app.fetch(`${path}/html?theme=dark`)
    const policy = mail.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toMatch(/sandbox (?!.*allow-scripts)/)
    expect(await mail.text()).toContain('<head><base target="_blank"><style>@media (min-width:0){')
    expect(await page(`${path}/html?theme=light`)).toContain('@media (max-width:0){')
  })

  it('shows the text of a message without HTML, and 404 for an unknown one', async () => {
    const list = await (await app.fetch('/dev/inbox?to=33612345678')).text()
    const [path = ''] = /\/dev\/inbox\/[\w-]+/.exec(list) ?? []
    const page = await (await app.fetch(path)).text()
    expect(page).toContain('<pre lang="en">Your code: 482913')
    expect(page).not.toContain('<iframe')
    for (const missing of [`${path}/html`, '/dev/inbox/none', '/dev/inbox/none/html'])
      expect((await app.fetch(missing)).status).toBe(404)
  })

  it('escapes the address in its page', async () => {
    const response = await app.fetch(`/dev/inbox?to=${encodeURIComponent('"><img src=x>')}`)
    const page = await response.text()
    expect(page).toContain('No messages to')
    expect(page).not.toContain('<img')
  })

  it.each(['/dev/inbox', '/dev/inbox.json', '/dev/inbox/1', '/dev/inbox/1/html'])(
    '[ASVS-13.4.2] responds with 404 outside development: %s',
    async (path) => {
      const response = await deployed.fetch(path)
      expect(response.status).toBe(404)
      expect(await response.text()).not.toContain('482913')
    },
  )
})
