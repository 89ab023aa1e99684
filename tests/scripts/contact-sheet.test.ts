import { expect, it } from 'vitest'
import { renderContactSheet } from '../../scripts/contact-sheet.mjs'

it('the contact sheet has one row per screen and one column per size and theme, with other pictures below', () => {
  const html = renderContactSheet([
    'code-dark-mobile.png',
    'code-light-desktop.png',
    'sign-in-mobile-light.png',
    'preview.png',
  ])
  const rows = [...html.matchAll(/<tr><th>(.*?)<\/th>(.*?)<\/tr>/g)].map(([, title, cells = '']) => ({
    title,
    cells: cells.split('</td>').map((cell) => /src="([^"]*)"/.exec(cell)?.[1] ?? '-'),
  }))
  expect(rows).toEqual([
    { title: 'code', cells: ['code-light-desktop.png', '-', '-', 'code-dark-mobile.png', '-'] },
    { title: 'sign in', cells: ['-', '-', 'sign-in-mobile-light.png', '-', '-'] },
  ])
  expect(html).toContain('<figcaption>preview</figcaption>')
})
