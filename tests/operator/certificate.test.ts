import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../scripts/root.mjs'
import { certificate, certificateFile } from '../kit/certificate.ts'

/** Tests programs that call a server with a self-signed certificate. */

let origin = ''

const server = createServer(certificate, (request, response) => {
  const responses: Record<string, [status: number, body?: object]> = {
    '/api/status': [204],
    '/oidc/.well-known/openid-configuration': [
      200,
      {
        issuer: `${origin}/oidc`,
        token_endpoint: `${origin}/oidc/token`,
        device_authorization_endpoint: `${origin}/oidc/device/auth`,
      },
    ],
    '/oidc/device/auth': [
      200,
      {
        device_code: 'device',
        user_code: 'ABCD-EFGH',
        verification_uri: `${origin}/device`,
        expires_in: 60,
        interval: 1,
      },
    ],
    '/oidc/token': [400, { error: 'access_denied' }],
  }
  const [status, body] = responses[request.url ?? ''] ?? [404, {}]
  response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body))
})

beforeAll(async () => {
  await once(server.listen(0), 'listening')
  origin = `https://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

/** Returns the output of a program that fails. `trusted` is the path of a certificate file, or empty. */
function outputOf(args: string[], trusted: string): Promise<string> {
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: trusted, VESTIBULE_CLIENT_SECRET: 'secret' }
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, env }, (error, stdout, stderr) => {
      expect(error?.code).toBe(1)
      resolve(stdout + stderr)
    })
  })
}

describe.each([
  { name: 'npm run doctor', program: (at: string) => ['scripts/run.mjs', 'doctor', '--origin', at] },
  { name: 'npm run keys', program: (at: string) => ['scripts/run.mjs', 'keys', 'list', '--origin', at] },
  { name: 'the device', program: (at: string) => ['scripts/device.mjs', at, 'television'] },
])('$name', ({ program }) => {
  it('explains how to trust the certificate', { timeout: 30_000 }, async () => {
    const text = await outputOf(program(origin), '')
    expect(text).toContain("its certificate isn't trusted (DEPTH_ZERO_SELF_SIGNED_CERT)")
    expect(text).toContain('Set NODE_EXTRA_CA_CERTS to a PEM file')
    expect(text).not.toMatch(/^ +at /m)
  })

  it('connects to the server once its certificate is trusted', { timeout: 30_000 }, async () => {
    const text = await outputOf(program(origin), certificateFile)
    expect(text).toContain('access_denied')
    expect(text).not.toContain('certificate')
  })
})

it('[ASVS-12.3.1-3] the device uses plain http only with the local machine', {
  timeout: 30_000,
}, async () => {
  const text = await outputOf(['scripts/device.mjs', 'http://id.example.com', 'television'], '')
  expect(text).toBe(
    "We couldn't sign you in: http://id.example.com doesn't use TLS, so we won't send a secret there. Use https.\n",
  )
})
