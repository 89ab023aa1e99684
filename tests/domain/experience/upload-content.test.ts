import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { detectContentType, findForbiddenPart } from '../../../src/domain/experience/upload-content.ts'
import { latin1Bytes, pictureFiles } from '../../outbound/messages/pictures.ts'
import { drawnByTools } from '../exported-drawings.ts'

const SVG = 'http://www.w3.org/2000/svg'
const svg = (inside: string, attributes = '') => `<svg xmlns="${SVG}" ${attributes}>${inside}</svg>`
const typeOf = (text: string) => detectContentType(new TextEncoder().encode(text))

describe('a file’s type', () => {
  it.each(Object.entries(pictureFiles))('[ASVS-5.2.2] is detected from its content: %s', (type, content) => {
    expect(detectContentType(content)).toBe(type)
    // An incomplete signature is not enough.
    expect(detectContentType(content.subarray(0, 1))).toBeNull()
  })

  it.each([
    ['nothing', ''],
    ['a page', '<!doctype html><title>x</title>'],
    ['a page after a comment', '<!-- <svg --><html></html>'],
    ['script', 'alert(1)'],
    ['a text that begins like a bitmap', 'BM<script>alert(1)</script>'],
    ['a bitmap with other reserved bytes', `BM\x1a\0\0\0\0\x01\0\0\x1a\0\0\0\x28\0\0\0`],
    ['a bitmap with a large header', 'BM\x1a\0\0\0\0\0\0\0\x1a\0\0\0\x28\0\x01\0'],
    ['a bitmap with an unknown header', 'BM\x1a\0\0\0\0\0\0\0\x1a\0\0\0\x29\0\0\0'],
    ['a file with the header of a bitmap', 'XX\x1a\0\0\0\0\0\0\0\x1a\0\0\0\x28\0\0\0'],
    ['a file with the second half of a WebP signature', 'XXXX\x1a\0\0\0WEBPVP8 '],
    ['a cursor', '\0\0\x02\0\x01\0'],
    ['an icon without pictures', '\0\0\x01\0\0\0'],
    ['a sound', 'RIFF\x1a\0\0\0WAVEfmt '],
    ['a document', '%PDF-1.7'],
    ['an archive', 'PK\x03\x04'],
    ['another XML document', '<?xml version="1.0"?><rss></rss>'],
    ['text that only begins like a drawing', '<svgx></svgx>'],
  ])('[ASVS-5.2.2-2] is null for content that cannot be uploaded: %s', (_what, text) => {
    expect(detectContentType(latin1Bytes(text))).toBeNull()
  })
})

describe('an SVG file', () => {
  it.each([
    '<svg/>',
    '\ufeff<svg></svg>',
    `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- Made by an <onion> -->\n${svg('')}`,
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${svg('')}`,
    svg('<style><![CDATA[.a{fill:red}]]></style><path class="a" d="M0 0"/>'),
    svg('<defs><linearGradient id="a"/></defs><use href="#a"/><a href="https://example.com/"><path/></a>'),
    svg('<image href="data:image/png;base64,iVBORw0KGgo="/>'),
    svg('<metadata>on line = fine</metadata><title>description: data is here</title>'),
    svg('<text>Ж&#x416;&amp;</text>'),
    `${svg('')}\n<!-- by an onion -->`,
    `<?xml version="1.0" data="["?>${svg('')}`,
    svg('<style title="@x"><![CDATA[.a{}]]></style>'),
    svg('<text>Why?<tspan/>What?</text>'),
    svg('<i:pgf a="x"/>', 'xmlns:i="http://ns.adobe.com/AdobeIllustrator/10.0/"'),
    svg('<text xml:space="preserve" xml:lang="de" xml:id="a"/>'),
    svg('<use xlink:href=" #a" xlink:type="simple"/>', 'xmlns:xlink="http://www.w3.org/1999/xlink"'),
    svg('<text font-family="@b" title="url(x)"/>'),
    svg('<feImage href="data:image/png;base64,iVBORw0KGgo="/>'),
  ])('can be uploaded if it contains no script: %s', (text) => {
    expect(typeOf(text)).toBe('image/svg+xml')
  })

  it.each([
    svg('<script>alert(1)</script>'),
    svg('<SCRIPT href="//evil.example/x.js"/>'),
    svg('<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>'),
    svg('<script\n>alert(1)</script>'),
    svg('', 'onload="alert(1)"'),
    svg('<path d=""\nonclick = "alert(1)"/>'),
    '<svg/onload=alert(1)>',
    svg(`<path x="'"onmouseover="alert(1)"/>`),
    svg('<a href="javascript:alert(1)"><path/></a>'),
    svg('<a xlink:href=" java&#x0A;script&colon;alert(1)"><path/></a>'),
    svg('<a href="&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)"/>'),
    svg('<a href="data:text/html,<b onx>"/>'),
    svg(`<use href="data:image/svg+xml;base64,${btoa('<svg id="x"/>')}#x"/>`),
    svg('<a><animate attributeName="href" values="javascript:alert(1)"/></a>'),
    svg('<set attributeName="onmouseover" to="alert(1)"/>'),
    svg('<foreignObject><body/></foreignObject>'),
    svg('<iframe src="https://evil.example/"/>'),
    svg('<handler type="application/ecmascript">alert(1)</handler>'),
    `<!DOCTYPE svg [<!ENTITY x "<script>alert(1)</script>">]>${svg('&x;')}`,
    `<?xml-stylesheet href="javascript:alert(1)"?>${svg('')}`,
    svg('<?xml-stylesheet href="x.xsl"?>'),
    `<?xml version="1.0" encoding="ISO-2022-JP"?>${svg('')}`,
    `<!-- never ends ${svg('')}`,
  ])('[ASVS-1.3.4] cannot be uploaded if it could run a script: %s', (text) => {
    expect(typeOf(text)).toBeNull()
  })

  it.each(drawnByTools)('can be uploaded if it was exported from $tool', ({ text }) => {
    expect([findForbiddenPart(new TextEncoder().encode(text)), typeOf(text)]).toEqual([null, 'image/svg+xml'])
  })

  it.each(readdirSync('client/public/connectors').filter((name) => name.endsWith('.svg')))(
    'can be uploaded if it ships with the product: %s',
    (name) => {
      expect(typeOf(readFileSync(`client/public/connectors/${name}`, 'utf8'))).toBe('image/svg+xml')
    },
  )

  const EVIL = 'https://evil.example/'
  it.each([
    // This namespace prefix contains a non-ASCII letter.
    [svg('<é:script xmlns:é="http://www.w3.org/2000/svg">alert(1)</é:script>'), '<é:script'],
    [svg('<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>'), '<s:script>'],
    [svg('<s:style xmlns:s="http://www.w3.org/2000/svg">@import "//evil.example"</s:style>'), '<s:style>'],
    [svg('<h:img xmlns:h="http://www.w3.org/1999/xhtml"/>'), 'xmlns:h="http://www.w3.org/1999/xhtml"'],
    [svg('<g xmlns="http://www.w3.org/1999/xhtml"/>'), 'xmlns="http://www.w3.org/1999/xhtml"'],
    [
      svg('<g xmlns:i="http://www.serif.com/"><g xmlns:i="http://www.w3.org/1999/xlink"/></g>'),
      'xmlns:i="http://www.w3.org/1999/xlink"',
    ],
    [svg('<x:rect/>'), '<x:rect>'],
    [svg('<rect x:y=""/>'), 'x:y of <rect>'],
    [
      svg('<ev:listener xmlns:ev="http://www.w3.org/2001/xml-events"/>'),
      'xmlns:ev="http://www.w3.org/2001/xml-events"',
    ],
    [svg('<new-element/>'), '<new-element>'],
    [svg('<foreignObject/>'), '<foreignObject>'],
    [svg('<animate attributeName="href"/>'), '<animate>'],
    [svg('<rect onclick="alert(1)"/>'), 'onclick of <rect>'],
    [svg('<rect onbegin="alert(1)"/>'), 'onbegin of <rect>'],
    [svg('<rect formaction="x"/>'), 'formaction of <rect>'],
    [svg('<g xml:base="https://evil.example/"/>'), 'xml:base of <g>'],
    [svg(`<use href="${EVIL}x.svg#a"/>`), 'href of <use>'],
    [svg(`<use xmlns:l="http://www.w3.org/1999/xlink" l:href="${EVIL}x.svg#a"/>`), 'l:href of <use>'],
    [svg(`<image href="${EVIL}x.png"/>`), 'href of <image>'],
    [svg('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>'), 'href of <image>'],
    [svg('<a href="&#x6a;avascript:alert(1)"/>'), 'href of <a>'],
    [svg('<a href="vbscript:x"/>'), 'href of <a>'],
    [svg(`<rect fill="url(${EVIL})"/>`), 'url(https://evil.example/) in fill of <rect>'],
    [svg(`<rect fill="u&#x72;l( '${EVIL}' )"/>`), 'url(https://evil.example/) in fill of <rect>'],
    [svg('<rect style="fill:\\75rl(//evil.example)"/>'), '\\ in style of <rect>'],
    [svg('<rect fill="image-set(\'//evil.example\' 1x)"/>'), 'image-set() in fill of <rect>'],
    [svg('<style>@import "//evil.example/x.css";</style>'), '@import in <style>'],
    [svg('<style><![CDATA[@imp]]>ort url(//evil.example)</style>'), '@import in <style>'],
    [svg('<style>a{b:"/*";background:url(//evil.example) /* */}</style>'), 'url(//evil.example) in <style>'],
    [svg('<style>a{behavior:expression(alert(1))}</style>'), 'expression() in <style>'],
    [svg('<style>a{}<g/></style>'), '<g> in <style>'],
    [
      svg('<style>@font-face{src:url(//evil.example/x.woff)}</style>'),
      'url(//evil.example/x.woff) in <style>',
    ],
    [svg('<text>&evil;</text>'), '&evil;'],
    [svg('<text>&nbsp;</text>'), '&nbsp;'],
    [svg('<?xpacket begin=""?>'), '<?xpacket'],
    [svg('<!ENTITY x "y">'), '<!ENTITY'],
    [svg('<g></svg>'), 'malformed XML'],
    [`${svg('')}</1>`, 'malformed XML'],
    [`${svg('')}text`, 'malformed XML'],
    [`${svg('')}<![CDATA[]]>`, 'malformed XML'],
    ['<svg>', 'malformed XML'],
    [`${svg('')}<g/>`, 'malformed XML'],
    [svg('<?a?>'), '<?a'],
    [`<?xml version="1.0" encoding="ISO-2022-JP"?>${svg('')}`, 'encoding ISO-2022-JP'],
    [svg('<g><style><![CDATA[@import "x"]]></style></g>'), '@import in <style>'],
    [svg('<g><style>@import "x"</style></g>'), '@import in <style>'],
    [svg('<g><style><g/></style></g>'), '<g> in <style>'],
    [svg('<rect style="behavior:x"/>'), 'behavior: in style of <rect>'],
    [svg('<use xml:href="#a"/>'), 'xml:href of <use>'],
    // Long values are shortened.
    [svg('', `xmlns:a="${'x'.repeat(90)}"`), `xmlns:a="${'x'.repeat(80)}"`],
    [svg(`<g xmlns="${'x'.repeat(90)}"/>`), `xmlns="${'x'.repeat(80)}"`],
    [svg(`<style>a{b:url(${'x'.repeat(50)})}</style>`), `url(${'x'.repeat(40)}) in <style>`],
    [svg('<!-- a -- b -->'), 'malformed XML'],
    [svg('<rect x=1/>'), '<rect>'],
    [`${svg('')}<script/>`, '<script>'],
    [`<?xml version="1.0"?><?xml-stylesheet href="x"?>${svg('')}`, '<?xml-stylesheet'],
    [
      `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x" [<!ENTITY ns_ai "http://ns.adobe.com/">]>${svg('')}`,
      '<!DOCTYPE [',
    ],
  ])('[ASVS-1.3.4-2] is rejected, and the forbidden part is reported: %s', (text, forbidden) => {
    expect(typeOf(text)).toBeNull()
    expect(findForbiddenPart(new TextEncoder().encode(text))).toBe(forbidden)
  })

  it('cannot be uploaded unless it is encoded in UTF-8', () => {
    expect(detectContentType(latin1Bytes(`${svg('')}\xff`))).toBeNull()
    expect(detectContentType(latin1Bytes(svg('<text>\xff</text>')))).toBeNull()
    const wide = new Uint8Array(new Uint16Array([...'\ufeff<svg/>'].map((char) => char.charCodeAt(0))).buffer)
    expect(detectContentType(wide)).toBeNull()
  })

  it.each([
    '<',
    '<a:',
    ' on',
    ' on ',
    '<!doctype',
    '<?',
    '&#',
    '&a',
    ' x:onx',
    'data:',
    '<!--',
    '"data:',
    'a=',
    ' a=""',
    '<g>',
    '<![CDATA[',
    '<?>',
  ])(
    '[ASVS-1.3.12] is scanned in linear time if it contains a megabyte of %j',
    (piece) => {
      // A scan in quadratic time would exceed the time limit of the test.
      const text = piece.repeat((1024 * 1024) / piece.length)
      expect([typeOf(svg(text)), typeOf(text)]).not.toContain(undefined)
    },
    30_000,
  )

  it.each(['a', '-', '@', 'a(', 'url(#', 'url( ', 'behavior ', '{}'])(
    '[ASVS-1.3.12-2] is scanned within a second if its style contains a megabyte of %j',
    (piece) => {
      const css = piece.repeat((1024 * 1024) / piece.length)
      const startedAt = performance.now()
      expect([typeOf(svg(`<style>${css}</style>`)), typeOf(svg('', `style="${css}"`))]).not.toContain(
        undefined,
      )
      expect(performance.now() - startedAt).toBeLessThan(1_000)
    },
    30_000,
  )
})
