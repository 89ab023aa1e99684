import fc from 'fast-check'

/** Texts that parsers, indexes, encoders and databases often mishandle. */
const oddTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfff',
  '\u202e',
  '\r\nx-evil: 1',
  '__proto__',
  'constructor',
  'null',
  '%00',
  '%',
  '_',
  '*',
  "'; drop table users; --",
  '"',
  '\\',
  '{{code}}',
  '<script>',
  '../../etc/passwd',
  '1e400',
  '👩‍👩‍👧',
  'ß'.repeat(200),
  '\uffff',
  'x'.repeat(5_000),
]
const oddNumbers = [0, -1, -0.5, 1.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1e300, 5e-324]
const nested = (depth: number) => JSON.parse('{"a":['.repeat(depth) + ']}'.repeat(depth)) as unknown

export const oddText = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)

/** Generates any JSON value. */
export const oddValue = fc.oneof(
  oddText,
  fc.constantFrom<unknown>(...oddNumbers, null, true, false, [], {}, [[]], [null], { '': '' }, nested(50)),
  fc.jsonValue({ maxDepth: 2 }),
)
