import { describe, expect, it } from 'vitest'
import { layoutClass, renderLayoutPicture } from '../../../src/domain/experience/page-layout.ts'

describe('the layout of a page', () => {
  it('has a class', () => {
    expect(layoutClass({ type: 'Split' })).toBe('layout-split')
  })

  it('has a panel with the picture only if it is split', () => {
    expect(renderLayoutPicture({ type: 'Card' })).toBe('')
    expect(renderLayoutPicture({ type: 'Split' })).toBe('<picture class="vestibule-picture"></picture>')
    const html = renderLayoutPicture({ type: 'Split', pictureUrl: 'https://cdn.example/a.png?b&"c' })
    expect(html).toMatch(/^<picture class="vestibule-picture"><source .*<\/picture>$/)
    expect(html).toContain('<img src="https://cdn.example/a.png?b&#38;&#34;c" alt="" fetchpriority="low">')
  })

  it('loads no picture in windows that are too narrow to show it', () => {
    const html = renderLayoutPicture({ type: 'Split', pictureUrl: '/a.png' })
    expect(html).toContain('<source media="(max-width:899.98px)" srcset="data:image/gif;base64,')
  })
})
