import { describe, expect, it } from 'vitest'
import { type CustomField, isFieldKey } from '../../../src/contract/account/custom-fields.ts'
import {
  fieldFault,
  formatFieldValue,
  localizedText,
  parseFieldInput,
} from '../../../src/domain/account/custom-fields.ts'

/** What the fields hold that a tenant defines (spec/account-centre#custom-fields). */

const common = { key: 'field', label: { en: 'Field' }, access: 'edit', required: false } as const
const text: CustomField = { ...common, type: 'text', minLength: 2, maxLength: 4 }
const number: CustomField = { ...common, type: 'number', min: 0, max: 10 }
const date: CustomField = { ...common, type: 'date', min: '2000-01-01', max: '2026-12-31' }
const checkbox: CustomField = { ...common, type: 'checkbox' }
const select: CustomField = { ...common, type: 'select', options: [{ value: 'a', label: { en: 'A' } }] }
const url: CustomField = { ...common, type: 'url' }

describe.each([
  { field: text, fits: ['ab', 'abcd'], not: ['a', 'abcde', 'a\nb', 'a\0b', '\ud800b', 12, {}, ['ab'], true] },
  { field: number, fits: [0, 10, 2.5], not: [-0.1, 10.1, '5', Number.NaN, true] },
  {
    field: date,
    fits: ['2000-01-01', '2024-02-29'],
    not: ['1999-12-31', '2027-01-01', '2023-02-29', '2023'],
  },
  { field: checkbox, fits: [true], not: ['true', 1, {}] },
  { field: select, fits: ['a'], not: ['b', 'A', 1] },
  {
    field: url,
    fits: ['https://a.example/b', 'http://a.example'],
    not: [
      'javascript:alert(1)',
      'data:text/html,x',
      'a.example',
      'https://a b',
      `https://${'a'.repeat(2048)}`,
    ],
  },
])('a field of type $field.type', ({ field, fits, not }) => {
  it('takes what fits it', () => {
    expect(fits.filter((value) => fieldFault(field, value) !== null)).toEqual([])
  })
  it('refuses what does not', () => {
    expect(not.filter((value) => fieldFault(field, value) !== 'invalid')).toEqual([])
  })
  it('takes nothing unless it is required', () => {
    expect([fieldFault(field, null), fieldFault({ ...field, required: true }, null)]).toEqual([
      null,
      'missing',
    ])
  })
})

it('a text without limits of its own has 1,024 characters at most', () => {
  const free: CustomField = { ...common, type: 'text' }
  expect([fieldFault(free, 'x'.repeat(1024)), fieldFault(free, 'x'.repeat(1025))]).toEqual([null, 'invalid'])
})

it('a box that must be ticked is refused where it is not', () => {
  expect(fieldFault({ ...checkbox, required: true }, false)).toBe('missing')
  expect(fieldFault(checkbox, false)).toBeNull()
})

it.each([
  { field: number, typed: '2.5', value: 2.5 },
  { field: number, typed: '-3', value: -3 },
  { field: number, typed: '1e3', value: 1000 },
  { field: number, typed: '1e999', value: undefined },
  { field: number, typed: '0x10', value: undefined },
  { field: number, typed: '2,5', value: undefined },
  { field: checkbox, typed: 'true', value: true },
  { field: checkbox, typed: 'on', value: undefined },
  { field: text, typed: '007', value: '007' },
  { field: text, typed: '', value: null },
])('$typed typed into a $field.type is $value', ({ field, typed, value }) => {
  expect(parseFieldInput(field, typed)).toBe(value)
})

it.each([
  { field: text, stored: 'ab', shown: 'ab' },
  { field: text, stored: 12, shown: '12' },
  // Of another application, before the field was defined.
  { field: text, stored: { a: 1 }, shown: '' },
  { field: checkbox, stored: true, shown: 'true' },
  { field: checkbox, stored: 'yes', shown: '' },
  { field: number, stored: undefined, shown: '' },
])('$stored is shown by a $field.type as $shown', ({ field, stored, shown }) => {
  expect(formatFieldValue(field, { field: stored })).toBe(shown)
})

it.each([
  ['de-AT', 'Abteilung'],
  ['pt-BR', 'Setor'],
  ['fr', 'Department'],
])('a label in %s is %s', (language, label) => {
  expect(localizedText({ en: 'Department', de: 'Abteilung', 'pt-BR': 'Setor' }, language)).toBe(label)
})

it.each(['__proto__', 'constructor', 'toString', 'a.b', '1a', '', 'a'.repeat(65), 'ä'])(
  '%j is no key of a field',
  (key) => {
    expect(isFieldKey(key)).toBe(false)
  },
)
