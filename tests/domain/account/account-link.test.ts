import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ALL_EDITABLE } from '../../../src/contract/account/account-fields.ts'
import {
  type AccountLink,
  accountTasks,
  buildReturnUrl,
  completesTask,
  isReturnUrl,
  isTaskLocked,
} from '../../../src/domain/account/account-link.ts'

/**
 * Tests the redirect back from the account centre, and the tasks that report a result (spec/account-centre#linking).
 */

const link: AccountLink = {
  application: 'Shop',
  redirectUri: 'https://shop.example.com',
  state: null,
  isThirdParty: false,
  search: '',
}

it.each([
  { redirectUri: 'https://shop.example.com', to: 'https://shop.example.com/?account_result=completed' },
  { redirectUri: 'https://a.example/b?', to: 'https://a.example/b?account_result=completed' },
  {
    redirectUri: 'https://a.example/b?c=d%20e+f&account_result=x',
    to: 'https://a.example/b?c=d%20e+f&account_result=x&account_result=completed',
  },
  { redirectUri: 'com.example.app:back', to: 'com.example.app:back?account_result=completed' },
  {
    redirectUri: 'https://bücher.example/ü',
    to: 'https://xn--bcher-kva.example/%C3%BC?account_result=completed',
  },
  { state: 'ä&\r\n', to: 'https://shop.example.com/?account_result=completed&state=%C3%A4%26%0D%0A' },
])('the result is appended to the redirect URI $redirectUri', ({ to, ...more }) => {
  expect(buildReturnUrl({ ...link, ...more }, { page: '/account/profile', result: 'completed' })).toBe(to)
})

it.each(['docs/spec/account-centre.md', 'docs/guides/account-centre.md'])(
  'every account task is documented in %s',
  (file) => {
    const rows =
      readFileSync(file, 'utf8')
        .split(/## Linking/)[1]
        ?.split('\n## ')[0] ?? ''
    const named = [...rows.matchAll(/^\| `(\/account[^`]*)`(?:, `(\w+)`)? /gm)].flatMap(([, path, other]) => [
      path,
      ...(other ? [`/account/${other}`] : []),
    ])
    expect(named).toEqual(accountTasks.map(({ path }) => path))
  },
)

it.each([
  {
    page: '/account/email/code',
    result: 'cancelled',
    isThirdParty: false,
    query: '?account_result=cancelled',
  },
  { page: '/account/profile', result: 'completed', isThirdParty: true, query: '' },
  { page: '/account', result: 'cancelled', isThirdParty: false, query: '' },
  { page: '/account', result: 'unavailable', isThirdParty: false, query: '?account_result=unavailable' },
  { page: '/account', result: 'unavailable', isThirdParty: true, query: '' },
] as const)('the result $result of $page is reported to a third party ($isThirdParty) as "$query"', (row) => {
  const { page, result, isThirdParty, query } = row
  expect(buildReturnUrl({ ...link, isThirdParty }, { page, result })).toBe(
    `https://shop.example.com/${query}`,
  )
})

describe('an account task', () => {
  it.each([
    ['/account/email/code', 'prove', true],
    ['/account/email', 'prove', false],
    ['/account/email/code', 'change', false],
    ['/account', 'save', false],
  ])('is complete on the page %s after the form %s: %s', (page, intent, isComplete) => {
    expect(completesTask(page, intent)).toBe(isComplete)
  })

  it.each([
    ['/account/email', { email: 'readOnly' }, true],
    ['/account/email/code', { email: 'off' }, true],
    ['/account/email', { phone: 'off' }, false],
    ['/account/profile', { name: 'off', username: 'readOnly', profile: 'readOnly' }, true],
    ['/account/profile', { name: 'off', username: 'readOnly' }, false],
    ['/account/other', { email: 'off' }, false],
  ] as const)('is locked on the page %s by the policies %j: %s', (page, policies, isLocked) => {
    expect(isTaskLocked(page, { ...ALL_EDITABLE, ...policies })).toBe(isLocked)
  })
})

describe('a URL to which users return', () => {
  const registered = {
    redirectUris: [
      'https://shop.example/back',
      'http://127.0.0.1/back',
      'http://localhost:1234/?a',
      'com.shop:/',
    ],
    postLogoutRedirectUris: ['https://shop.example/out', 'http://localhost/out'],
  }
  it.each([
    ['https://shop.example/back', 'Traditional', true],
    ['https://shop.example/out', 'SPA', true],
    ['com.shop:/', 'Native', true],
    ['https://shop.example/back', 'MachineToMachine', false],
    ['https://shop.example/', 'Traditional', false],
    ['https://shop.example/back?a=b', 'Traditional', false],
    // A native app chooses the port when it starts.
    ['http://127.0.0.1:49152/back', 'Native', true],
    ['http://localhost/?a', 'Native', true],
    ['http://127.0.0.1:49152/back', 'SPA', false],
    ['http://127.0.0.1:49152/other', 'Native', false],
    ['http://localhost:49152/back', 'Native', false],
    ['http://localhost:49152/out', 'Native', false],
    ['https://shop.example:49152/back', 'Native', false],
    ['http://127.0.0.1.shop.example/back', 'Native', false],
  ] as const)('can be %s for the type %s: %s', (uri, type, isAllowed) => {
    expect(isReturnUrl({ type, oidcClientMetadata: registered }, uri)).toBe(isAllowed)
  })

  it.each(['/back', 'https://shop.example/ back', ''])('cannot be "%s", even if it is registered', (uri) => {
    const oidcClientMetadata = { redirectUris: [uri], postLogoutRedirectUris: [] }
    expect(isReturnUrl({ type: 'SPA', oidcClientMetadata }, uri)).toBe(false)
  })
})
