import { describe, expect, it } from 'vitest'
import { ApiProblem } from '../../console/api/problem.ts'
import {
  configProblems,
  freeId,
  type Inputs,
  type Item,
  inputsOf,
  readConfig,
} from '../../console/areas/connectors/config.ts'
import { readMarkdown } from '../../console/areas/connectors/markdown.ts'
import { SECRET_PLACEHOLDER } from '../../src/contract/connectors.ts'

const items: Item[] = [
  { key: 'host', label: 'Host', type: 'Text', required: true },
  { key: 'port', label: 'Port', type: 'Number', defaultValue: 587 },
  { key: 'secure', label: 'TLS', type: 'Switch' },
  { key: 'auth', label: 'Login', type: 'Json', isSecret: true },
  {
    key: 'realm',
    label: 'Realm',
    type: 'Text',
    showConditions: [{ targetKey: 'secure', expectValue: true }],
  },
]

describe('the form of a connector (spec/console#connectors)', () => {
  it('begins with the defaults, and for a stored one without its secrets', () => {
    expect(inputsOf(items, null)).toEqual({ host: '', port: '587', secure: false, auth: '', realm: '' })
    const stored = { host: 'mx', port: 25, secure: true, auth: SECRET_PLACEHOLDER }
    expect(inputsOf(items, stored)).toEqual({ host: 'mx', port: '25', secure: true, auth: '', realm: '' })
  })

  const read = (inputs: Inputs, stored: Record<string, unknown> | null = null) =>
    readConfig(items, { host: 'mx', ...inputs }, stored)

  it.each<{
    name: string
    inputs: Inputs
    stored?: Record<string, unknown>
    config: Record<string, unknown>
  }>([
    { name: 'leaves out what is empty', inputs: { port: '' }, config: { host: 'mx' } },
    {
      name: 'reads numbers and JSON',
      inputs: { port: '25', auth: '{"user":"u"}' },
      config: { host: 'mx', port: 25, auth: { user: 'u' } },
    },
    {
      name: 'leaves it to the server to refuse a number',
      inputs: { port: 'x' },
      config: { host: 'mx', port: 'x' },
    },
    {
      name: 'keeps a stored secret whose field is empty, and keys without a field',
      inputs: { auth: '' },
      stored: { auth: SECRET_PLACEHOLDER, other: 1 },
      config: { host: 'mx', auth: SECRET_PLACEHOLDER, other: 1 },
    },
    {
      name: 'leaves out a field that is not shown',
      inputs: { realm: 'r', secure: false },
      config: { host: 'mx', secure: false },
    },
    {
      name: 'reads a field that is shown',
      inputs: { realm: 'r', secure: true },
      config: { host: 'mx', secure: true, realm: 'r' },
    },
  ])('$name', ({ inputs, stored, config }) => {
    expect(read(inputs, stored)).toEqual({ kind: 'config', config })
  })

  it('names fields that are needed or no JSON', () => {
    expect(read({ host: ' ', auth: '{' })).toEqual({
      kind: 'faults',
      faults: { host: 'required', auth: 'json' },
    })
  })

  it.each([['config', 'host', 'sub'], 'host.sub'])('finds the field of a refusal at %s', (path) => {
    const data = { issues: [{ path, message: 'wrong' }] }
    const problem = new ApiProblem({ status: 400, code: 'guard.invalid_input', message: '', data })
    expect(configProblems(problem)).toEqual({ host: 'wrong' })
  })

  it.each([
    { target: 'google', taken: [], id: 'google' },
    { target: 'google', taken: ['google', 'google-2'], id: 'google-3' },
    { target: 'a b', taken: ['x'], id: 'a-b' },
  ])('chooses the id $id', ({ target, taken, id }) => {
    expect(freeId(target, taken)).toBe(id)
  })
})

describe('the Markdown of guides', () => {
  it('is lists, paragraphs, headings and code', () => {
    const text = '# Title\nBegin:\n\n1. one\n   more\n2. **two** `x`\n\n- a\n\n```json\n{\n\n}\n```\nEnd'
    expect(readMarkdown(text)).toEqual([
      { kind: 'heading', content: [{ kind: 'text', text: 'Title' }] },
      { kind: 'paragraph', content: [{ kind: 'text', text: 'Begin:' }] },
      {
        kind: 'list',
        isOrdered: true,
        items: [
          [{ kind: 'text', text: 'one more' }],
          [
            { kind: 'strong', text: 'two' },
            { kind: 'text', text: ' ' },
            { kind: 'code', text: 'x' },
          ],
        ],
      },
      { kind: 'list', isOrdered: false, items: [[{ kind: 'text', text: 'a' }]] },
      { kind: 'code', text: '{\n\n}' },
      { kind: 'paragraph', content: [{ kind: 'text', text: 'End' }] },
    ])
  })

  it('links to https alone', () => {
    expect(readMarkdown('[a](https://a.example/x) [b](javascript:alert(1))')).toEqual([
      {
        kind: 'paragraph',
        content: [
          { kind: 'link', text: 'a', href: 'https://a.example/x' },
          { kind: 'text', text: ' [b](javascript:alert(1))' },
        ],
      },
    ])
  })
})
