import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { callApi, runCommand, runProcess } from './commands.ts'

/** A stub provider that accepts the credentials of one client but no authorization codes. */
const provider = createServer(async (request, response) => {
  const form = new URLSearchParams(await text(request))
  const isKnown = form.get('client_id') === 'us' && form.get('client_secret') === 'known'
  response.writeHead(400, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: isKnown ? 'invalid_grant' : 'invalid_client' }))
})
beforeAll(async () => {
  await once(provider.listen(0, '127.0.0.1'), 'listening')
})
const targets = () => callApi<{ socialSignInConnectorTargets: string[] }>('GET', '/sign-in-exp')
afterAll(async () => {
  provider.close()
  await callApi('DELETE', '/connectors/google').catch(() => undefined)
  await callApi('DELETE', '/connectors/resend').catch(() => undefined)
})

const fields = () => {
  const { port } = provider.address() as AddressInfo
  return ['--field', 'clientId=us', '--field', `tokenEndpoint=http://127.0.0.1:${port}/`]
}
const connect = (secret: string, ...args: string[]) =>
  runCommand('connect', ['google', '--json', ...args], { env: { CONNECTOR_GOOGLE_CLIENT_SECRET: secret } })

describe('npm run connect', () => {
  it('shows the guide with the callback URL, and names the missing fields', async () => {
    const { code, stdout, stderr } = await runProcess('connect', ['google'])
    expect(code).toBe(2)
    expect(stdout).toContain(`Authorized redirect URIs: ${inject('origin')}/callback/google`)
    expect(stdout).toContain('(https://console.cloud.google.com/apis/credentials)')
    expect(stdout).not.toMatch(/\{\{|\*\*|`/)
    expect(stderr).toContain('missing: --field clientId=…, CONNECTOR_GOOGLE_CLIENT_SECRET')
  })

  it('installs, checks and offers the connector, and makes no changes on the second run', async () => {
    const first = await connect('known', ...fields())
    expect([first.code, JSON.parse(first.stdout)]).toEqual([
      0,
      {
        factory: 'google-universal',
        id: 'google',
        callbackUrl: `${inject('origin')}/callback/google`,
        result: 'installed',
        isOffered: true,
        check: { outcome: 'accepted', reason: null },
      },
    ])
    expect((await targets()).socialSignInConnectorTargets).toContain('google')
    const { code, stdout } = await runCommand('connect', ['google', '--json'])
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { result: 'unchanged', isOffered: false }])
  })

  it('reports that the provider rejects the credentials', async () => {
    const { code, stdout, stderr } = await connect('of another', ...fields())
    expect(code).toBe(1)
    expect(stderr).toContain(
      'The provider rejects the credentials (invalid_client).\nCompare the credentials with',
    )
    expect(JSON.parse(stdout)).toMatchObject({ result: 'changed', check: { outcome: 'refused' } })
  })

  it('replaces the email connector only after confirmation', async () => {
    await callApi('POST', '/connectors', { id: 'own-mail', connectorId: 'http-email' })
    // Nothing listens at this endpoint.
    const args = ['resend', '--field', 'fromEmail=a@acme.example', '--field', 'endpoint=http://127.0.0.1:9/']
    const env = { CONNECTOR_RESEND_API_KEY: 're_1' }
    const rejected = await runCommand('connect', args, { env })
    expect([rejected.code, rejected.stderr]).toEqual([2, expect.stringContaining('Add --yes')])
    const { code, stdout } = await runCommand('connect', [...args, '--yes'], { env })
    expect([code, stdout]).toEqual([0, expect.stringContaining("We couldn't reach the provider.")])
    const connectors = await callApi<{ id: string; type: string }[]>('GET', '/connectors')
    expect(connectors.filter(({ type }) => type === 'Email').map(({ id }) => id)).toEqual(['resend'])
  })

  it.each([
    { args: ['gogle'], says: /the provider "gogle"\. Choose from: .*google-universal/ },
    { args: ['aliyun'], says: /"aliyun" may mean aliyun-direct-mail, aliyun-short-message-service/ },
    { args: ['github', '--field', 'clientSecret=x'], says: /clientSecret is a secret/ },
    { args: ['github', '--field', 'colour=x'], says: /no field "colour"\. Choose from: clientId/ },
    { args: ['oidc'], says: /oidc needs --target/ },
    { args: ['smtp', '--yes', '--field', 'port=x'], says: /port has to be a number/ },
  ])('rejects the arguments $args', async ({ args, says }) => {
    const { code, stderr } = await runCommand('connect', args)
    expect([code, stderr]).toEqual([2, expect.stringMatching(says)])
  })
})
