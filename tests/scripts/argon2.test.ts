import { argon2Sync } from 'node:crypto'
import { hash as nativeHash, verify as nativeVerify } from 'argon2'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadArgon2Module } from '../../scripts/argon2-module.mjs'
import { type Argon2Input, createArgon2 } from '../../src/storage/passwords/argon2.ts'
import { sweepOfProcess } from '../kit/sweep.ts'

/**
 * Compares our Argon2 module with two other implementations: OpenSSL in Node, and the native package `argon2`. These
 * tests run in Node, because workerd cannot load native code. `tests/storage/passwords/password-hash.test.ts` tests
 * the same module in workerd.
 */
const module = new WebAssembly.Module(loadArgon2Module())
const argon2 = createArgon2(module)

const SECONDS = 1000
const MIB = 1024 * 1024
const { seed, isExhaustive } = sweepOfProcess()
const numRuns = isExhaustive ? 2_000 : 20

describe('Argon2 in WebAssembly', { timeout: 60 * SECONDS }, () => {
  it('imports no functions, so it has no side effects', () => {
    expect(WebAssembly.Module.imports(module)).toEqual([])
  })

  // The RFC test vectors use a secret and associated data, which PHC strings cannot contain. They verify OpenSSL, which
  // the other tests use as a reference.
  it.each([
    ['argon2i', 'c814d9d1dc7f37aa13f0d77f2494bda1c8de6b016dd388d29952a4c4672b6ce8'],
    ['argon2id', '0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659'],
  ] as const)('is tested against OpenSSL, which passes the RFC 9106 test vector for %s', (type, tag) => {
    const tagBytes = argon2Sync(type, {
      message: Buffer.alloc(32, 1),
      nonce: Buffer.alloc(16, 2),
      secret: Buffer.alloc(8, 3),
      associatedData: Buffer.alloc(12, 4),
      parallelism: 4,
      tagLength: 32,
      memory: 32,
      passes: 3,
    })

    expect(hex(tagBytes)).toBe(tag)
  })

  it('computes the same hashes as OpenSSL for random parameters', () => {
    const inputs = fc.record({
      type: fc.constantFrom('argon2id', 'argon2i'),
      password: fc.uint8Array({ maxLength: 300 }),
      salt: fc.uint8Array({ minLength: 8, maxLength: 64 }),
      concurrency: fc.integer({ min: 1, max: 16 }),
      memoryKib: fc.integer({ min: 128, max: 4096 }),
      passes: fc.integer({ min: 1, max: 4 }),
      hashBytes: fc.integer({ min: 4, max: 200 }),
    } satisfies Record<keyof Argon2Input, unknown>)

    fc.assert(
      fc.property(inputs, (input) => {
        expect(hex(argon2(input))).toBe(hex(openssl(input)))
      }),
      { seed, numRuns },
    )
  })

  it.each([
    { why: 'our parameters', memoryKib: 19_456, passes: 2, concurrency: 1 },
    { why: 'the smallest parameters', memoryKib: 8, passes: 1, concurrency: 1 },
    {
      why: 'the most memory and lanes that an import may use',
      memoryKib: 65_536,
      passes: 2,
      concurrency: 16,
    },
  ])('computes the same hashes as OpenSSL for $why', ({ memoryKib, passes, concurrency }) => {
    for (const type of ['argon2id', 'argon2i'] as const) {
      const input: Argon2Input = { type, ...PASSWORD_AND_SALT, memoryKib, passes, concurrency, hashBytes: 32 }
      expect(hex(argon2(input))).toBe(hex(openssl(input)))
    }
  })

  it('verifies the hashes of the native package, and vice versa, for any password', async () => {
    const options = { memoryCost: 64, timeCost: 1, parallelism: 1 }
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 60 }), async (password) => {
        const bytes = new TextEncoder().encode(password)
        const input: Argon2Input = { ...SMALL, password: bytes }
        expect(await nativeVerify(phc(input, argon2(input)), password)).toBe(true)

        const nativeResult = await nativeHash(password, { ...options, type: 2 })
        const [, , , , salt = '', hash = ''] = nativeResult.split('$')
        expect(base64(argon2({ ...input, salt: Buffer.from(salt, 'base64') }))).toBe(hash)
      }),
      { seed, numRuns },
    )
  })

  it('erases the password from its memory', () => {
    const [instance] = instancesCreatedBy(() => createArgon2(module)(OURS))
    const memory = instance?.exports.memory as WebAssembly.Memory | undefined
    const memoryBytes = Buffer.from(new Uint8Array(memory?.buffer ?? []))

    expect(memoryBytes.includes(Buffer.from(OURS.password))).toBe(false)
    expect(memoryBytes.includes(Buffer.from(OURS.salt))).toBe(false)
    // The working memory has been zeroed, except for a few pointers of the allocator.
    const filled = memoryBytes.subarray(MIB)
    expect(filled.length).toBeGreaterThan(18 * MIB)
    expect(filled.filter((byte) => byte !== 0).length).toBeLessThan(64)
  })

  it('reuses an instance for hashes with our parameters, and discards instances that needed much more memory', () => {
    const fresh = createArgon2(module)
    expect(instancesCreatedBy(() => fresh(OURS))).toHaveLength(1)
    expect(instancesCreatedBy(() => fresh(OURS))).toHaveLength(0)
    expect(instancesCreatedBy(() => fresh({ ...OURS, memoryKib: 65_536 }))).toHaveLength(0)
    expect(instancesCreatedBy(() => fresh(OURS))).toHaveLength(1)
  })

  it('never reuses an instance after an error', () => {
    const fresh = createArgon2(module)
    const before = hex(fresh(SMALL))
    // Argon2 rejects these parameters, because 16 lanes require more memory.
    expect(() => fresh({ ...SMALL, concurrency: 16, memoryKib: 64 })).toThrow('Argon2 ended with')

    const created = instancesCreatedBy(() => expect(hex(fresh(SMALL))).toBe(before))
    expect(created).toHaveLength(1)
  })
})

const PASSWORD_AND_SALT = {
  password: new TextEncoder().encode('correct horse, batterie d’été'),
  salt: Buffer.from('a salt of 16 byt'),
}
const OURS = {
  type: 'argon2id',
  ...PASSWORD_AND_SALT,
  memoryKib: 19_456,
  passes: 2,
  concurrency: 1,
  hashBytes: 32,
} as const
const SMALL = { ...OURS, memoryKib: 64, passes: 1 } as const

function openssl({ type, password, salt, memoryKib, passes, concurrency, hashBytes }: Argon2Input): Buffer {
  return argon2Sync(type, {
    message: password,
    nonce: salt,
    memory: memoryKib,
    passes,
    parallelism: concurrency,
    tagLength: hashBytes,
  })
}

/** Returns the WebAssembly instances that a function creates. */
function instancesCreatedBy(work: () => void): WebAssembly.Instance[] {
  const { Instance } = WebAssembly
  const created: WebAssembly.Instance[] = []
  WebAssembly.Instance = new Proxy(Instance, {
    construct(target, args) {
      const instance: WebAssembly.Instance = Reflect.construct(target, args)
      created.push(instance)
      return instance
    },
  })
  try {
    work()
  } finally {
    WebAssembly.Instance = Instance
  }
  return created
}

const phc = ({ memoryKib, passes, concurrency, salt }: Argon2Input, hash: Uint8Array) =>
  `$argon2id$v=19$m=${memoryKib},t=${passes},p=${concurrency}$${base64(salt)}$${base64(hash)}`

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '')
