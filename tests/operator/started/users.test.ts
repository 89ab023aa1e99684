import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { deriveUserId } from '../../../operator/users/batches.ts'
import { badNetwork, type NetworkFault } from './bad-network.ts'
import { callApi, runCommand, runProcess, spawnCommand, workFolder } from './commands.ts'

const folder = workFolder()
const fileAt = (name: string) => path.join(folder, name)

function write(name: string, content: string): string {
  writeFileSync(fileAt(name), content)
  return fileAt(name)
}

const lines = (count: number, user: (index: number) => object) =>
  Array.from({ length: count }, (_, index) => `${JSON.stringify(user(index))}\n`).join('')

const jsonLines = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** Slows calls down so that a test can interrupt a command midway. */
function* slowUntil(isOver: () => boolean): Generator<NetworkFault | null> {
  for (;;) yield isOver() ? null : { kind: 'slow', milliseconds: 600 }
}

const totalOf = async (name: string) => {
  const users = await callApi<{ username: string }[]>(
    'GET',
    `/users?search.username=${name}%25&page_size=100`,
  )
  return users.length
}

describe('users import', { timeout: 120_000 }, () => {
  it('creates users from CSV with all columns', async () => {
    const file = write(
      'people.csv',
      '\uFEFFusername,primaryEmail,name,isSuspended,createdAt,customData,passwordDigest\r\n' +
        'csv_ada,ada@csv.example,"Lovelace,\r\nAda",no,1843-01-01T00:00:00Z,,\r\n' +
        'csv_grace,grace@csv.example,Grace,yes,2026-01-02T03:04:05Z,"{""rank"":""admiral""}",$2b$10$3euPcmQFCiblsZeEu5s7p.9OVHgeHWFDk9nhMqZ0m/3pd/lhwZgES\r\n',
    )
    const { code, stdout } = await runProcess('users', ['import', file, '--json'])
    // The server rejects a time before the epoch.
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      { created: 1, existing: 0, rejected: 1, lines: 2, isDone: true },
    ])
    expect(jsonLines(`${file}.rejected.jsonl`)).toEqual([
      {
        line: 2,
        text: 'csv_ada,ada@csv.example,"Lovelace,\r\nAda",no,1843-01-01T00:00:00Z,,',
        code: 'guard.invalid_input',
        reason: expect.stringContaining('createdAt'),
      },
    ])
    const [grace] = await callApi<{ id: string }[]>('GET', '/users?search.username=csv_grace')
    expect(grace).toMatchObject({
      primaryEmail: 'grace@csv.example',
      isSuspended: true,
      createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
      customData: { rank: 'admiral' },
    })
    expect(existsSync(`${file}.import-state.json`)).toBe(false)
  })

  it('reports every invalid line with its number, and saves it to a file', async () => {
    const file = write(
      'bad.jsonl',
      `${JSON.stringify({ username: 'bad_first' })}
not json
[1]
${JSON.stringify({ username: '1bad' })}
${JSON.stringify({ username: 'bad_first' })}

${JSON.stringify({ username: 'bad_last', nick: 'x' })}
${JSON.stringify({ username: 'bad_last' })}`,
    )
    const { code, stdout, stderr } = await runCommand('users', ['import', file])
    expect([code, stdout]).toEqual([1, 'We read 7 users: 2 created, 0 existing, 5 rejected.\n'])
    expect(stderr).toContain('bad.jsonl.rejected.jsonl')
    const rejected = jsonLines(`${file}.rejected.jsonl`)
    expect(rejected.map(({ line, code: why }) => [line, why])).toEqual([
      [2, 'line'],
      [3, 'line'],
      [4, 'guard.invalid_input'],
      [5, 'user.username_already_in_use'],
      [7, 'guard.invalid_input'],
    ])
    expect(rejected[0]).toEqual({ line: 2, code: 'line', reason: 'is not JSON', text: 'not json' })
  })

  it('creates administrators only if requested', async () => {
    const file = write(
      'admins.jsonl',
      lines(1, () => ({ username: 'admins_0', roleNames: ['#internal:admin'] })),
    )
    expect((await runCommand('users', ['import', file])).code).toBe(1)
    expect(jsonLines(`${file}.rejected.jsonl`)).toMatchObject([{ code: 'role.internal_role_violation' }])
    const { code, stdout } = await runCommand('users', ['import', file, '--with-administrators'])
    expect([code, stdout]).toEqual([0, 'We read 1 user: 1 created, 0 existing, 0 rejected.\n'])
  })

  it('changes nothing when run twice', async () => {
    const file = write(
      'twice.jsonl',
      lines(3, (index) => ({ username: `twice_${index}` })),
    )
    await runCommand('users', ['import', file])
    const { code, stdout } = await runCommand('users', ['import', file])
    expect([code, stdout]).toEqual([0, 'We read 3 users: 0 created, 3 existing, 0 rejected.\n'])
    const [first] = await callApi<{ id: string }[]>('GET', '/users?search.username=twice_0')
    expect(first?.id).toBe(deriveUserId('{"username":"twice_0"}', 1))
  })

  it('completes despite lost responses, temporary errors and an expired token', async () => {
    const unavailable = { code: 'server.unavailable', message: '' }
    const network = await badNetwork('/api/users/import', [
      { kind: 'responseLost' },
      { kind: 'failed', status: 503, headers: { 'retry-after': '1' }, body: unavailable },
      { kind: 'failed', status: 429, headers: { 'retry-after': '1' } },
      { kind: 'failed', status: 401 },
      null,
      { kind: 'responseLost' },
    ])
    const file = write(
      'network.jsonl',
      lines(900, (index) => ({ username: `network_${index}` })),
    )
    const { code, stdout } = await runCommand('users', ['import', file, '--json'], { origin: network.origin })
    network.close()
    const result = JSON.parse(stdout)
    expect([code, result]).toMatchObject([0, { rejected: 0, lines: 900, isDone: true }])
    // If the response to a call is lost, its users already exist when the call is repeated.
    expect(result.existing).toBeGreaterThanOrEqual(200)
    expect(network.calls()).toBe(5 + 5)
  })

  it.each([
    { interruption: 'Ctrl-C', signal: 'SIGINT', code: 130 },
    { interruption: 'SIGKILL', signal: 'SIGKILL', code: null },
  ] as const)('resumes after $interruption, and counts every line once', async ({ signal, code }) => {
    let isOver = false
    const network = await badNetwork(
      '/api/users/import',
      slowUntil(() => isOver),
    )
    const name = signal.toLowerCase()
    const file = write(
      `${name}.jsonl`,
      lines(2_400, (index) =>
        index % 100 === 7 ? { username: '', nick: index } : { username: `${name}_${index}` },
      ),
    )
    const first = spawnCommand('users', ['import', file], { origin: network.origin })
    while (!existsSync(`${file}.import-state.json`)) await new Promise((resolve) => setTimeout(resolve, 20))
    first.kill(signal)
    const ended = await first.ended
    isOver = true
    expect(ended.code).toBe(code)
    if (signal === 'SIGINT')
      expect(ended.stderr).toContain('Interrupted. Run the same command to continue from here.')
    const state = JSON.parse(readFileSync(`${file}.import-state.json`, 'utf8'))
    expect(state.created + state.rejected).toBeLessThan(2_400)

    const second = await runCommand('users', ['import', file, '--json'], { origin: network.origin })
    network.close()
    const result = JSON.parse(second.stdout)
    expect(result).toMatchObject({ rejected: 24, lines: 2_400, isDone: true })
    expect(result.created + result.existing).toBe(2_376)
    expect(jsonLines(`${file}.rejected.jsonl`).map(({ line }) => line)).toEqual(
      Array.from({ length: 24 }, (_, index) => index * 100 + 8),
    )
    expect(existsSync(`${file}.import-state.json`)).toBe(false)
  })

  it('cannot be resumed with a changed file or on another deployment', async () => {
    const network = await badNetwork('/api/users/import', [
      null,
      ...Array<NetworkFault>(20).fill({
        kind: 'failed',
        status: 403,
        body: { code: 'auth.forbidden', message: 'No.' },
      }),
    ])
    const file = write(
      'changed.jsonl',
      lines(400, (index) => ({ username: `changed_${index}` })),
    )
    const failed = await runCommand('users', ['import', file], { origin: network.origin })
    expect([failed.code, failed.stderr]).toEqual([
      1,
      expect.stringMatching(/We stopped at line 201: No\. .*Run the same command to continue from here/),
    ])
    const elsewhere = await runCommand('users', ['import', file])
    expect([elsewhere.code, elsewhere.stderr]).toEqual([
      1,
      expect.stringMatching(/belongs to an import into/),
    ])

    writeFileSync(file, `${JSON.stringify({ username: 'changed_x' })}\n${readFileSync(file, 'utf8')}`)
    const changed = await runCommand('users', ['import', file], { origin: network.origin })
    network.close()
    expect([changed.code, changed.stderr]).toEqual([1, expect.stringMatching(/The file has changed/)])
    expect(await totalOf('changed')).toBe(100)
  })

  it.each([
    { case: 'a missing file', args: ['nowhere.csv'], code: 2, says: /file nowhere.csv doesn't exist/ },
    { case: 'an unknown format', args: ['package.json'], code: 2, says: /--format csv or jsonl/ },
    {
      case: 'an unknown column',
      args: ['package.json', '--format', 'csv'],
      code: 1,
      says: /first line must name the columns/,
    },
  ])('rejects $case', async ({ args, code, says }) => {
    const ended = await runCommand('users', ['import', ...args])
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(says)])
  })
})

describe('users export', { timeout: 120_000 }, () => {
  it.each(['jsonl', 'csv'])(
    'writes an importable file in the format %s, with authenticator app secrets if requested',
    async (format) => {
      const totpSecret = 'JBSWY3DPEHPK3PXP'
      const username = (index: number) => `formula_${format}_${index}`
      const people = write(
        `formula.${format}.jsonl`,
        lines(2, (index) => ({ username: username(index), name: '=1+1', customData: { index }, totpSecret })),
      )
      await runCommand('users', ['import', people])
      const [file, bare] = [fileAt(`secrets.${format}`), fileAt(`bare.${format}`)]
      expect((await runCommand('users', ['export', bare])).code).toBe(0)
      expect(readFileSync(bare, 'utf8')).not.toMatch(/totpSecret|JBSWY3DPEHPK3PXP/)

      const { code, stdout } = await runCommand('users', ['export', file, '--with-totp-secrets', '--json'])
      const { users } = JSON.parse(stdout)
      expect(code).toBe(0)
      const text = readFileSync(file, 'utf8')
      expect(text).toContain(totpSecret)
      expect(text).not.toMatch(/\$2b\$|passwordDigest/)
      expect(text.includes("'=1+1")).toBe(format === 'csv')

      const again = await runCommand('users', ['import', file, '--json'])
      expect([again.code, JSON.parse(again.stdout)]).toMatchObject([
        0,
        { created: 0, existing: users, rejected: 0 },
      ])
      const withoutForce = await runCommand('users', ['export', file])
      expect([withoutForce.code, withoutForce.stderr]).toEqual([2, expect.stringContaining('--force')])
    },
  )

  it('continues after Ctrl-C and writes every user once', async () => {
    let isOver = false
    const network = await badNetwork(
      '/api/users/export',
      slowUntil(() => isOver),
    )
    const file = fileAt('interrupted.jsonl')
    const first = spawnCommand('users', ['export', file], { origin: network.origin })
    while (!existsSync(`${file}.export-state.json`)) await new Promise((resolve) => setTimeout(resolve, 10))
    first.kill('SIGINT')
    expect((await first.ended).code).toBe(130)
    isOver = true

    // Add an unfinished page, as SIGKILL would leave it.
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"id":"half`)
    const second = await runCommand('users', ['export', file, '--json'], { origin: network.origin })
    network.close()
    expect(second.code).toBe(0)
    const ids = jsonLines(file).map(({ id }) => id)
    expect(JSON.parse(second.stdout)).toEqual({ users: ids.length, isDone: true })
    expect(new Set(ids).size).toBe(ids.length)
    // The export also includes the users from the interrupted imports.
    expect(ids.length).toBeGreaterThan(2 * 2_376)
  })
})
