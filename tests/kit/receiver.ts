import { env } from 'cloudflare:workers'
import type { ReceivedCall, ReceiverBehaviour } from './receiver-server.ts'

/** A receiver of hook messages and logout tokens: a separate server outside the Worker's process. */
export type Receiver = {
  url: string
  behave(behaviour: ReceiverBehaviour): Promise<void>
  received(): Promise<ReceivedCall[]>
}

export async function newReceiver(behaviour: ReceiverBehaviour = {}): Promise<Receiver> {
  const controlUrl = env.TEST_RECEIVER_URL
  const started = await fetch(controlUrl, { method: 'POST' })
  const { number, url } = (await started.json()) as { number: number; url: string }
  const receiver: Receiver = {
    url,
    async behave(next) {
      await fetch(`${controlUrl}/${number}`, { method: 'PUT', body: JSON.stringify(next) })
    },
    received: async () => (await fetch(`${controlUrl}/${number}`)).json(),
  }
  await receiver.behave(behaviour)
  return receiver
}
