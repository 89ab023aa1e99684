import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { request as forward } from 'node:http'
import { createServer } from 'node:https'
import { connect } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { renderSample, samples } from '../../../console/areas/applications/guides/index.ts'
import type { Guide, GuideValues } from '../../../console/areas/applications/guides/sample.ts'
import { certificate, certificateFile } from '../../kit/certificate.ts'
import { freePort } from '../../kit/free-port.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** The time within which a program responds, including compilation. */
const START_MS = 120_000
/** The time within which a package manager installs the dependencies of a sample. */
export const INSTALL_MS = 300_000

/** A copy of a sample that contains the values of an application. */
export type SampleCopy = { guide: Guide; folder: string; port: number }

/**
 * Copies a sample to `build/samples` and fills in the values as the console does, except that the program listens on a
 * free port. Test files that use the same sample name different folders, because they run side by side.
 */
export async function copySample(id: string, values: GuideValues, name = id): Promise<SampleCopy> {
  const sample = samples.get(id)
  if (!sample) throw new Error(`samples/${id} has no sample.json`)
  const folder = path.join(root, 'build/samples', name)
  const port = values.port ?? (await freePort())
  const guide = renderSample(id, sample, { ...values, port })
  // Installed packages are reused by the next run, because an installation takes minutes.
  cpSync(path.join(root, 'samples', id), folder, { recursive: true })
  for (const file of sample.files) rmSync(path.join(folder, file), { force: true })
  for (const [name, code] of Object.entries(guide.files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), code)
  }
  return { guide, folder, port }
}

/** Programs in all languages trust the certificate of the tests. Node also finds the packages of this repository. */
const environment = (folder: string, more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: '',
  NODE_EXTRA_CA_CERTS: certificateFile,
  SSL_CERT_FILE: certificateFile,
  REQUESTS_CA_BUNDLE: certificateFile,
  CURL_CA_BUNDLE: certificateFile,
  // Vite refuses hosts that it doesn't know.
  __VITE_ADDITIONAL_SERVER_ALLOWED_HOSTS: '.example.test',
  NEXT_TELEMETRY_DISABLED: '1',
  WRANGLER_SEND_METRICS: 'false',
  CI: '1',
  PATH: [
    path.join(folder, 'node_modules/.bin'),
    path.join(folder, '.venv/bin'),
    path.join(root, 'node_modules/.bin'),
    path.dirname(process.execPath),
    process.env.PATH,
  ].join(path.delimiter),
  ...more,
})

/** Runs a command to its end, such as the installation of packages. Package managers use the public certificates. */
export async function runToEnd(command: string, folder: string, timeout = INSTALL_MS): Promise<void> {
  const child = spawn('sh', ['-c', command], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: '', NODE_EXTRA_CA_CERTS: process.env.REGISTRY_CA_CERTS },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collectOutput(child)
  const timer = setTimeout(() => stop(child), timeout)
  const [code] = await once(child, 'exit')
  clearTimeout(timer)
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output()}`)
}

/** A running program, and what it has printed so far. */
export type Program = { child: ChildProcess; output: () => string }

/**
 * Starts a sample with the command that its guide shows, and stops it after the test. `secrets` are the values of the
 * variables that the command leaves open (`CLIENT_SECRET=…`).
 */
export function startProgram(
  { guide, folder }: SampleCopy,
  secrets: Readonly<Record<string, string>> = {},
  command = guide.run ?? '',
): Program {
  const runnable = command.replaceAll(/\b[A-Z_]+=… ?/g, '').replaceAll(/\bnpx /g, '')
  const child = spawn('sh', ['-c', runnable], {
    cwd: folder,
    env: environment(folder, secrets),
    // A process group of its own, so that everything that the command starts ends with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collectOutput(child)
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') console.error(output())
    await stop(child)
  })
  return { child, output }
}

function collectOutput(child: ChildProcess): () => string {
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => lines.push(String(data)))
  return () => lines.join('')
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const exit = once(child, 'exit')
  process.kill(-child.pid, 'SIGKILL')
  await exit
}

/** Waits until a program responds on its port. Fails at once if the program ends. */
export async function untilListening({ child, output }: Program, port: number): Promise<void> {
  const isListening = async () => {
    if (child.exitCode !== null) throw new Error(`The program ended:\n${output()}`)
    const response = await fetch(`http://localhost:${port}/`, { redirect: 'manual' }).catch(() => null)
    return response !== null
  }
  await expect.poll(isListening, { timeout: START_MS, interval: 100 }).toBe(true)
}

/**
 * Serves a program at an https origin, as a proxy in front of it does. The port of the program may be set later,
 * because its code contains the origin.
 */
export async function openProxy(name: string): Promise<{ origin: string; target: { port: number } }> {
  const target = { port: 0 }
  const server = createServer(certificate, (request, response) => {
    const headers = {
      ...request.headers,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': request.headers.host,
      'x-forwarded-port': String(request.socket.localPort),
      'x-forwarded-for': '127.0.0.1',
    }
    const { method, url } = request
    const upstream = forward(
      { host: 'localhost', port: target.port, method, path: url, headers },
      (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(response)
      },
    )
    upstream.on('error', () => response.writeHead(502).end())
    request.pipe(upstream)
  })
  // Development servers send changes over WebSocket, and some wait for it before they start a page.
  server.on('upgrade', ({ method, url, rawHeaders }, socket, head) => {
    const upstream = connect(target.port, 'localhost', () => {
      const headers = rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`))
      upstream.write(`${method} ${url} HTTP/1.1\r\n${headers.join('')}\r\n`)
      upstream.write(head)
      socket.pipe(upstream).pipe(socket)
    })
    upstream.on('error', () => socket.destroy())
    socket.on('error', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  const port = address && typeof address === 'object' ? address.port : 0
  return { origin: `https://${name}.example.test:${port}`, target }
}
