import { env } from 'cloudflare:workers'
import type { Manner, Received } from './receiver-server.ts'

/** Somebody who is told things: a real server beside the tests, of their own. */
export type Receiver = {
  url: string
  behave(manner: Manner): Promise<void>
  received(): Promise<Received[]>
}

export async function newReceiver(manner: Manner = {}): Promise<Receiver> {
  const office = env.TEST_RECEIVER_URL
  const started = await fetch(office, { method: 'POST' })
  const { number, url } = (await started.json()) as { number: number; url: string }
  const receiver: Receiver = {
    url,
    async behave(next) {
      await fetch(`${office}/${number}`, { method: 'PUT', body: JSON.stringify(next) })
    },
    received: async () => (await fetch(`${office}/${number}`)).json(),
  }
  await receiver.behave(manner)
  return receiver
}
