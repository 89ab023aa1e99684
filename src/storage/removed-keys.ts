import type { KVNamespace } from '@cloudflare/workers-types'

/** Deletes some of the KV keys with a prefix. Returns true if none are left, as far as KV currently knows. */
export async function removeSomeKeys(
  kv: Pick<KVNamespace, 'list' | 'delete'>,
  options: { prefix: string; limit: number },
): Promise<boolean> {
  const { keys, list_complete } = await kv.list(options)
  // A key that was just written cannot be deleted immediately, so the next step finds it again.
  const removed = await Promise.allSettled(keys.map(({ name }) => kv.delete(name)))
  return list_complete && removed.every(({ status }) => status === 'fulfilled')
}
