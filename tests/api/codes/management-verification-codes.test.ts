import { beforeAll, describe, expect, it } from 'vitest'
import { codeTo, receivedMessages } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { code: string }).code,
]
const request = (address: object, by = operator) => by.send('POST', '/verification-codes', address)
const verify = (body: object) => operator.send('POST', '/verification-codes/verify', body)
const wrong = (code: string) => (code === '111111' ? '222222' : '111111')

describe('a generic verification code', () => {
  it.each([{ email: 'Ann@example.com' }, { phone: '4917012345' }])(
    'is sent to %o and accepted once',
    async (address) => {
      const sent = await request(address)
      expect([sent.status, await sent.text()]).toEqual([204, ''])
      const [message] = await receivedMessages(app, address)
      expect(message).toMatchObject({ type: 'Generic', code: expect.stringMatching(/^\d{6}$/) })

      const verificationCode = await codeTo(app, address)
      const right = await verify({ ...address, verificationCode })
      expect([right.status, await right.text()]).toEqual([204, ''])
      expect(await codeOf(await verify({ ...address, verificationCode }))).toEqual([
        400,
        'verification_code.not_found',
      ])
    },
  )

  it('becomes invalid when a newer code is sent to the same address', async () => {
    const address = { email: 'again@example.com' }
    await request(address)
    const first = await codeTo(app, address)
    await request(address)
    const second = await codeTo(app, address)
    if (first !== second) {
      expect(await codeOf(await verify({ ...address, verificationCode: first }))).toEqual([
        400,
        'verification_code.code_mismatch',
      ])
    }
    expect((await verify({ ...address, verificationCode: second })).status).toBe(204)
  })

  it('is rejected for another address', async () => {
    await request({ email: 'mine@example.com' })
    const verificationCode = await codeTo(app, { email: 'mine@example.com' })
    expect(await codeOf(await verify({ email: 'yours@example.com', verificationCode }))).toEqual([
      400,
      'verification_code.not_found',
    ])
  })

  it('becomes invalid after ten wrong attempts, even if they are concurrent', async () => {
    const address = { email: 'tries@example.com' }
    await request(address)
    const code = await codeTo(app, address)
    const tries = await Promise.all(
      Array.from({ length: 12 }, () => verify({ ...address, verificationCode: wrong(code) })),
    )
    const codes = await Promise.all(tries.map(async (answer) => (await codeOf(answer))[1]))
    expect(codes.filter((errorCode) => errorCode === 'verification_code.code_mismatch')).toHaveLength(10)
    expect(codes.filter((errorCode) => errorCode === 'verification_code.exceed_max_try')).toHaveLength(2)
    expect(await codeOf(await verify({ ...address, verificationCode: code }))).toEqual([
      400,
      'verification_code.exceed_max_try',
    ])
  })

  it('expires after ten minutes', async () => {
    const address = { phone: '49170000' }
    await request(address)
    const verificationCode = await codeTo(app, address)
    await app.env.DB.prepare(
      "update passcodes set created_at = created_at - 600001 where phone = '49170000'",
    ).run()
    expect(await codeOf(await verify({ ...address, verificationCode }))).toEqual([
      400,
      'verification_code.expired',
    ])
  })

  it.each([{}, { email: 'not-an-address' }, { phone: '+49 1' }, { phone: 7 }])(
    'cannot be requested or verified with the body %o',
    async (body) => {
      expect(await codeOf(await request(body))).toEqual([400, 'guard.invalid_input'])
      expect(await codeOf(await verify({ ...body, verificationCode: '123456' }))).toEqual([
        400,
        'guard.invalid_input',
      ])
    },
  )

  it('cannot be sent without a connector', async () => {
    const production = await newOperator(openTestApp({ ENVIRONMENT: 'production' }))
    expect(await codeOf(await request({ email: 'a@example.com' }, production))).toEqual([
      400,
      'connector.not_found',
    ])
  })

  it('is sent in the request’s language', async () => {
    const address = { email: 'lang@example.com' }
    await app.fetch('/api/verification-codes', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${operator.token}`,
        'content-type': 'application/json',
        'accept-language': 'de-AT',
      },
      body: JSON.stringify(address),
    })
    expect(await receivedMessages(app, address)).toMatchObject([{ language: 'de' }])
  })

  it('is sent in a message that names the brand', async () => {
    const address = { email: 'brand@example.com' }
    expect((await operator.send('PATCH', '/sign-in-exp', { branding: { name: 'Acme' } })).status).toBe(200)
    expect((await request(address)).status).toBe(204)
    const [message] = await receivedMessages(app, address)
    expect(message).toMatchObject({ subject: `${message?.code} is your Acme code` })
  })
})
