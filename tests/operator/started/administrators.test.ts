import { readFileSync } from 'node:fs'
import { expect, inject, it, vi } from 'vitest'
import { runCommand, runProcess } from './commands.ts'

/** Tests the invitation of administrators to a running server (spec/management#administrator-invitations). */

const LINK = /http:\/\/localhost:\d+\/account\/invitation\?token=\w{43}/

const send = (link: string, form: Record<string, string>) => {
  const url = new URL(link)
  return fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url.origin },
    body: new URLSearchParams({ token: url.searchParams.get('token') ?? '', ...form }),
  })
}

const newAccount = (identifier: string) => ({
  intent: 'create',
  identifier,
  newPassword: 'correct-horse-7',
  confirmPassword: 'correct-horse-7',
})

const administrators = async () => (await runCommand('admin', ['list'])).stdout

it('`npm start` prints one link, with which the first administrator creates an account', async () => {
  const log = () => readFileSync(inject('log'), 'utf8')
  const link = await vi.waitFor(() => LINK.exec(log())?.[0] ?? Promise.reject(new Error(log())), 30_000)
  expect(log().match(/Open this link to become the administrator/g)).toHaveLength(1)
  // The log omits the calls that `npm start` makes.
  expect(log().slice(0, log().indexOf(link))).not.toContain('/api/administrator-invitations')

  expect(await (await fetch(link)).text()).toContain('Become an administrator')
  const response = await send(link, newAccount('first'))
  expect([response.status, response.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/[?&]code=/),
  ])
  expect(await administrators()).toMatch(/^owner {5}\w{12} {2}first$/m)
})

it('`npm run admin -- invite` prints a link for another administrator', async () => {
  const { code, stdout } = await runProcess('admin', ['invite', 'ann@example.com', '--role', 'developer'])
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/once, until \d\d:\d\d\. Create another with: npm run admin -- invite\n$/),
  ])
  const response = await send(LINK.exec(stdout)?.[0] ?? '', newAccount('second'))
  expect(response.status).toBe(303)
  expect(await administrators()).toMatch(/^developer \w{12} {2}second, ann@example.com$/m)
  const { stdout: json } = await runCommand('admin', ['list', '--json'])
  expect(JSON.parse(json)).toContainEqual({
    role: 'developer',
    id: expect.any(String),
    username: 'second',
    primaryEmail: 'ann@example.com',
    isSuspended: false,
  })
})

it('`npm run admin` advises a command that reaches the same deployment', async () => {
  const other = inject('origin').replace('//localhost', '//default.localhost')
  const { stdout } = await runCommand('admin', ['invite', '--origin', other])
  expect(stdout).toMatch(new RegExp(`Create another with: npm run admin -- invite --origin ${other}\n$`))
})

it.each([[], ['--role', 'owner'], ['--role', 'admin']])(
  '`npm run admin -- invite %s %s` invites an owner',
  async (...role) => {
    const { stdout } = await runCommand('admin', ['invite', ...role, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ roleId: 'admin-role' })
  },
)

it('`npm run admin -- invite --valid-for` sends a link to the address', async () => {
  const email = 'later@example.com'
  const { code, stdout } = await runCommand('admin', ['invite', email, '--valid-for', '7d', '--json'])
  const sent: unknown = JSON.parse(stdout)
  expect([code, sent]).toEqual([
    0,
    expect.objectContaining({ email, kind: 'administrator', delivery: 'email' }),
  ])
  expect(stdout).not.toContain('token=')
  for (const [argumentsOf, problem] of [
    [['--valid-for', '1d'], 'needs an email address'],
    [[email, '--valid-for', '2w'], '1h, 1d or 7d'],
  ] as const) {
    const refused = await runCommand('admin', ['invite', ...argumentsOf])
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(problem)])
  }
})

it('`npm run admin` reports an unknown role and an invalid address', async () => {
  const unknown = await runCommand('admin', ['invite', '--role', 'user'])
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringContaining(
      'no administrator role "user". Choose from: owner, developer, support, read-only',
    ),
  ])
  const invalid = await runCommand('admin', ['invite', 'nobody'])
  expect([invalid.code, invalid.stderr]).toEqual([1, expect.stringContaining('guard.invalid_input')])
})
