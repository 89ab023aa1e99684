import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, inject, it } from 'vitest'
import { callApi, runCommand, runProcess } from './commands.ts'

type Finding = { check: string; state: string; says: string; todo?: string }

async function findings(origin: string, env: Record<string, string> = {}) {
  const { code, stdout } = await runCommand('doctor', ['--json'], { origin, env })
  const report: { findings: Finding[] } = JSON.parse(stdout)
  return { code, findings: report.findings }
}

describe('the doctor', () => {
  it('finds no problems on a new server', async () => {
    const { code, findings: all } = await findings(inject('origin'))
    // The operator decides whether administrators need a second factor.
    expect(all.filter(({ state }) => state !== 'ok')).toMatchObject([
      { check: 'administrators', state: 'warn' },
    ])
    expect(all.map(({ check }) => check)).toEqual([
      'reachable',
      'version',
      'credentials',
      'clock',
      'environment',
      'hosts',
      'secrets',
      'migrations',
      'application secrets',
      'kv',
      'logs',
      'floods',
      'connectors',
      'passwords',
      'administrators',
      'sign-in',
    ])
    // `npm start` records when it applied the migrations.
    expect(all.find(({ check }) => check === 'migrations')?.says).toMatch(/ migrations since 20/)
    expect(code).toBe(0)
    const { stdout } = await runProcess('doctor', [])
    expect(stdout).toMatch(/^ok {4}reachable: http[^\n]+ in \d+ ms\n/)
  })

  it('checks the DNS of the sender domain', async () => {
    await callApi('POST', '/connectors', {
      id: 'mail',
      connectorId: 'resend-email',
      // Nothing listens at this endpoint.
      config: { apiKey: 'x', fromEmail: 'a@mail.invalid', endpoint: 'http://127.0.0.1:9/' },
    })
    const { code, findings: all } = await findings(inject('origin'))
    await callApi('DELETE', '/connectors/mail')
    expect(all.at(-4)).toEqual({
      check: 'credentials of resend-email',
      state: 'unknown',
      says: "we couldn't reach the provider",
    })
    expect(all.map(({ check }) => check).slice(-3)).toEqual([
      'SPF of mail.invalid',
      'DKIM of mail.invalid',
      'DMARC of mail.invalid',
    ])
    // DNS findings are only warnings.
    expect(code).toBe(0)
  })

  it('reports a server that does not respond', async () => {
    const { code, findings: all } = await findings('http://localhost:9')
    expect([code, all]).toEqual([
      1,
      [
        expect.objectContaining({
          check: 'reachable',
          state: 'fail',
          todo: expect.stringContaining('Check that the server is running'),
        }),
      ],
    ])
  })

  it.each([
    { status: 404, todo: /HOSTS/ },
    { status: 500, todo: /ROOT_SECRET/ },
  ])('explains how to fix a response with the status $status', async ({ status, todo }) => {
    const server = createServer((_, response) => response.writeHead(status).end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { code, findings: all } = await findings(`http://127.0.0.1:${port}`)
    server.close()
    expect([code, all]).toEqual([
      1,
      [expect.objectContaining({ check: 'reachable', state: 'fail', todo: expect.stringMatching(todo) })],
    ])
  })

  it('reports wrong credentials', async () => {
    const { code, findings: all } = await findings(inject('origin'), {
      VESTIBULE_CLIENT_SECRET: 'another secret, which this client does not have',
    })
    expect(code).toBe(1)
    expect(all.at(-1)).toMatchObject({ check: 'credentials', state: 'fail' })
  })
})

describe('the signing keys', () => {
  type Key = { id: string; algorithm: string; status: string }
  const list = async (args: string[]): Promise<Key[]> => JSON.parse((await runCommand('keys', args)).stdout)

  it('[ASVS-11.1.1] are listed, and are announced before their first use', async () => {
    const before = await list(['list', '--json'])
    expect(before.map(({ status }) => status)).toContain('signing')
    const after = await list(['rotate', '--json'])
    expect(after.length).toBeGreaterThan(before.length)
    expect(after.map(({ status }) => status)).toContain('announced')
    const { code, stdout } = await runProcess('keys', ['list'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^announced +\S+ +\S+ +signs from \d{4}-/m)])
  })

  it('can be rotated immediately without interrupting commands', async () => {
    const before = await list(['list', '--json'])
    const after = await list(['rotate', '--now', '--json'])
    const signing = after.filter(({ status }) => status === 'signing').map(({ id }) => id)
    expect(signing.length).toBeGreaterThan(0)
    expect(before.filter(({ status }) => status === 'signing').map(({ id }) => id)).not.toEqual(signing)
    expect((await runCommand('doctor', [])).code).toBe(0)
  })
})
