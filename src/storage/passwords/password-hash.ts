import argon2Module from '../../../build/wasm/argon2.wasm'
import { bcryptVerify, createSHA256, createSHA512, pbkdf2, scrypt } from '../../../build/wasm/hash-wasm.js'
import { decodeBase64 } from '../../domain/base64.ts'
import { installShippedModules } from '../shipped-modules.ts'
import { NATIVE_MEMORY_KIB, NATIVE_PASSES, NATIVE_WORK } from '../tables/passwords/password-work.ts'
import { passwordMethods as methods, type PasswordMethod } from '../tables.ts'
import { createArgon2 } from './argon2.ts'

/**
 * Stored passwords (spec/accounts#password-hashing): new ones are Argon2id hashes, and imported ones have
 * one of the forms below until their users' next sign-in. A password is hashed as typed, in UTF-8.
 *
 * | Method   | Form (salt and hash in Base64 without padding)               | At most                     |
 * |----------|--------------------------------------------------------------|-----------------------------|
 * | Argon2id | `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`                   | m=65536, m·t=2^20, p=16     |
 * | Argon2i  | `$argon2i$v=19$m=4096,t=256,p=1$salt$hash`                   | the same                    |
 * | Bcrypt   | `$2b$12$…` ($2a, $2x and $2y too)                            | cost 13                     |
 * | Scrypt   | `$scrypt$ln=15,r=8,p=1$salt$hash`                            | 64 MiB, 2^ln·r·p=2^20       |
 * | PBKDF2   | `$pbkdf2-sha256$i=600000$salt$hash`, `$pbkdf2-sha512$…`      | i=1200000                   |
 * | SHA256   | `$sha256$salt$hash`, the SHA-256 of the salt and the password |                             |
 * | SHA512   | `$sha512$salt$hash`, likewise                                |                             |
 */
export type StoredPassword = { encoded: string; method: PasswordMethod }

export const CURRENT_METHOD = 'Argon2id' satisfies PasswordMethod

const CURRENT = {
  type: 'argon2id',
  memoryKib: NATIVE_MEMORY_KIB,
  passes: NATIVE_PASSES,
  concurrency: 1,
  hashBytes: 32,
} as const
const CURRENT_FORM = `$argon2id$v=19$m=${NATIVE_MEMORY_KIB},t=${NATIVE_PASSES},p=1$`
const SALT_BYTES = 16

// The limits for imported hashes. An isolate has 128 MB, and a request ten seconds of CPU time (wrangler.toml).
const MAX_MEMORY_KIB = 65_536
const MAX_KIB_PASSES = 2 ** 20 // Argon2i with m=4096, t=256 takes 1.3 s
const MAX_LANES = 16
const MAX_BCRYPT_COST = 13
const MAX_SCRYPT_BLOCKS = 2 ** 20
/** The maximum number of PBKDF2 iterations. This many take about 4 s, less than the CPU time limit (ADR-0047). */
const MAX_PBKDF2_ITERATIONS = 1_200_000
/** Shorter hashes are rejected, because a wrong password could match one by chance. */
const MIN_HASH_BYTES = 16

export const argon2 = createArgon2(argon2Module)
installShippedModules()

/** Hashes a password. The work is synchronous, so a cancelled request cannot stop it halfway. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES))
  const hash = argon2({ ...CURRENT, password: utf8(composed(password)), salt })
  return `${CURRENT_FORM}${base64(salt)}$${base64(hash)}`
}

/**
 * Verifies a password. `rehash` is true if the password was right and its hash is weaker than those of `hashPassword`.
 */
export async function verifyPassword(
  stored: StoredPassword,
  password: string,
): Promise<{ ok: boolean; rehash: boolean }> {
  const verify = verifier(stored)
  if (isProblem(verify)) throw new Error(`A stored ${stored.method} hash is ${verify}, as no import accepts`)
  const ok = await verify(composed(password))
  return { ok, rehash: ok && isWeaker(stored) }
}

/** The reason why an import rejects a hash: its form is unknown, or verification would take too much time or memory. */
type DigestProblem = 'malformed' | 'too costly'

/** Returns the reason why a hash cannot be used, or null if passwords can be verified against it. */
export function findDigestProblem(stored: StoredPassword): DigestProblem | null {
  const verify = verifier(stored)
  return isProblem(verify) ? verify : null
}

/** Determines the method from the prefix of a hash. Returns null if the form is unknown. */
export const detectHashMethod = (encoded: string): PasswordMethod | null =>
  methods.find((method) => beginnings[method].test(encoded)) ?? null

const beginnings = {
  Argon2id: /^\$argon2id\$/,
  Argon2i: /^\$argon2i\$/,
  Bcrypt: /^\$2[abxy]\$/,
  Scrypt: /^\$scrypt\$/,
  PBKDF2: /^\$pbkdf2-/,
  SHA256: /^\$sha256\$/,
  SHA512: /^\$sha512\$/,
} satisfies Record<PasswordMethod, RegExp>

type Verify = (password: string) => Promise<boolean> | boolean

const isProblem = (verify: Verify | DigestProblem): verify is DigestProblem => typeof verify === 'string'

const verifier = ({ encoded, method }: StoredPassword): Verify | DigestProblem =>
  beginnings[method].test(encoded) ? verifiers[method](encoded) : 'malformed'

const verifiers = {
  Argon2id: argon2Form,
  Argon2i: argon2Form,
  Bcrypt: bcrypt,
  Scrypt: scryptForm,
  PBKDF2: pbkdf2Form,
  SHA256: (encoded) => saltedSha(encoded, 'sha256'),
  SHA512: (encoded) => saltedSha(encoded, 'sha512'),
} satisfies Record<PasswordMethod, (encoded: string) => Verify | DigestProblem>

const ARGON2 = /^\$argon2(?:id|i)\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z\d+/]{11,})\$([A-Za-z\d+/]{11,})$/

function argon2Form(encoded: string): Verify | DigestProblem {
  const match = ARGON2.exec(encoded)
  const [memoryKib, passes, concurrency] = numbers(match)
  const pair = saltAndHash(match)
  if (!memoryKib || !passes || !concurrency || !pair || memoryKib < 8 * concurrency) return 'malformed'
  if (concurrency > MAX_LANES || memoryKib > MAX_MEMORY_KIB || memoryKib * passes > MAX_KIB_PASSES)
    return 'too costly'
  const { salt, hash } = pair
  const type = beginnings.Argon2id.test(encoded) ? 'argon2id' : 'argon2i'
  const options = { type, memoryKib, passes, concurrency, hashBytes: hash.length, salt } as const
  return (password) => isSame(argon2({ ...options, password: utf8(password) }), hash)
}

const BCRYPT = /^\$2[abxy]\$(\d\d)\$[./A-Za-z\d]{53}$/
/** The number of bytes that Bcrypt uses; it ignores all others. hash-wasm rejects longer passwords. */
const BCRYPT_BYTES = 72

function bcrypt(encoded: string): Verify | DigestProblem {
  const [cost] = numbers(BCRYPT.exec(encoded))
  if (!cost || cost < 4) return 'malformed'
  if (cost > MAX_BCRYPT_COST) return 'too costly'
  return (password) =>
    runOneHashAtATime(() =>
      bcryptVerify({ password: utf8(password).subarray(0, BCRYPT_BYTES), hash: encoded }),
    )
}

const SCRYPT = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([A-Za-z\d+/]+)\$([A-Za-z\d+/]+)$/

function scryptForm(encoded: string): Verify | DigestProblem {
  const match = SCRYPT.exec(encoded)
  const [logarithm, blockSize, parallelism] = numbers(match)
  const pair = saltAndHash(match)
  if (!logarithm || !blockSize || !parallelism || !pair) return 'malformed'
  if (pair.hash.length < MIN_HASH_BYTES) return 'malformed'
  const costFactor = 2 ** logarithm
  if (128 * blockSize * costFactor > MAX_MEMORY_KIB * 1024) return 'too costly'
  if (costFactor * blockSize * parallelism > MAX_SCRYPT_BLOCKS) return 'too costly'
  const { salt, hash } = pair
  const options = {
    costFactor,
    blockSize,
    parallelism,
    hashLength: hash.length,
    salt,
    outputType: 'binary',
  } as const
  return async (password) => isSame(await runOneHashAtATime(() => scrypt({ ...options, password })), hash)
}

const PBKDF2 = /^\$pbkdf2-(sha256|sha512)\$i=(\d+)\$([A-Za-z\d+/]+)\$([A-Za-z\d+/]+)$/

/**
 * Verifies a PBKDF2 hash with hash-wasm, because the platform's own PBKDF2 is limited to 100,000 iterations in
 * production (spec/storage#password-hashes).
 */
function pbkdf2Form(encoded: string): Verify | DigestProblem {
  const match = PBKDF2.exec(encoded)
  const iterations = Number(match?.[2])
  const pair = saltAndHash(match)
  if (!pair || !iterations || pair.hash.length < MIN_HASH_BYTES) return 'malformed'
  const { salt, hash } = pair
  const [create, size] = match?.[1] === 'sha512' ? [createSHA512, 64] : [createSHA256, 32]
  // Every block of the result requires all iterations (RFC 8018 §5.2).
  const blocks = Math.ceil(hash.length / size)
  if (iterations * blocks > MAX_PBKDF2_ITERATIONS) return 'too costly'
  const options = { iterations, hashLength: hash.length, salt, outputType: 'binary' } as const
  return async (password) =>
    isSame(await runOneHashAtATime(() => pbkdf2({ ...options, password, hashFunction: create() })), hash)
}

const SALTED_SHA = /^\$(sha256|sha512)\$([A-Za-z\d+/]+)\$([A-Za-z\d+/]+)$/

function saltedSha(encoded: string, algorithm: 'sha256' | 'sha512'): Verify | DigestProblem {
  const match = SALTED_SHA.exec(encoded)
  const pair = saltAndHash(match)
  if (match?.[1] !== algorithm || pair?.hash.length !== (algorithm === 'sha512' ? 64 : 32)) return 'malformed'
  return async (password) => {
    const hasher = await (algorithm === 'sha512' ? createSHA512() : createSHA256())
    return isSame(hasher.update(pair.salt).update(utf8(password)).digest('binary'), pair.hash)
  }
}

/** Reports whether a hash is weaker than those of `hashPassword`. A stronger Argon2id hash is kept. */
function isWeaker({ encoded, method }: StoredPassword): boolean {
  if (method !== CURRENT_METHOD) return true
  const [memory = 0, passes = 0] = numbers(ARGON2.exec(encoded))
  return memory * passes < NATIVE_WORK
}

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs hash-wasm for one hash at a time, because an imported hash may take up to 64 of an isolate's 128 MiB. hash-wasm
 * never yields to the event loop, so a cancelled request cannot stop in the middle of a hash and block the queue.
 * Argon2 needs no queue, because it is synchronous.
 */
export function runOneHashAtATime<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work)
  last = result.catch(() => undefined)
  return result
}

const numbers = (match: RegExpExecArray | null): number[] => match?.slice(1).map(Number) ?? []

/** Returns the salt and the hash, which are the last two groups of every form. */
function saltAndHash(match: RegExpExecArray | null): { salt: Uint8Array; hash: Uint8Array } | null {
  const [salt, hash] = (match?.slice(-2) ?? []).map((text) => decodeBase64(text))
  return salt && hash ? { salt, hash } : null
}

const base64 = (bytes: Uint8Array) => bytes.toBase64({ omitPadding: true })

/**
 * Normalises a password, because keyboards may encode the same character in different ways (NIST SP 800-63B-4
 * §3.1.1.2).
 */
const composed = (password: string) => password.normalize('NFC')

const utf8 = (text: string) => new TextEncoder().encode(text)

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0)
  return difference === 0
}
