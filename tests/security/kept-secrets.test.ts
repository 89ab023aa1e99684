import { beforeAll, describe, expect, it } from 'vitest'
import { newOperator, type Operator } from '../kit/clients/management-client.ts'
import { newReceiver } from '../kit/receiver.ts'
import { openTestApp } from '../kit/test-app.ts'

/**
 * Operators who may change a connector cannot see its secrets, and must not be able to obtain them by
 * changing its server (ADR-0062).
 */

let operator: Operator
beforeAll(async () => {
  operator = await newOperator(openTestApp())
})

const PLACEHOLDER = '********'
const refused = {
  code: 'guard.invalid_input',
  details: expect.stringContaining('must be entered again, because it would be sent to another server'),
}

async function installed() {
  const receiver = await newReceiver({ status: 204 })
  const config = { endpoint: receiver.url, authentication: 'Bearer', secret: 'the-stored-secret' }
  const created = await operator.send('POST', '/connectors', { connectorId: 'http-sms', config })
  expect(created.status).toBe(200)
  const { id } = (await created.json()) as { id: string }
  return { id, config, receiver }
}

describe('a stored secret', () => {
  it('[ASVS-13.3.2] is not sent to another server when the connector is saved or tested', async () => {
    const { id, config } = await installed()
    const thief = await newReceiver({ status: 204 })
    const elsewhere = thief.url.replace('localhost', '127.0.0.1')
    const led = { ...config, endpoint: elsewhere, secret: PLACEHOLDER }
    const changed = await operator.send('PATCH', `/connectors/${id}`, { config: led })
    expect(changed.status).toBe(400)
    expect(await changed.json()).toMatchObject(refused)
    const tried = await operator.send('POST', '/connectors/http-sms/test', {
      config: led,
      phone: '491701234567',
    })
    expect(tried.status).toBe(400)
    expect(await tried.json()).toMatchObject(refused)
    expect(await thief.received()).toEqual([])
    expect(await (await operator.get(`/connectors/${id}`)).json()).toMatchObject({
      config: { endpoint: config.endpoint, secret: PLACEHOLDER },
    })
    expect((await operator.send('DELETE', `/connectors/${id}`)).status).toBe(204)
  })

  it('is kept for the same server, and must be entered again for another one', async () => {
    const { id, config } = await installed()
    const path = { ...config, endpoint: `${config.endpoint}?other`, secret: PLACEHOLDER }
    expect((await operator.send('PATCH', `/connectors/${id}`, { config: path })).status).toBe(200)
    const elsewhere = config.endpoint.replace('localhost', '127.0.0.1')
    const again = { ...config, endpoint: elsewhere, secret: 'the-stored-secret' }
    expect((await operator.send('PATCH', `/connectors/${id}`, { config: again })).status).toBe(200)
    expect((await operator.send('DELETE', `/connectors/${id}`)).status).toBe(204)
  })

  it('[ASVS-13.3.2-2] is not sent to a mail server with a different host or port', async () => {
    const config = {
      host: 'mail.example',
      port: 587,
      fromEmail: 'a@b.example',
      auth: { user: 'post', pass: 'secret' },
    }
    const created = await operator.send('POST', '/connectors', {
      connectorId: 'simple-mail-transfer-protocol',
      config,
    })
    const { id } = (await created.json()) as { id: string }
    for (const change of [{ host: 'evil.example' }, { port: 2525 }]) {
      const response = await operator.send('PATCH', `/connectors/${id}`, {
        config: { ...config, ...change, auth: PLACEHOLDER },
      })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject(refused)
    }
    const named = await operator.send('PATCH', `/connectors/${id}`, {
      config: { ...config, fromEmail: 'c@b.example', auth: PLACEHOLDER },
    })
    expect(named.status).toBe(200)
  })

  it('is not sent to another issuer if it belongs to a social connector', async () => {
    const config = { issuer: 'https://staff.example', clientId: 'us', clientSecret: 'secret' }
    const created = await operator.send('POST', '/connectors', {
      connectorId: 'oidc',
      metadata: { target: 'staff' },
      config,
    })
    const { id } = (await created.json()) as { id: string }
    const led = { ...config, clientSecret: PLACEHOLDER }
    for (const change of [
      { issuer: 'https://evil.example' },
      { tokenEndpoint: 'https://evil.example/token' },
    ]) {
      const response = await operator.send('PATCH', `/connectors/${id}`, { config: { ...led, ...change } })
      expect(await response.json()).toMatchObject(refused)
    }
  })
})
