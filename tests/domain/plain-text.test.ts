import { expect, it } from 'vitest'
import { extractDigits } from '../../src/domain/digits.ts'
import { escapeHtml } from '../../src/domain/escape-html.ts'

it('digits extracted from text include full-width, Arabic and Persian digits', () => {
  expect(extractDigits('+49 (30) 1２３-a4')).toBe('49301234')
  expect(extractDigits('٠٩ ۰۹ ٪½')).toBe('090912')
})

it('HTML escaping replaces special characters with character references', () => {
  expect(escapeHtml(`<a href="x" title='y'>&</a>`)).toBe(
    '&#60;a href=&#34;x&#34; title=&#39;y&#39;&#62;&#38;&#60;/a&#62;',
  )
})
