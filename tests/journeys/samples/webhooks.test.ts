import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { freePort } from '../../kit/free-port.ts'
import { browserSweep } from '../browser.ts'
import { noValues } from './guide-values.ts'
import { prepareProgram, printed } from './programs.ts'
import { INSTALL_MS, runToEnd, startProgram, untilListening } from './run-sample.ts'
import { openSampleTenant } from './sample-tenant.ts'

/** Tests the samples that receive the messages of a webhook. */

const { call } = await openSampleTenant()

/** The first sample needs only packages that this repository has. */
const [node, ...others] = [
  { id: 'webhook-node' },
  { id: 'webhook-go', install: 'go mod tidy && go build -o receiver .', run: './receiver' },
  {
    id: 'webhook-python',
    install: 'python3 -m venv v && v/bin/pip install -q -r requirements.txt',
    run: 'v/bin/python receiver.py',
  },
] as const satisfies readonly { id: string; install?: string; run?: string }[]

it.each(browserSweep.isExhaustive ? [node, ...others] : [node])(
  'the sample $id accepts each message that we sign once, and rejects all others',
  async ({ id, ...commands }) => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/vestibule/messages`
    const hook = await call<{ id: string; secret: string }>('POST', '/hooks', {
      events: ['User.Created', 'User.Suspended'],
      config: { url, retries: 0 },
    })
    const copy = await prepareProgram(id, { ...noValues, hookUrl: url, port })
    if ('install' in commands) await runToEnd(commands.install, copy.folder)
    const variables = { PORT: String(port), HOOK_SECRET: hook.secret }
    const program = startProgram(copy, variables, 'run' in commands ? commands.run : undefined)
    await untilListening(program, port)

    expect(await call('POST', `/hooks/${hook.id}/test`, { event: 'User.Suspended' })).toMatchObject({
      result: 'Success',
      response: { statusCode: 204 },
    })
    await printed(program, /User\.Suspended test/g)

    const body = JSON.stringify({ event: 'User.Created', user: { id: 'ann' } })
    const send = async (sentAt: Date, secret = hook.secret, sentBody = body) => {
      const headers = {
        'webhook-id': 'msg_a',
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign('msg_a', sentAt, body),
      }
      return (await fetch(url, { method: 'POST', headers, body: sentBody })).status
    }
    const now = new Date()
    expect([await send(now), await send(now)]).toEqual([204, 204])
    await printed(program, /User\.Created ann/g)
    expect(program.output().match(/User\.Created/g)).toHaveLength(1)
    expect(await send(now, `whsec_${btoa('another secret')}`)).toBe(401)
    expect(await send(now, hook.secret, body.replace('ann', 'bob'))).toBe(401)
    expect(await send(new Date(now.getTime() - 10 * 60_000))).toBe(401)
    expect((await fetch(url, { method: 'POST', body })).status).toBe(401)
  },
  INSTALL_MS,
)
