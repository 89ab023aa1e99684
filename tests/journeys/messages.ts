import { inject } from 'vitest'

/** The code of the newest message to an address, as somebody reads it who has its inbox (decision 44). */
export async function codeTo(address: string): Promise<string> {
  const inbox = `${inject('origin')}/dev/inbox.json?to=${encodeURIComponent(address)}`
  const [newest] = (await (await fetch(inbox)).json()) as { code: string }[]
  if (!newest) throw new Error(`no message to ${address}`)
  return newest.code
}
