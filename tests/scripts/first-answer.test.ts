import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { localFetch } from '../../operator/local-fetch.ts'
import { waitForServer } from '../../scripts/first-answer.mjs'
import { root } from '../../scripts/root.mjs'
import { certificate } from '../kit/certificate.ts'
import { authorizationRequest, newCookieClient } from '../kit/clients/cookie-client.ts'
import { freePort } from '../kit/free-port.ts'
import { sweepOfProcess } from '../kit/sweep.ts'

async function listening(protocol: 'http' | 'https', listener: RequestListener): Promise<string> {
  const server = protocol === 'http' ? createHttpServer(listener) : createHttpsServer(certificate, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  // The certificate is for a different name.
  return `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}/api/status`
}

describe('waiting for a local server', () => {
  it.each(['http', 'https'] as const)('waits for a successful response over %s', async (protocol) => {
    let requests = 0
    const url = await listening(protocol, (_request, answer) => {
      answer.writeHead(++requests === 1 ? 503 : 204).end()
    })
    expect(await waitForServer(url, { within: 5_000 })).toBeUndefined()
    expect(requests).toBe(2)
  })

  it('accepts a certificate that other clients reject', async () => {
    const url = await listening('https', (_request, answer) => void answer.writeHead(204).end())
    await expect(fetch(url)).rejects.toThrow()
    expect(await waitForServer(url, { within: 5_000 })).toBeUndefined()
  })

  it('sends the method, headers and body as `fetch` does', async () => {
    const url = await listening('https', async (request, answer) => {
      const { method = '', headers } = request
      answer.setHeader('set-cookie', ['a=1', 'b=2'])
      answer.end([method, headers.authorization, await text(request)].join(' '))
    })
    const answer = await localFetch(url, { method: 'POST', headers: { authorization: 'Basic x' }, body: 'y' })
    expect(await answer.text()).toBe('POST Basic x y')
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  it('fails with an error if no successful response arrives', async () => {
    const failing = await listening('https', (_request, answer) => void answer.writeHead(500).end())
    expect(await waitForServer(failing, { within: 300 })).toBe('responds with 500')
    const silent = await listening('http', () => undefined)
    expect(await waitForServer(silent, { within: 300 })).toBe("doesn't respond")
    const closed = `http://127.0.0.1:${await freePort()}/`
    expect(await waitForServer(closed, { within: 300 })).toBe("doesn't respond")
  })
})

it.runIf(sweepOfProcess().isExhaustive)(
  '`npm start -- --local-protocol https` prints a link for the administrator and uses cookie name prefixes',
  { timeout: 120_000 },
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-https-'))
    const port = String(await freePort())
    const args = ['--port', port, '--persist-to', folder, '--local-protocol', 'https']
    const server = spawn(process.execPath, ['scripts/run.mjs', 'start', ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(async () => {
      server.kill('SIGTERM')
      await once(server, 'exit')
      rmSync(folder, { recursive: true, force: true })
    })
    let printed = ''
    server.stdout.on('data', (data) => {
      printed += data
    })
    await expect.poll(() => printed, { timeout: 100_000 }).toContain('Ctrl-C')
    const origin = `https://localhost:${port}`
    expect(printed).toContain(`Vestibule is ready at ${origin}`)
    expect(printed).toContain(`${origin}/account/invitation?token=`)

    const client = newCookieClient({ fetch: (path, init) => localFetch(new URL(path, origin), init) })
    const { url } = await authorizationRequest({ redirect_uri: `${origin}/demo-app` })
    const location = (await client.get(url)).headers.get('location') ?? ''
    expect(location).toMatch(/^\/sign-in\?/)
    expect((await client.get(location)).status).toBe(200)
    expect([...client.cookies.keys()]).toContain('__Host-_interaction')
    expect([...client.cookies.keys()].filter((name) => !/^__(?:Host|Secure)-/.test(name))).toEqual([])
  },
)
