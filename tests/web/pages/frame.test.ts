import { describe, expect, it } from 'vitest'
import { DEFAULT_EXPERIENCE } from '../../../src/contract/experience/experience.ts'
import { escapeHtml } from '../../../src/domain/escape-html.ts'
import { escapeJson, escapeStyle, type HtmlFrame, renderHtmlFrame } from '../../../src/web/pages/frame.ts'

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

const render = (changes: Partial<HtmlFrame>) => {
  const { head, tail } = renderHtmlFrame({ ...plain, ...changes })
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

/** Returns the elements that match the selector, parsed by the streaming HTML parser of the Workers runtime. */
async function elements(
  html: string,
  selector: string,
): Promise<{ attributes: Map<string, string>; text: string }[]> {
  const matches: { attributes: Map<string, string>; text: string }[] = []
  const rewriter = new HTMLRewriter().on(selector, {
    element: (element) => {
      matches.push({ attributes: new Map(element.attributes), text: '' })
    },
    text: (chunk) => {
      const last = matches.at(-1)
      if (last) last.text += chunk.text
    },
  })
  await rewriter.transform(new Response(html)).text()
  return matches
}

describe('the page frame', () => {
  it('contains everything that the first paint needs', async () => {
    const html = render({})
    expect(html).toMatch(/^<!doctype html><html lang="en" dir="ltr"/)
    expect(html).toContain('<title>Sign in</title>')
    expect(html).toContain('<body class="desktop">')
    expect(html).toContain('--color-brand-default:#6139F6')
    expect(await elements(html, 'script')).toHaveLength(1)
    expect(await elements(html, 'link[rel=modulepreload]')).toHaveLength(2)
  })

  it('computes the brand colour’s shades only once', () => {
    let computed = 0
    const color = {
      ...DEFAULT_EXPERIENCE.color,
      isDarkModeEnabled: true,
      get darkPrimaryColor() {
        computed += 1
        return '#112233'
      },
    }
    expect(render({ look: { ...DEFAULT_EXPERIENCE, color } })).toContain('--color-brand-default:#112233')
    expect(computed).toBe(1)
  })

  it('marks every style element with the nonce', async () => {
    const styles = await elements(render({ look: { ...DEFAULT_EXPERIENCE, customCss: '.b{}' } }), 'style')
    expect(styles.map(({ attributes }) => attributes.get('nonce'))).toEqual(['abc', 'abc'])
  })

  it('supports a dark theme only if the operator has enabled it', () => {
    const color = { ...DEFAULT_EXPERIENCE.color, isDarkModeEnabled: true }
    expect(render({})).toContain('<meta name="color-scheme" content="light">')
    expect(render({})).toContain('data-dark-mode="false"')
    expect(render({})).not.toContain('prefers-color-scheme')
    expect(render({ look: { ...DEFAULT_EXPERIENCE, color } })).toContain('content="light dark"')
    expect(render({ look: { ...DEFAULT_EXPERIENCE, color } })).toContain('--color-brand-default:#8768F8')
  })

  it('uses the operator’s favicon for both icons', async () => {
    const branding = { favicon: 'https://cdn.example/icon.png?a=1&b="' }
    const icons = await elements(render({ look: { ...DEFAULT_EXPERIENCE, branding } }), 'link[rel$=icon]')
    expect(icons).toHaveLength(2)
    expect(icons[1]?.attributes.get('sizes')).toBe('180x180')
  })

  it('has a separate touch icon by default, because home screens do not support SVG', async () => {
    const icons = await elements(render({}), 'link[rel$=icon]')
    expect(icons.map(({ attributes }) => attributes.get('href'))).toEqual([
      '/favicon.svg',
      '/apple-touch-icon.png',
    ])
  })

  it.each([
    { type: 'Card' as const, platform: 'mobile' as const, color: '#F1EEFE' },
    { type: 'Card' as const, platform: 'web' as const, color: '#E0D9F9' },
    { type: 'Plain' as const, platform: 'mobile' as const, color: '#FFFFFF' },
  ])('has the colour at its top as its theme colour: $type, $platform', async ({ type, platform, color }) => {
    const html = render({ platform, look: { ...DEFAULT_EXPERIENCE, layout: { type } } })
    const [light] = await elements(html, 'meta[name=theme-color]')
    expect(light?.attributes.get('content')).toBe(color)
  })

  it('marks the phone layout with a class', () => {
    expect(render({ platform: 'mobile' })).toContain('<body class="mobile">')
  })

  it.each([
    { type: 'Card' as const, name: 'layout-card' },
    { type: 'Plain' as const, name: 'layout-plain' },
  ])('has no image beside the form in the layout $type', async ({ type, name }) => {
    const html = render({ look: { ...DEFAULT_EXPERIENCE, layout: { type } } })
    expect(html).toContain(`<html lang="en" dir="ltr" class="${name}"`)
    expect(await elements(html, 'picture')).toEqual([])
  })

  it('places the image of a split layout before the element that is hydrated', async () => {
    const pictureUrl = 'https://cdn.example/harbour.webp?a=1&b="><script>'
    const html = render({ look: { ...DEFAULT_EXPERIENCE, layout: { type: 'Split', pictureUrl } } })
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

  it('has an empty panel in a split layout without an image', async () => {
    const html = render({ look: { ...DEFAULT_EXPERIENCE, layout: { type: 'Split' } } })
    expect(html).toContain('<picture class="vestibule-picture"></picture>')
  })

  it('escapes the title and the language', async () => {
    const html = render({ title: '</title><script>alert(1)</script>', language: '"><script>' })
    expect(await elements(html, 'script')).toHaveLength(1)
  })
})

describe('content from operators and users', () => {
  it('[ASVS-1.2.1-2] cannot close the style element', async () => {
    const customCss = 'a{}</style><script>alert(1)</script></STYLE ><img onerror=alert(1)>'
    const html = render({ look: { ...DEFAULT_EXPERIENCE, customCss } })
    expect(await elements(html, 'style')).toHaveLength(2)
    expect(await elements(html, 'script')).toHaveLength(1)
    expect(await elements(html, 'img')).toHaveLength(0)
  })

  it('[ASVS-1.3.5] has the same meaning after it is escaped in CSS', () => {
    expect(escapeStyle('a::after { content: "</p>" }')).toBe('a::after { content: "<\\/p>" }')
  })

  it('[ASVS-1.1.2-2] cannot close the script element with the boot data, and is unchanged after parsing', () => {
    const value = { a: '</script><!--<script>', b: '\u2028\u2029', c: 'ü' }
    const json = escapeJson(value)
    expect(json).not.toMatch(/[<\u2028\u2029]/)
    expect(JSON.parse(json)).toEqual(value)
  })
})

it('a page declares its language with a standard tag instead of our catalogue’s tag', () => {
  expect(render({ language: 'pt-BR' })).toContain('<html lang="pt-BR" dir="ltr"')
  expect(render({ language: 'cb-IQ' })).toContain('<html lang="ckb-IQ" dir="rtl"')
})
