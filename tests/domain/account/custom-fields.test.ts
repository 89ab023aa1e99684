import { describe, expect, it } from 'vitest'
import {
  CUSTOM_FIELD_PREFIX,
  type CustomField,
  isFieldKey,
} from '../../../src/contract/account/custom-fields.ts'
import {
  fieldName,
  findFieldValueProblem,
  formatFieldValue,
  localizedText,
  parseFieldInput,
} from '../../../src/domain/account/custom-fields.ts'

/** Tests the values of fields that a tenant defines (spec/account-centre#custom-fields). */

const common = { key: 'field', label: { en: 'Field' }, access: 'edit', required: false } as const
const text: CustomField = { ...common, type: 'text', minLength: 2, maxLength: 4 }
const number: CustomField = { ...common, type: 'number', min: 0, max: 10 }
const date: CustomField = { ...common, type: 'date', min: '2000-01-01', max: '2026-12-31' }
const checkbox: CustomField = { ...common, type: 'checkbox' }
const select: CustomField = { ...common, type: 'select', options: [{ value: 'a', label: { en: 'A' } }] }
const url: CustomField = { ...common, type: 'url' }

describe.each([
  {
    field: text,
    valid: ['ab', 'abcd'],
    invalid: ['a', 'abcde', 'a\nb', 'a\0b', '\ud800b', 12, {}, ['ab'], true],
  },
  { field: number, valid: [0, 10, 2.5], invalid: [-0.1, 10.1, '5', Number.NaN, true] },
  {
    field: date,
    valid: ['2000-01-01', '2024-02-29'],
    invalid: ['1999-12-31', '2027-01-01', '2023-02-29', '2023'],
  },
  { field: checkbox, valid: [true], invalid: ['true', 1, {}] },
  { field: select, valid: ['a'], invalid: ['b', 'A', 1] },
  {
    field: url,
    valid: ['https://a.example/b', 'http://a.example'],
    invalid: [
      'javascript:alert(1)',
      'data:text/html,x',
      'a.example',
      'https://a b',
      `https://${'a'.repeat(2048)}`,
    ],
  },
])('a field of type $field.type', ({ field, valid, invalid }) => {
  it('accepts valid values', () => {
    expect(valid.filter((value) => findFieldValueProblem(field, value) !== null)).toEqual([])
  })
  it('rejects invalid values', () => {
    expect(invalid.filter((value) => findFieldValueProblem(field, value) !== 'invalid')).toEqual([])
  })
  it('can be empty unless it is required', () => {
    for (const empty of [null, '']) {
      expect([
        findFieldValueProblem(field, empty),
        findFieldValueProblem({ ...field, required: true }, empty),
      ]).toEqual([null, 'missing'])
    }
  })
})

it('a text field without a configured limit accepts at most 1,024 characters', () => {
  const free: CustomField = { ...common, type: 'text' }
  expect([
    findFieldValueProblem(free, 'x'.repeat(1024)),
    findFieldValueProblem(free, 'x'.repeat(1025)),
  ]).toEqual([null, 'invalid'])
})

it('a required checkbox must be selected', () => {
  expect(findFieldValueProblem({ ...checkbox, required: true }, false)).toBe('missing')
  expect(findFieldValueProblem(checkbox, false)).toBeNull()
})

it.each([
  { field: number, input: '2.5', value: 2.5 },
  { field: number, input: '-3', value: -3 },
  { field: number, input: '1e3', value: 1000 },
  { field: number, input: '1e999', value: undefined },
  { field: number, input: '0x10', value: undefined },
  { field: number, input: '2,5', value: undefined },
  { field: checkbox, input: 'true', value: true },
  { field: checkbox, input: 'on', value: undefined },
  { field: text, input: '007', value: '007' },
  { field: text, input: '', value: null },
  { field: checkbox, input: '', value: null },
  { field: date, input: '2024-02-30', value: '2024-02-30' },
  { field: select, input: 'z', value: 'z' },
  { field: url, input: 'a.example', value: 'a.example' },
])('input $input for a field of type $field.type is parsed as $value', ({ field, input, value }) => {
  expect(parseFieldInput(field, input)).toBe(value)
})

it.each([
  { field: text, stored: 'ab', expected: 'ab' },
  { field: text, stored: 12, expected: '12' },
  // Another application may have stored this value before the field was defined.
  { field: text, stored: { a: 1 }, expected: '' },
  { field: checkbox, stored: true, expected: 'true' },
  { field: checkbox, stored: 'yes', expected: '' },
  { field: number, stored: undefined, expected: '' },
])(
  'a field of type $field.type shows the stored value $stored as $expected',
  ({ field, stored, expected }) => {
    expect(formatFieldValue(field, { field: stored })).toBe(expected)
  },
)

it.each([
  ['de-AT', 'Abteilung'],
  ['pt-BR', 'Setor'],
  ['fr', 'Department'],
])('the field label in the language %s is %s', (language, label) => {
  expect(localizedText({ en: 'Department', de: 'Abteilung', 'pt-BR': 'Setor' }, language)).toBe(label)
})

it('a field without an English label has an empty label in other languages', () => {
  expect(localizedText({ de: 'Abteilung' } as unknown as CustomField['label'], 'fr')).toBe('')
})

it('a field’s name in forms has a prefix that no other form field has', () => {
  expect(fieldName({ key: 'size' })).toBe(`${CUSTOM_FIELD_PREFIX}size`)
})

it.each(['__proto__', 'constructor', 'toString', 'a.b', '1a', '', 'a'.repeat(65), 'ä'])(
  '%j is not a valid field key',
  (key) => {
    expect(isFieldKey(key)).toBe(false)
  },
)
