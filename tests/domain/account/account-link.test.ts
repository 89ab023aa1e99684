import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type AccountLink, accountTasks, returnUrl } from '../../../src/domain/account/account-link.ts'

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
  expect(returnUrl({ ...link, ...more }, { page: '/account/profile', result: 'completed' })).toBe(to)
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
