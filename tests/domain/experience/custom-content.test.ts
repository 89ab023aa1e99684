import { describe, expect, it } from 'vitest'
import {
  getElementTreatment,
  linkAttributes,
  sanitizeAttribute,
} from '../../../src/domain/experience/custom-content.ts'

describe('a link in custom content', () => {
  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\\evil.example',
    '/help\\..\\..\\evil.example',
    '/\u0001/evil.example',
    '\u0001//evil.example',
    '/\u007f/evil.example',
    '/&Tab;/evil.example',
    '/&#9;/evil.example',
    '/&#x0A;/evil.example',
    '/&NewLine;/evil.example',
    '/&sol;evil.example',
    '/&#47;evil.example',
    '/&bsol;evil.example',
  ])('[ASVS-1.2.2] is not treated as local: %j', (address) => {
    expect(sanitizeAttribute('a', 'href', address)).toBeNull()
    expect(sanitizeAttribute('img', 'src', address)).toBeNull()
    expect(sanitizeAttribute('img', 'srcset', address)).toBeNull()
  })

  it.each(['/', '/help', '/help?a=1&b=2', '/help?a=1&amp;b=2#top'])('is treated as local: %s', (address) => {
    expect(sanitizeAttribute('a', 'href', ` ${address} `)).toBe(address)
    expect(sanitizeAttribute('img', 'src', ` ${address} `)).toBe(address)
  })

  it.each([
    ['https://help.example/a', 'https://help.example/a'],
    ['HTTP://help.example', 'HTTP://help.example'],
    ['mailto:help@acme.example', 'mailto:help@acme.example'],
    ['tel:+4930', 'tel:+4930'],
    // Element ids and links to them get a prefix.
    ['#terms', '#custom-terms'],
    ['javascript:alert(1)', null],
    ['x-https://help.example', null],
    ['x-mailto:help@acme.example', null],
    ['help', null],
    ['a/help', null],
    ['', null],
  ])('is rewritten from %s to %s', (address, expected) => {
    expect(sanitizeAttribute('a', 'href', address)).toBe(expected)
  })

  it('opens in a new tab if it points to another site', () => {
    const newTab = [
      ['target', '_blank'],
      ['rel', 'noopener'],
    ]
    expect(linkAttributes('https://help.example')).toEqual(newTab)
    expect(linkAttributes('HTTP://help.example')).toEqual(newTab)
    expect(linkAttributes('/help')).toEqual([])
    expect(linkAttributes('mailto:a@b.example?x=https://help.example')).toEqual([])
    expect(linkAttributes(null)).toEqual([])
  })
})

describe('a picture in custom content', () => {
  it.each([
    ['https://cdn.example/a.png', true],
    ['HTTPS://cdn.example/a.png', true],
    ['data:image/png;base64,AAAA', true],
    ['data:image/svg+xml,<svg/>', true],
    ['DATA:image/webp;base64,AAAA', true],
    ['http://cdn.example/a.png', false],
    ['xhttps://cdn.example/a.png', false],
    ['data:text/html,a', false],
    ['data:image/pngx,a', false],
    ['xdata:image/png,a', false],
    ['mailto:a@b.example', false],
  ])('is kept if its source is %s: %s', (address, isKept) => {
    expect(sanitizeAttribute('img', 'src', address)).toBe(isKept ? address : null)
  })

  it('can have several `srcset` candidates if all of them are allowed', () => {
    const set = '/a.png 1x, https://cdn.example/b,c.png 2x'
    for (const element of ['img', 'source']) {
      expect(sanitizeAttribute(element, 'srcset', ` ${set} `)).toBe(set)
      expect(sanitizeAttribute(element, 'srcset', '/a.png 1x,   /b.png 2x')).toBe('/a.png 1x, /b.png 2x')
      expect(sanitizeAttribute(element, 'srcset', '/a.png 1x, http://cdn.example/b.png 2x')).toBeNull()
    }
  })
})

describe('an attribute in custom content', () => {
  it('is kept on the elements that allow it', () => {
    expect(sanitizeAttribute('p', 'id', 'root')).toBe('custom-root')
    expect(sanitizeAttribute('p', 'class', 'a b')).toBe('a b')
    expect(sanitizeAttribute('p', 'aria-label', 'a')).toBe('a')
    expect(sanitizeAttribute('td', 'colspan', '2')).toBe('2')
    expect(sanitizeAttribute('img', 'alt', 'Acme')).toBe('Acme')
  })

  it.each([
    ['p', 'onclick'],
    ['p', 'style'],
    ['p', 'href'],
    ['p', 'colspan'],
    ['a', 'src'],
    ['img', 'href'],
    ['source', 'src'],
    ['a', 'ping'],
  ])('is removed from any other element: <%s %s>', (element, name) => {
    expect(sanitizeAttribute(element, name, '/a')).toBeNull()
  })
})

it('an element in custom content is kept, unwrapped or removed', () => {
  expect(['a', 'p', 'img', 'wbr'].map(getElementTreatment)).toEqual(['kept', 'kept', 'kept', 'kept'])
  expect(['form', 'button', 'x-tag'].map(getElementTreatment)).toEqual([
    'unwrapped',
    'unwrapped',
    'unwrapped',
  ])
  expect(['applet', 'script', 'style', 'video', 'xmp'].map(getElementTreatment)).toEqual(
    Array.from({ length: 5 }, () => 'dropped'),
  )
})
