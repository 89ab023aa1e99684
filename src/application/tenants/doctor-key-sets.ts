import { readKeySet } from '../applications/read-key-set.ts'
import type { Dependencies } from '../dependencies.ts'

/** Reads the key sets as the provider would (spec/provider#client-keys). */
export const examineKeySets = (
  dependencies: Pick<Dependencies, 'network' | 'settings' | 'now'>,
  sets: readonly { id: string; address: string }[],
): Promise<{ id: string; problem: string | null }[]> =>
  Promise.all(
    sets.map(async ({ id, address }) => {
      const { found } = await readKeySet(address, dependencies)
      return { id, problem: typeof found === 'string' ? found : null }
    }),
  )
