import { describe, expect, it } from 'vitest'
import { layoutClass, renderLayoutPicture } from '../../../src/domain/experience/page-layout.ts'

describe('a page’s layout', () => {
  it('has a CSS class', () => {
    expect(layoutClass({ type: 'Split' })).toBe('layout-split')
  })

  it('has a panel with the image only if it is split', () => {
    expect(renderLayoutPicture({ type: 'Card' })).toBe('')
    expect(renderLayoutPicture({ type: 'Split' })).toBe('<picture class="vestibule-picture"></picture>')
    const html = renderLayoutPicture({ type: 'Split', pictureUrl: 'https://cdn.example/a.png?b&"c' })
    expect(html).toMatch(/^<picture class="vestibule-picture"><source .*<\/picture>$/)
    expect(html).toContain('<img src="https://cdn.example/a.png?b&#38;&#34;c" alt="" fetchpriority="low">')
  })

  it('loads no image in windows that are too narrow to show it', () => {
    const html = renderLayoutPicture({ type: 'Split', pictureUrl: '/a.png' })
    expect(html).toContain('<source media="(max-width:899.98px)" srcset="data:image/gif;base64,')
  })
})
