import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { MINUTE } from '../../../src/contract/time.ts'
import { asOperator, machineToken, newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

type Key = { id: string; algorithm: string; status: string; signsFrom: number }

let app: TestApp
let operator: Operator
beforeEach(async () => {
  app = openTestApp()
  await app.env.DB.prepare("delete from configs where key = 'oidc.privateKeys'").run()
  operator = await newOperator(app)
})
const list = async (): Promise<Key[]> => (await operator.get('/configs/signing-keys')).json()
const rotate = (body: unknown = {}) => operator.send('POST', '/configs/signing-keys/rotate', body)
const statuses = (keys: readonly Key[]) =>
  keys.map(({ algorithm, status }) => `${algorithm} ${status}`).sort()
const readPublished = async (): Promise<JSONWebKeySet> => (await app.fetch('/oidc/jwks')).json()
const kidOf = (token: string) => decodeProtectedHeader(token).kid

describe('signing keys', () => {
  it('are listed without their key material', async () => {
    const response = await operator.get('/configs/signing-keys')
    const text = await response.clone().text()
    const keys = (await response.json()) as Key[]
    expect(statuses(keys)).toEqual(['ES256 signing', 'ES384 signing', 'RS256 signing'])
    for (const key of keys) {
      expect(key).toEqual({
        id: expect.stringMatching(/^\w{21}$/),
        algorithm: expect.any(String),
        status: 'signing',
        signsFrom: 0,
      })
    }
    expect(text).not.toMatch(/"(?:d|p|q|k|n|x|jwk|sealed)"/)
    expect(kidOf(operator.token)).toBe(keys.find(({ algorithm }) => algorithm === 'RS256')?.id)
  })

  it('are announced ten minutes before they start signing', async () => {
    const before = await list()
    const startedAt = Date.now()
    const response = await rotate()
    expect(response.status).toBe(200)
    const keys = (await response.json()) as Key[]
    expect(statuses(keys)).toEqual([
      'ES256 announced',
      'ES256 signing',
      'ES384 announced',
      'ES384 signing',
      'RS256 announced',
      'RS256 signing',
    ])
    expect(keys.filter(({ status }) => status === 'signing')).toEqual(expect.arrayContaining(before))
    for (const { signsFrom } of keys.filter(({ status }) => status === 'announced')) {
      expect(signsFrom - startedAt).toBeGreaterThanOrEqual(10 * MINUTE)
      expect(signsFrom - startedAt).toBeLessThan(11 * MINUTE)
    }
    expect(await list()).toEqual(keys)
    // Announced keys are published but do not sign yet.
    expect((await readPublished()).keys.map(({ kid }) => kid).sort()).toEqual(keys.map(({ id }) => id).sort())
    expect(kidOf(await machineToken(app))).toBe(kidOf(operator.token))
  })

  it('can start signing immediately, and earlier tokens remain valid', async () => {
    await rotate()
    const response = await rotate({ immediately: true })
    const keys = (await response.json()) as Key[]
    // The announced keys are also retired, because they may be compromised too.
    expect(statuses(keys)).toEqual([
      'ES256 retired',
      'ES256 signing',
      'ES384 retired',
      'ES384 signing',
      'RS256 retired',
      'RS256 signing',
    ])

    const token = await machineToken(app)
    expect(kidOf(token)).toBe(keys.find((key) => key.algorithm === 'RS256' && key.status === 'signing')?.id)
    expect((await asOperator(app, token).get('/configs/signing-keys')).status).toBe(200)
    expect((await operator.get('/configs/signing-keys')).status).toBe(200)
    await jwtVerify(operator.token, createLocalJWKSet(await readPublished()))
  })

  it('can be withdrawn, which invalidates the tokens that they signed', async () => {
    const oldToken = operator.token
    const response = await rotate({ withdraw: true })
    expect(response.status).toBe(200)
    expect(statuses((await response.json()) as Key[])).toEqual([
      'ES256 signing',
      'ES384 signing',
      'RS256 signing',
    ])
    const { keys } = await readPublished()
    expect(keys.map(({ kid }) => kid)).not.toContain(kidOf(oldToken))
    expect((await operator.get('/configs/signing-keys')).status).toBe(401)
    const renewed = asOperator(app, await machineToken(app))
    expect((await renewed.get('/configs/signing-keys')).status).toBe(200)
  })

  it('are rotated by only one of several overlapping calls', async () => {
    const answers = await Promise.all([rotate(), rotate(), rotate()])
    const codes = await Promise.all(
      answers.map(async (response) => {
        const body = (await response.json()) as { code?: string; message?: string }
        return [response.status, body.code ?? 'ok']
      }),
    )
    const rotated = codes.filter(([status]) => status === 200).length
    expect(rotated).toBeGreaterThan(0)
    for (const code of codes) {
      expect([
        [200, 'ok'],
        [409, 'request.changed_meanwhile'],
      ]).toContainEqual(code)
    }
    expect((await list()).length).toBe(3 + 3 * rotated)

    const logs = await operator.get('/logs?logKey=Management.SigningKeys.Update')
    const rows = (await logs.json()) as { payload: { result: string } }[]
    const successes = rows.filter(({ payload }) => payload.result === 'Success').length
    expect(successes).toBeGreaterThanOrEqual(rotated)
  })

  it('write one audit entry per rotation, without key material', async () => {
    await app.env.DB.prepare("delete from logs where key = 'Management.SigningKeys.Update'").run()
    await rotate({ immediately: true })
    const rows = (await (await operator.get('/logs?logKey=Management.SigningKeys.Update')).json()) as {
      payload: object
    }[]
    expect(rows.map(({ payload }) => payload)).toEqual([
      expect.objectContaining({
        result: 'Success',
        immediately: true,
        actor: { type: 'app', id: 'management' },
      }),
    ])
  })

  it.each([{ immediately: 'yes' }, { immediately: null }, []])(
    'cannot be rotated with the body %j',
    async (body) => {
      const response = await rotate(body)
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
        400,
        'guard.invalid_input',
      ])
      expect((await list()).length).toBe(3)
    },
  )

  it('are accessible only to operators', async () => {
    for (const [path, method] of [
      ['', 'GET'],
      ['/rotate', 'POST'],
    ]) {
      expect((await app.fetch(`/api/configs/signing-keys${path}`, { method: method ?? '' })).status).toBe(401)
    }
  })
})
