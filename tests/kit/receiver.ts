import { env } from 'cloudflare:workers'
import type { Manner, Received } from './receiver-server.ts'

/** A receiver of hooks and logouts: a server of its own, in the process beside the Worker. */
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
