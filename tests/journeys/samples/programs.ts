import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createPlainServer, request as requestPlain } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import {
  createGuide,
  type GuideValues,
  type Sample,
} from '../../../console/areas/applications/guides/sample.ts'
import { certificate, certificateFile } from '../../kit/certificate.ts'

/** Runs samples that are programs: they print what they do, and don't receive requests over https. */

const noValues: GuideValues = { issuer: '', clientId: '', redirectUris: [], afterSignOut: null, api: null }

/** Copies a sample with the given values into a folder that exists until the end of the test, and returns the folder. */
export function copySample(id: string, values: Partial<GuideValues>): string {
  const source = path.join('samples', id)
  const sample: Sample = JSON.parse(readFileSync(path.join(source, 'sample.json'), 'utf8'))
  const read = (file: string) => readFileSync(path.join(source, file), 'utf8')
  const { files } = createGuide(id, sample, read, { ...noValues, ...values })
  mkdirSync('build/samples', { recursive: true })
  const folder = mkdtempSync(path.resolve('build/samples', `${id}-`))
  cpSync(source, folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A running program. It ends with the test. */
export type Program = {
  /** Returns the next line that the program prints and that matches, and throws if the program ends before. */
  nextLine(pattern: RegExp): Promise<RegExpExecArray>
  /** Resolves with the exit code. */
  ended: Promise<number>
}

export function runProgram(
  [command = '', ...args]: readonly string[],
  { folder, env = {} }: { folder: string; env?: Record<string, string> },
): Program {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  child.stderr.on('data', (data) => output.push(String(data)))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const ended = once(child, 'close').then(([code]) => Number(code))
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  return {
    ended,
    async nextLine(pattern) {
      for (let next = await lines.next(); !next.done; next = await lines.next()) {
        output.push(next.value)
        const match = pattern.exec(next.value)
        if (match) return match
      }
      throw new Error(`The program ended without a line that matches ${pattern}:\n${output.join('\n')}`)
    },
  }
}

/** What programs need to reach the hosts of these tests: their addresses, and trust in their certificate. */
export async function testNetwork(): Promise<Record<string, string>> {
  return {
    NODE_OPTIONS: `--import ${path.resolve('tests/journeys/test-hosts.ts')}`,
    NODE_EXTRA_CA_CERTS: certificateFile,
    SSL_CERT_FILE: certificateFile,
    CURL_CA_BUNDLE: certificateFile,
    https_proxy: await openTunnel(),
  }
}

/** Starts a proxy that connects to hosts under `test` on this machine, for programs that ask the system for addresses. */
async function openTunnel(): Promise<string> {
  const proxy = createPlainServer()
  proxy.on('connect', ({ url = '' }, socket) => {
    const target = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n')
      target.pipe(socket).pipe(target)
    })
    for (const end of [socket, target]) end.on('error', () => [socket, target].map((each) => each.destroy()))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.close()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

/** Starts a server that speaks https for a plain one, and returns its origin. */
export async function serveOverHttps(port: number): Promise<string> {
  const front = createServer(certificate, (incoming, outgoing) => {
    const { method, headers, url } = incoming
    const inner = requestPlain({ port, method, headers, path: url }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    inner.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(inner)
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  onTestFinished(() => {
    front.closeAllConnections()
    front.close()
  })
  return `https://api.example.test:${(front.address() as AddressInfo).port}`
}

/** Waits until a program accepts connections. */
export async function untilListening(program: Program, port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    const isEnded = await Promise.race([program.ended.then(() => true), setTimeout(50, false)])
    if (isEnded) await program.nextLine(/^listening$/)
  }
}
