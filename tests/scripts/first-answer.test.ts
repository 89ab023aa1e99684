import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { firstAnswer } from '../../scripts/first-answer.mjs'
import { root } from '../../scripts/root.mjs'
import { certificate } from '../kit/certificate.ts'
import { freePort } from '../kit/free-port.ts'
import { sweepOfProcess } from '../kit/sweep.ts'

async function listening(protocol: 'http' | 'https', listener: RequestListener): Promise<string> {
  const server = protocol === 'http' ? createHttpServer(listener) : createHttpsServer(certificate, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  // The certificate is for another name.
  return `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}/api/status`
}

describe('the first answer of a local server', () => {
  it.each(['http', 'https'] as const)('may come by %s, and late', async (protocol) => {
    let requests = 0
    const url = await listening(protocol, (_request, answer) => {
      answer.writeHead(++requests === 1 ? 503 : 204).end()
    })
    expect(await firstAnswer(url, { within: 5_000 })).toBeUndefined()
    expect(requests).toBe(2)
  })

  it('may have a certificate that no other client accepts', async () => {
    const url = await listening('https', (_request, answer) => void answer.writeHead(204).end())
    await expect(fetch(url)).rejects.toThrow()
    expect(await firstAnswer(url, { within: 5_000 })).toBeUndefined()
  })

  it('is missing where none comes in time, or another one', async () => {
    const failing = await listening('https', (_request, answer) => void answer.writeHead(500).end())
    expect(await firstAnswer(failing, { within: 300 })).toBe('answers 500')
    const silent = await listening('http', () => undefined)
    expect(await firstAnswer(silent, { within: 300 })).toBe('does not answer')
    const nobody = `http://127.0.0.1:${await freePort()}/`
    expect(await firstAnswer(nobody, { within: 300 })).toBe('does not answer')
  })
})

it.runIf(sweepOfProcess().isExhaustive)(
  '`npm start -- --local-protocol https` says where it is ready',
  { timeout: 120_000 },
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-https-'))
    const port = String(await freePort())
    const given = ['--port', port, '--persist-to', folder, '--local-protocol', 'https']
    const server = spawn(process.execPath, ['scripts/run.mjs', 'start', ...given], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(async () => {
      server.kill('SIGTERM')
      await once(server, 'exit')
      rmSync(folder, { recursive: true, force: true })
    })
    let printed = ''
    for await (const data of server.stdout) {
      printed += data
      if (printed.includes('Ctrl-C')) break
    }
    expect(printed).toContain(`Vestibule is ready at https://localhost:${port}`)
  },
)
