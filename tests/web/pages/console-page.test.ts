import { expect, it } from 'vitest'
import { openTestApp } from '../../kit/test-app.ts'

it.each(['/console', '/console/', '/console/users/some-id', '/console/constructor'])(
  '%s serves the console’s document, which loads files only from its own origin (spec/console#document)',
  async (path) => {
    const answer = await openTestApp().fetch(path)
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('text/html')
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin')

    const files = [...html.matchAll(/<(?:script|link) [^>]*(?:src|href)="([^"]+)"/g)].map(
      ([, address = '']) => address,
    )
    expect(files.filter((file) => file.startsWith('/assets/console/')).length).toBeGreaterThan(2)
    // Without this preload, the script would request the files of its area only after the sign-in.
    const areas = path.includes('users') ? ['/users-'] : path.includes('constructor') ? [] : ['/start-']
    expect(files.filter((file) => /\/(?:users|start|hooks)-[^/]+\.js$/.test(file))).toEqual(
      areas.map((name) => expect.stringContaining(name)),
    )
    for (const file of files) expect(file).toMatch(/^\/[\w./~-]+$/)
    expect(html).not.toMatch(/<script>|<style|\sstyle=|\son\w+=/)
    expect(html).toMatch(/<noscript>.*npm run config.*<\/noscript>/s)
  },
)

it.each(['constructor', '__proto__', 'nothing'])(
  'the console’s document is served even at /console/%s, which is not an area',
  async (name) => {
    expect((await openTestApp().fetch(`/console/${name}`)).status).toBe(200)
  },
)

it.each([
  ['de-AT, en;q=0.5', 'Konsole', 'Management-API'],
  ['fr, de;q=0.5', 'Konsole', 'Management-API'],
  ['fr', 'Console', 'management API'],
])(
  'the console’s document tells browsers without JavaScript about alternatives, in their language: %s',
  async (language, title, link) => {
    const answer = await openTestApp().fetch('/console', { headers: { 'accept-language': language } })
    expect(await answer.text()).toMatch(
      new RegExp(`<noscript>.*<h1>${title}</h1>.*>${link}</a>.*</noscript>`, 's'),
    )
  },
)
