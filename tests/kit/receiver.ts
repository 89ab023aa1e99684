import { env } from 'cloudflare:workers'
import type { ReceivedCall, ReceiverBehaviour } from './receiver-server.ts'

/** A receiver of hooks and logouts: a server of its own, in the process beside the Worker. */
export type Receiver = {
  url: string
  behave(manner: ReceiverBehaviour): Promise<void>
  received(): Promise<ReceivedCall[]>
}

export async function newReceiver(manner: ReceiverBehaviour = {}): Promise<Receiver> {
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
