import { describe, expect, it } from 'vitest'
import { DEFAULT_EXPERIENCE } from '../../../src/contract/experience/experience.ts'
import { escapeHtml } from '../../../src/domain/escape-html.ts'
import { escapeJson, escapeStyle, type HtmlFrame, htmlFrame } from '../../../src/web/pages/frame.ts'

const plain: HtmlFrame = {
  language: 'en',
  title: 'Sign in',
  platform: 'web',
  nonce: 'abc',
  look: DEFAULT_EXPERIENCE,
  styles: '.a{color:red}',
  modules: ['/assets/entry.js', '/assets/react.js'],
  boot: null,
}

const whole = (changes: Partial<HtmlFrame>) => {
  const { head, tail } = htmlFrame({ ...plain, ...changes })
  return head + tail
}

type Rewriter = {
  on(
    selector: string,
    handlers: {
      element(element: { attributes: Iterable<[string, string]> }): void
      text(chunk: { text: string }): void
    },
  ): Rewriter
  transform(page: Response): Response
}
declare const HTMLRewriter: new () => Rewriter

/** Parses the page as a browser does. */
async function elements(
  html: string,
  selector: string,
): Promise<{ attributes: Map<string, string>; text: string }[]> {
  const found: { attributes: Map<string, string>; text: string }[] = []
  const rewriter = new HTMLRewriter().on(selector, {
    element: (element) => {
      found.push({ attributes: new Map(element.attributes), text: '' })
    },
    text: (chunk) => {
      const last = found.at(-1)
      if (last) last.text += chunk.text
    },
  })
  await rewriter.transform(new Response(html)).text()
  return found
}

describe('the frame of a page', () => {
  it('holds all that the first paint needs', async () => {
    const html = whole({})
    expect(html).toMatch(/^<!doctype html><html lang="en" dir="ltr"/)
    expect(html).toContain('<title>Sign in</title>')
    expect(html).toContain('<body class="desktop">')
    expect(html).toContain('--color-brand-default:#6139F6')
    expect(await elements(html, 'script')).toHaveLength(1)
    expect(await elements(html, 'link[rel=modulepreload]')).toHaveLength(2)
  })

  it('computes the shades of the brand once', () => {
    let computed = 0
    const color = {
      ...DEFAULT_EXPERIENCE.color,
      isDarkModeEnabled: true,
      get darkPrimaryColor() {
        computed += 1
        return '#112233'
      },
    }
    expect(whole({ look: { ...DEFAULT_EXPERIENCE, color } })).toContain('--color-brand-default:#112233')
    expect(computed).toBe(1)
  })

  it('marks every style element with the nonce', async () => {
    const styles = await elements(whole({ look: { ...DEFAULT_EXPERIENCE, customCss: '.b{}' } }), 'style')
    expect(styles.map(({ attributes }) => attributes.get('nonce'))).toEqual(['abc', 'abc'])
  })

  it('knows a dark theme only when the operator switched it on', () => {
    const color = { ...DEFAULT_EXPERIENCE.color, isDarkModeEnabled: true }
    expect(whole({})).toContain('<meta name="color-scheme" content="light">')
    expect(whole({})).toContain('data-dark-mode="false"')
    expect(whole({})).not.toContain('prefers-color-scheme')
    expect(whole({ look: { ...DEFAULT_EXPERIENCE, color } })).toContain('content="light dark"')
    expect(whole({ look: { ...DEFAULT_EXPERIENCE, color } })).toContain('--color-brand-default:#8768F8')
  })

  it('uses the favicon of the operator for both icons', async () => {
    const branding = { favicon: 'https://cdn.example/icon.png?a=1&b="' }
    const icons = await elements(whole({ look: { ...DEFAULT_EXPERIENCE, branding } }), 'link[rel$=icon]')
    expect(icons).toHaveLength(2)
    expect(icons[1]?.attributes.get('sizes')).toBe('180x180')
  })

  it('has an icon of its own for each, because no home screen takes an SVG', async () => {
    const icons = await elements(whole({}), 'link[rel$=icon]')
    expect(icons.map(({ attributes }) => attributes.get('href'))).toEqual([
      '/favicon.svg',
      '/apple-touch-icon.png',
    ])
  })

  it('has the layout of a phone', () => {
    expect(whole({ platform: 'mobile' })).toContain('<body class="mobile">')
  })

  it.each([
    { type: 'Card' as const, name: 'layout-card' },
    { type: 'Plain' as const, name: 'layout-plain' },
  ])('has no picture around a form of the layout $type', async ({ type, name }) => {
    const html = whole({ look: { ...DEFAULT_EXPERIENCE, layout: { type } } })
    expect(html).toContain(`<html lang="en" dir="ltr" class="${name}"`)
    expect(await elements(html, 'picture')).toEqual([])
  })

  it('has the picture of a split layout before the part that is hydrated', async () => {
    const pictureUrl = 'https://cdn.example/harbour.webp?a=1&b="><script>'
    const html = whole({ look: { ...DEFAULT_EXPERIENCE, layout: { type: 'Split', pictureUrl } } })
    expect(html).toContain('class="layout-split"')
    expect(html).toMatch(/<picture class="vestibule-picture">.*<\/picture><div id="app">/)
    const [picture] = await elements(html, 'picture > img')
    expect(Object.fromEntries(picture?.attributes ?? [])).toEqual({
      src: escapeHtml(pictureUrl),
      alt: '',
      fetchpriority: 'low',
    })
    expect(await elements(html, 'script')).toHaveLength(1)
  })

  it('has a panel without a picture where none is given', async () => {
    const html = whole({ look: { ...DEFAULT_EXPERIENCE, layout: { type: 'Split' } } })
    expect(html).toContain('<picture class="vestibule-picture"></picture>')
  })

  it('cannot be left by a title or a language', async () => {
    const html = whole({ title: '</title><script>alert(1)</script>', language: '"><script>' })
    expect(await elements(html, 'script')).toHaveLength(1)
  })
})

describe('what operators and users put into a page', () => {
  it('[ASVS-1.2.1-2] cannot end the style element', async () => {
    const customCss = 'a{}</style><script>alert(1)</script></STYLE ><img onerror=alert(1)>'
    const html = whole({ look: { ...DEFAULT_EXPERIENCE, customCss } })
    expect(await elements(html, 'style')).toHaveLength(2)
    expect(await elements(html, 'script')).toHaveLength(1)
    expect(await elements(html, 'img')).toHaveLength(0)
  })

  it('[ASVS-1.3.5] means the same to CSS as before', () => {
    expect(escapeStyle('a::after { content: "</p>" }')).toBe('a::after { content: "<\\/p>" }')
  })

  it('[ASVS-1.1.2-2] cannot end the boot data, and comes out as it went in', () => {
    const value = { a: '</script><!--<script>', b: '\u2028\u2029', c: 'ü' }
    const json = escapeJson(value)
    expect(json).not.toMatch(/[<\u2028\u2029]/)
    expect(JSON.parse(json)).toEqual(value)
  })
})

it('names its language as screen readers know it, not by the tag of its catalogue', () => {
  expect(whole({ language: 'pt-BR' })).toContain('<html lang="pt-BR" dir="ltr"')
  expect(whole({ language: 'cb-IQ' })).toContain('<html lang="ckb-IQ" dir="rtl"')
})
