import { describe, expect, it } from 'vitest'
import { ApiProblem } from '../../console/api/problem.ts'
import {
  buildConfigBody,
  configProblems,
  defaultConfig,
  type FormItem,
  findFaults,
  looksUnusual,
  parseFieldValue,
  toInput,
} from '../../console/areas/connectors/config.ts'
import { readSendingFailure } from '../../console/areas/connectors/failure.tsx'
import { parseMarkdown } from '../../console/areas/connectors/markdown.ts'
import { findCause, findMissingIdentifiers } from '../../console/areas/connectors/test-outcome.ts'
import { describeVerdict, isFailure, type Verdict } from '../../console/areas/connectors/verdict.ts'
import { SECRET_PLACEHOLDER } from '../../src/contract/connectors/connectors.ts'
import { chooseConnectorId } from '../../src/domain/connectors/connector-id.ts'

const items: FormItem[] = [
  { key: 'host', label: 'Host', type: 'Text', required: true },
  { key: 'port', label: 'Port', type: 'Number', defaultValue: 587 },
  { key: 'secure', label: 'TLS', type: 'Switch' },
  { key: 'auth', label: 'Login', type: 'Json', isSecret: true },
  { key: 'login.user', label: 'User name', type: 'Text' },
  { key: 'login.pass', label: 'Password', type: 'Text', isSecret: true },
  {
    key: 'realm',
    label: 'Realm',
    type: 'Text',
    showConditions: [{ targetKey: 'secure', expectValue: true }],
  },
]
const findItem = (key: string) => items.find((item) => item.key === key) as FormItem

describe('a connector form (spec/console#connectors)', () => {
  it('initially contains the default values', () => {
    expect(defaultConfig(items)).toEqual({ host: null, port: 587, secure: false, auth: null, realm: null })
  })

  it.each<{ name: string; key: string; value: unknown; input: string | boolean }>([
    { name: 'a number', key: 'port', value: 25, input: '25' },
    { name: 'an object', key: 'auth', value: { user: 'u' }, input: '{\n  "user": "u"\n}' },
    { name: 'a stored secret', key: 'auth', value: SECRET_PLACEHOLDER, input: '' },
    { name: 'an absent switch', key: 'secure', value: null, input: false },
  ])('shows $name', ({ key, value, input }) => {
    expect(toInput(findItem(key), value)).toBe(input)
  })

  it.each<{ name: string; key: string; input: string; stored?: Record<string, unknown>; value: unknown }>([
    { name: 'a blank input as no value', key: 'port', input: ' ', value: null },
    { name: 'text without surrounding spaces', key: 'host', input: ' mx ', value: 'mx' },
    { name: 'a number', key: 'port', input: '25', value: 25 },
    { name: 'an invalid number as text, which the server rejects', key: 'port', input: 'x', value: 'x' },
    { name: 'JSON', key: 'auth', input: '{"user":"u"}', value: { user: 'u' } },
    { name: 'incomplete JSON as text', key: 'auth', input: '{', value: '{' },
    {
      name: 'an empty input as the stored secret',
      key: 'auth',
      input: '',
      stored: { auth: SECRET_PLACEHOLDER },
      value: SECRET_PLACEHOLDER,
    },
  ])('parses $name', ({ key, input, stored = null, value }) => {
    expect(parseFieldValue(findItem(key), input, stored)).toEqual(value)
  })

  it('reports visible fields that are required but empty, or contain invalid JSON', () => {
    expect(findFaults(items, { host: null, auth: '{' })).toEqual({ host: 'required', auth: 'json' })
    expect(findFaults(items, { host: 'mx', auth: SECRET_PLACEHOLDER })).toEqual({})
    const hidden: FormItem[] = items.map((item) => ({ ...item, required: true }))
    const config = { host: 'mx', port: 25, secure: false, auth: {}, login: { user: 'u', pass: 'p' } }
    expect(findFaults(hidden, config)).toEqual({})
    expect(findFaults(hidden, { ...config, secure: true })).toEqual({ realm: 'required' })
  })

  it('sends all values except hidden fields, even values without a field', () => {
    const config = { host: 'mx', port: null, secure: false, auth: SECRET_PLACEHOLDER, realm: 'r', other: 1 }
    expect(buildConfigBody(items, config)).toEqual({
      host: 'mx',
      secure: false,
      auth: SECRET_PLACEHOLDER,
      other: 1,
    })
    expect(buildConfigBody(items, { ...config, secure: true })).toMatchObject({ realm: 'r' })
  })

  it.each<{ name: string; login: object | null; stored: object | null; sent: object | undefined }>([
    { name: 'nothing', login: null, stored: null, sent: undefined },
    { name: 'both', login: { user: 'u', pass: 'p' }, stored: null, sent: { user: 'u', pass: 'p' } },
    {
      name: 'another user name',
      login: { type: 'login', user: 'u' },
      stored: { type: 'login', user: 'o', pass: SECRET_PLACEHOLDER },
      sent: { type: 'login', user: 'u', pass: SECRET_PLACEHOLDER },
    },
    {
      name: 'no user name any more',
      login: { type: 'login', user: null, pass: SECRET_PLACEHOLDER },
      stored: { type: 'login', user: 'o', pass: SECRET_PLACEHOLDER },
      sent: undefined,
    },
    {
      name: 'a hidden user name, which repeats the password',
      login: { user: SECRET_PLACEHOLDER, pass: SECRET_PLACEHOLDER },
      stored: { user: SECRET_PLACEHOLDER, pass: SECRET_PLACEHOLDER },
      sent: { user: SECRET_PLACEHOLDER, pass: SECRET_PLACEHOLDER },
    },
    { name: 'a password alone', login: { user: null, pass: 'p' }, stored: null, sent: { pass: 'p' } },
  ])('sends the object of two fields that contain $name', ({ login, stored, sent }) => {
    const body = buildConfigBody(items, { host: 'mx', login }, { host: 'mx', login: stored })
    expect(body.login).toEqual(sent)
  })

  it.each([['config', 'host', 'sub'], 'host.sub'])(
    'shows an error about %s next to the matching field',
    (path) => {
      const data = { issues: [{ path, message: 'wrong' }] }
      const problem = new ApiProblem({ status: 400, code: 'guard.invalid_input', message: '', data })
      expect(configProblems(problem)).toEqual({ host: 'wrong', 'host.sub': 'wrong' })
    },
  )

  it.each([
    { target: 'google', taken: [], id: 'google' },
    { target: 'google', taken: ['google', 'google-2'], id: 'google-3' },
    { target: 'a b', taken: ['x'], id: 'a-b' },
    { target: '会社', taken: ['connector'], id: 'connector-2' },
    { target: 'x'.repeat(128), taken: ['x'.repeat(120)], id: `${'x'.repeat(120)}-2` },
  ])('suggests the id $id for the target $target', ({ target, taken, id }) => {
    expect(chooseConnectorId(target, taken)).toBe(id)
  })
})

describe('a sign-in test’s outcome', () => {
  const signUp = (...identifiers: ('username' | 'email' | 'phone')[]) => ({
    identifiers,
    password: false,
    verify: true,
  })

  it.each([
    { required: signUp(), profile: {}, missing: [] },
    { required: signUp('email'), profile: { email: 'a@b.example' }, missing: [] },
    { required: signUp('email'), profile: { phone: '491' }, missing: ['email'] },
    { required: signUp('email', 'phone'), profile: { phone: '491' }, missing: [] },
    { required: signUp('email', 'phone'), profile: {}, missing: ['email', 'phone'] },
    { required: signUp('username', 'email'), profile: { email: 'a@b.example' }, missing: ['username'] },
  ])(
    'lists $missing as missing for a new user with the profile $profile',
    ({ required, profile, missing }) => {
      expect(findMissingIdentifiers({ id: '1', ...profile }, required)).toEqual(missing)
    },
  )

  it.each([
    { code: 'connector.authorization_failed', data: { error: 'access_denied' }, cause: 'cancelled' },
    { code: 'connector.authorization_failed', data: undefined, cause: 'otherIssuer' },
    { code: 'connector.general', data: { error: 'invalid_scope' }, cause: 'sentBack' },
    { code: 'connector.general', data: undefined, cause: 'noAnswer' },
    { code: 'connector.social_auth_code_invalid', data: undefined, cause: 'code' },
    { code: 'connector.not_implemented', data: undefined, cause: 'other' },
  ])('has the cause "$cause" for the error $code with the data $data', ({ code, data, cause }) => {
    expect(findCause({ code, data })).toBe(cause)
  })
})

describe('Markdown in guides', () => {
  it('supports lists, paragraphs, headings and code', () => {
    const text = '# Title\nBegin:\n\n1. one\n   more\n2. **two** `x`\n\n- a\n\n```json\n{\n\n}\n```\nEnd'
    expect(parseMarkdown(text)).toEqual([
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

  it('can link only to https URLs', () => {
    expect(parseMarkdown('[a](https://a.example/x) [b](javascript:alert(1))')).toEqual([
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

describe('a credential check (spec/connectors#credential-check)', () => {
  it.each<Verdict & { phrase: string; word: string | null; isBad: boolean }>([
    { outcome: 'accepted', reason: null, phrase: 'accepted', word: null, isBad: false },
    { outcome: 'refused', reason: 'invalid_client', phrase: 'refused', word: 'invalid_client', isBad: true },
    { outcome: 'unclear', reason: 'status 418', phrase: 'unclear', word: 'status 418', isBad: false },
    { outcome: 'unreachable', reason: 'general', phrase: 'unreachable', word: null, isBad: true },
    { outcome: 'unreachable', reason: 'timed out', phrase: 'tooLate', word: null, isBad: true },
    { outcome: 'unreachable', reason: 'invalid_response', phrase: 'unreadable', word: null, isBad: true },
    {
      ...{ outcome: 'unreachable', reason: 'certificate', phrase: 'certificateFailure', word: null },
      isBad: true,
    },
    { outcome: 'unsupported', reason: null, phrase: 'unsupported', word: null, isBad: false },
  ])('shows the phrase $phrase for the outcome $outcome ($reason), and quotes only the provider', (row) => {
    const { phrase, word, isBad } = row
    expect(describeVerdict(row)).toEqual({ phrase, word })
    expect(isFailure(row)).toBe(isBad)
  })

  it('reads why a message failed, with the answer of the server', () => {
    const failed = (data: unknown) =>
      readSendingFailure(new ApiProblem({ status: 400, code: 'connector.general', message: 'x', data }))
    const error = 'connector.general'
    expect(failed({ reason: 'sender', answer: '550 no' })).toEqual({
      reason: 'sender',
      answer: '550 no',
      error,
    })
    expect(failed({ reason: 'timeout' })).toEqual({ reason: 'timeout', answer: null, error })
    for (const data of [undefined, { issues: [] }, { reason: 'other' }]) expect(failed(data)).toBeNull()
  })
})

it.each<{ placeholder?: string; typed: string; isUnusual: boolean }>([
  { placeholder: '….apps.example', typed: 'acme', isUnusual: true },
  { placeholder: '….apps.example', typed: ' 1.apps.example ', isUnusual: false },
  { placeholder: 'AC…', typed: 'MG1', isUnusual: true },
  { placeholder: 'AC…', typed: 'AC1', isUnusual: false },
  { placeholder: 'AC…', typed: '', isUnusual: false },
  { placeholder: 'smtp.example.com', typed: 'acme', isUnusual: false },
  { typed: 'acme', isUnusual: false },
])(
  'the value “$typed” looks unusual beside the placeholder $placeholder: $isUnusual (spec/connectors#form-items)',
  (row) => {
    const { isUnusual, typed, placeholder } = row
    expect(
      looksUnusual({ key: 'id', label: 'ID', type: 'Text', ...(placeholder && { placeholder }) }, typed),
    ).toBe(isUnusual)
  },
)
