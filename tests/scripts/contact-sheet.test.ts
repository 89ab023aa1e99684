import { expect, it } from 'vitest'
import { renderContactSheet } from '../../scripts/contact-sheet.mjs'

it('the contact sheet has a table per family, a row per screen and a column per view, with other files below', () => {
  const html = renderContactSheet([
    'code-wrong-ar-mobile-dark.png',
    'code-wrong-en-desktop-light.png',
    'code-sent-again-en-desktop-light.png',
    'sign-in-mobile-light.png',
    'preview.png',
    'mails/SignIn-en.html',
  ])
  const tables = [...html.matchAll(/<h2 id="(\w+)">.*?<table>(.*?)<\/table>/gs)].map(
    ([, family, table = '']) => ({
      family,
      columns: [...table.matchAll(/<th>([^<]*)<\/th>(?!<td)/g)].map(([, column]) => column),
      rows: [...table.matchAll(/<tr><th>([^<]*)<\/th>(<td.*?)<\/tr>/g)].map(([, title, cells = '']) => [
        title,
        ...cells.split('</td>').flatMap((cell) => (cell ? [/src="([^"]*)"/.exec(cell)?.[1] ?? '-'] : [])),
      ]),
    }),
  )
  expect(tables).toEqual([
    {
      family: 'code',
      columns: ['Screen', 'en desktop light', 'ar mobile dark'],
      rows: [
        ['wrong', 'code-wrong-en-desktop-light.png', 'code-wrong-ar-mobile-dark.png'],
        ['sent again', 'code-sent-again-en-desktop-light.png', '-'],
      ],
    },
    { family: 'sign', columns: ['Screen', 'en mobile light'], rows: [['in', 'sign-in-mobile-light.png']] },
  ])
  expect(html).toContain('<figcaption>preview</figcaption>')
  expect(html).toContain('<a href="mails/SignIn-en.html">')
})
