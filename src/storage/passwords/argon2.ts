/** The inputs of Argon2 (RFC 9106 §3.1). As in PHC strings, there is no secret and no associated data. */
export type Argon2Input = {
  type: 'argon2id' | 'argon2i'
  password: Uint8Array
  salt: Uint8Array
  memoryKib: number
  passes: number
  concurrency: number
  hashBytes: number
}

type Argon2Hash = (input: Argon2Input) => Uint8Array

/**
 * Returns a function that computes Argon2 with the reference implementation, compiled to WebAssembly with SIMD
 * (ADR-0047). It is synchronous, so nothing else runs in the isolate meanwhile, and a cancelled request cannot
 * interrupt it. WebAssembly instances never release memory, and a new one for each hash would leave 19 MiB to the
 * garbage collector every time. So one instance is reused, unless it has grown beyond what our own hashes need. An
 * instance is not available for reuse while it computes, so one that was interrupted (by a trap or the CPU time limit)
 * is never used again.
 */
export function createArgon2(module: WebAssembly.Module): Argon2Hash {
  let spare: Instance | null = null

  return (input) => {
    const instance = spare ?? newInstance(module)
    spare = null
    const hash = hashBy(instance, input)
    if (instance.memory.buffer.byteLength <= MAX_REUSED_BYTES) spare = instance
    return hash
  }
}

/** The 19 MiB of our own hashes, rounded up by the module's allocator. */
const MAX_REUSED_BYTES = 32 * 1024 * 1024
const VERSION = 0x13 // RFC 9106 §3.1
const TYPES = { argon2i: 1, argon2id: 2 } as const

type Instance = {
  memory: WebAssembly.Memory
  malloc(bytes: number): number
  free(address: number): void
  argon2_hash(...args: number[]): number
}

function newInstance(module: WebAssembly.Module): Instance {
  const exports = new WebAssembly.Instance(module).exports as Instance & { _initialize(): void }
  exports._initialize()
  return exports
}

function hashBy(
  instance: Instance,
  { type, password, salt, memoryKib, passes, concurrency, hashBytes }: Argon2Input,
) {
  const size = password.length + salt.length + hashBytes
  const passwordAt = instance.malloc(size)
  if (passwordAt === 0) throw new Error('Argon2 has no memory left')
  const saltAt = passwordAt + password.length
  const hashAt = saltAt + salt.length
  bytes(instance, passwordAt, size).set(password)
  bytes(instance, saltAt, salt.length).set(salt)
  const noText = [0, 0] as const
  const problem = instance.argon2_hash(
    ...[passes, memoryKib, concurrency],
    ...[passwordAt, password.length, saltAt, salt.length, hashAt, hashBytes],
    ...[...noText, TYPES[type], VERSION],
  )
  // The memory may have grown, which invalidates earlier views of it.
  const hash = bytes(instance, hashAt, hashBytes).slice()
  bytes(instance, passwordAt, size).fill(0)
  instance.free(passwordAt)
  if (problem !== 0) throw new Error(`Argon2 ended with ${problem}`)
  return hash
}

const bytes = ({ memory }: Instance, at: number, length: number) => new Uint8Array(memory.buffer, at, length)
