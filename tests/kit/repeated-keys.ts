/**
 * A setup file for tests in the Workers runtime, and part of the server of the journeys. Generating an RSA key takes
 * about as long as testing a call, and each file and each tenant needs a key. The first keys of each kind are therefore
 * reused in turn. There are more of them than a tenant has at any time. Keys are kept once they are generated, because
 * a request must not wait for a promise of another request.
 */
const MAX_KEYS = 8

type Generate = (algorithm: object, extractable: boolean, usages: string[]) => Promise<unknown>
type Turns = { keys: unknown[]; next: number }

/** This object is shared by all test files, because one Worker runs them all (`isolate: false`). */
const worker = globalThis as { turnsOfKeys?: Map<string, Turns> }

if (!worker.turnsOfKeys) {
  const kinds = new Map<string, Turns>()
  worker.turnsOfKeys = kinds
  const { generateKey } = crypto.subtle
  const generate: Generate = (...args) => Reflect.apply(generateKey, crypto.subtle, args)

  const repeated: Generate = async (algorithm, extractable, usages) => {
    if (!isRsa(algorithm)) return generate(algorithm, extractable, usages)
    const kind = JSON.stringify([algorithm, extractable, usages])
    const turns = kinds.get(kind) ?? { keys: [], next: 0 }
    kinds.set(kind, turns)
    const index = turns.next++ % MAX_KEYS
    const key = turns.keys[index] ?? (await generate(algorithm, extractable, usages))
    turns.keys[index] = key
    return key
  }
  Object.defineProperty(crypto.subtle, 'generateKey', { value: repeated })
}

function isRsa(algorithm: object): boolean {
  const name: unknown = Reflect.get(algorithm, 'name')
  return typeof name === 'string' && name.startsWith('RSA')
}
