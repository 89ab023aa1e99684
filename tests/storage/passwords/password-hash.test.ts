import { describe, expect, it } from 'vitest'
import {
  detectHashMethod,
  findDigestProblem,
  hashPassword,
  type StoredPassword,
  verifyPassword,
} from '../../../src/storage/passwords/password-hash.ts'
import { wholeHashes } from '../../kit/repeated-hashes.ts'

wholeHashes()

const PASSWORD = 'correct horse, batterie d’été'

describe('a new password', () => {
  it('[ASVS-11.2.1] is stored as Argon2id with a unique salt and the parameters of spec/accounts#password-hashing', async () => {
    const [one, other] = await Promise.all([hashPassword(PASSWORD), hashPassword(PASSWORD)])

    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z\d+/]{22}\$[A-Za-z\d+/]{43}$/)
    expect(other).not.toBe(one)
  })

  it('[ASVS-6.2.8] is accepted later only if exactly the same characters are entered', async () => {
    const stored = { encoded: await hashPassword(PASSWORD), method: 'Argon2id' } as const

    expect(await verifyPassword(stored, PASSWORD)).toEqual({ ok: true, rehash: false })
    expect(await verifyPassword(stored, `${PASSWORD} `)).toEqual({ ok: false, rehash: false })
  })

  it('is verified against a hash from another Argon2 library, even with non-Latin characters', async () => {
    // Created with hash-wasm 4.13.
    const stored = {
      method: 'Argon2id',
      encoded:
        '$argon2id$v=19$m=19456,t=2,p=1$c2FsdCBvZiAxNiBieXRlcw$ovded378zhSbcdjW24B9jLEulwQFwfKO/5ZmxohXDHE',
    } as const

    expect(await verifyPassword(stored, '密码 – pässwörd 🔑')).toEqual({ ok: true, rehash: false })
    // This password has the same number of characters but different bytes. A library that confuses characters with
    // bytes would accept it.
    expect(await verifyPassword(stored, '密码 – pässwörd 🔒')).toEqual({ ok: false, rehash: false })
  })

  it('is hashed within one turn of the event loop, so a cancelled request blocks no other request', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    await hashPassword(PASSWORD)
    clearInterval(timer)

    expect(turns).toBe(0)
  })
})

/** Published test vectors, converted to our format. */
const imported = [
  {
    source: 'Argon2 reference implementation',
    password: 'password',
    stored: {
      method: 'Argon2i',
      encoded: `$argon2i$v=19$m=65536,t=2,p=4$${base64('somesalt')}$${fromHex('45d7ac72e76f242b20b77b9bf9bf9d5915894e669a24e6c6')}`,
    },
  },
  {
    source: 'Argon2 reference implementation',
    password: 'password',
    stored: {
      method: 'Argon2id',
      encoded: `$argon2id$v=19$m=65536,t=2,p=1$${base64('somesalt')}$${fromHex('09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7')}`,
    },
  },
  {
    source: 'crypt_blowfish',
    password: 'U*U',
    stored: { method: 'Bcrypt', encoded: '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW' },
  },
  {
    source: 'RFC 7914 §12',
    password: 'pleaseletmein',
    stored: {
      method: 'Scrypt',
      encoded: `$scrypt$ln=14,r=8,p=1$${base64('SodiumChloride')}$${fromHex('7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887')}`,
    },
  },
  {
    source: 'RFC 7914 §11',
    password: 'passwd',
    stored: {
      method: 'PBKDF2',
      encoded: `$pbkdf2-sha256$i=1$${base64('salt')}$${fromHex('55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783')}`,
    },
  },
  {
    source: 'openssl dgst',
    password: 'password',
    stored: {
      method: 'SHA256',
      encoded: `$sha256$${base64('salt')}$${fromHex('13601bda4ea78e55a07b98866d2be6be0744e3866f13c00c811cab608a28f322')}`,
    },
  },
  {
    source: 'openssl dgst',
    password: 'password',
    stored: {
      method: 'SHA512',
      encoded: `$sha512$${base64('salt')}$${fromHex('2908d2c28dfc047741fc590a026ffade237ab2ba7e1266f010fe49bde548b5987a534a86655a0d17f336588e540cd66f67234b152bbb645b4bb85758a1325d64')}`,
    },
  },
  {
    source: 'openssl kdf',
    password: 'password',
    stored: {
      method: 'PBKDF2',
      encoded: `$pbkdf2-sha512$i=100001$${base64('salt')}$${fromHex('1173485d1adf716d519d534f0b30f2db437d3e72defaa5ca11fa9d51540c252185a011fd7ca92dd7008c67df59af517a91599fb922ba4e1a525f6b7630e8dc9b')}`,
    },
  },
] satisfies { source: string; password: string; stored: StoredPassword }[]

describe('an imported password', () => {
  it.each(imported)(
    'is verified with $stored.method, and rehashed unless that hash is stronger ($source)',
    async ({ password, stored }) => {
      const rehash = stored.method !== 'Argon2id'

      expect(findDigestProblem(stored)).toBe(null)
      expect(detectHashMethod(stored.encoded)).toBe(stored.method)
      expect(await verifyPassword(stored, password)).toEqual({ ok: true, rehash })
      expect(await verifyPassword(stored, `${password}!`)).toEqual({ ok: false, rehash: false })
    },
  )

  it('is verified with Argon2i at 256 passes, and rehashed', async () => {
    // Created with argon2-cffi's reference library, with a 16-byte salt, 256 iterations, 4096 KiB and 32 bytes.
    const stored = {
      method: 'Argon2i',
      encoded:
        '$argon2i$v=19$m=4096,t=256,p=1$MDEyMzQ1Njc4OWFiY2RlZg$k3w5sr1K6qDlfUYKDlzRoyjBIf8ldtSCu00pM5RjrfM',
    } as const

    expect(await verifyPassword(stored, 'password')).toEqual({ ok: true, rehash: true })
  })

  it('is rehashed if it is a weaker Argon2id', async () => {
    const stored = {
      method: 'Argon2id',
      encoded: '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
    } as const

    expect(await verifyPassword(stored, 'password')).toEqual({ ok: true, rehash: true })
  })

  it('is truncated to the 72 bytes that bcrypt reads', async () => {
    const stored = {
      method: 'Bcrypt',
      encoded: '$2a$05$KBCwKxOzLha2MUDgW0PjXeBlMM5UWFWwb/KZ9AyuZT.YDE56MakJ6',
    } as const

    expect(await verifyPassword(stored, `${'x'.repeat(72)}and more`)).toEqual({ ok: true, rehash: true })
  })

  const salt = base64('saltsaltsalt')
  const hash = fromHex('00'.repeat(32))
  it.each([
    {
      why: 'with more PBKDF2 iterations than one request may use',
      method: 'PBKDF2',
      encoded: `$pbkdf2-sha256$i=1200001$${salt}$${hash}`,
    },
    {
      why: 'with more PBKDF2 iterations with SHA-512 than one request may use',
      method: 'PBKDF2',
      encoded: `$pbkdf2-sha512$i=1200001$${salt}$${hash}`,
    },
    {
      why: 'with PBKDF2 and an unsupported hash function',
      method: 'PBKDF2',
      encoded: `$pbkdf2-sha1$i=1000$${salt}$${hash}`,
    },
    {
      why: 'with more memory than an isolate has',
      method: 'Argon2id',
      encoded: `$argon2id$v=19$m=131072,t=1,p=1$${salt}$${hash}`,
    },
    {
      why: 'with more passes than one request may use',
      method: 'Argon2i',
      encoded: `$argon2i$v=19$m=65536,t=17,p=1$${salt}$${hash}`,
    },
    {
      why: 'with an old version of Argon2',
      method: 'Argon2i',
      encoded: `$argon2i$v=16$m=4096,t=3,p=1$${salt}$${hash}`,
    },
    {
      why: 'with more memory than scrypt may use',
      method: 'Scrypt',
      encoded: `$scrypt$ln=17,r=8,p=1$${salt}$${hash}`,
    },
    {
      why: 'with a bcrypt cost of 14',
      method: 'Bcrypt',
      encoded: '$2b$14$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
    },
    {
      why: 'with a method that does not match its format',
      method: 'SHA512',
      encoded: `$sha256$${salt}$${hash}`,
    },
    {
      why: 'in an unknown format',
      method: 'SHA256',
      encoded: '5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8',
    },
    {
      why: 'with a hash so long that PBKDF2 needs more than one request may use',
      method: 'PBKDF2',
      encoded: `$pbkdf2-sha256$i=700000$${salt}$${fromHex('00'.repeat(64))}`,
    },
    {
      why: 'with a truncated hash',
      method: 'SHA512',
      encoded: `$sha512$${salt}$${hash}`,
    },
    {
      why: 'with a hash of eight bytes',
      method: 'PBKDF2',
      encoded: `$pbkdf2-sha256$i=1000$${salt}$${fromHex('00'.repeat(8))}`,
    },
    {
      why: 'with an Argon2 hash that is not Base64',
      method: 'Argon2id',
      encoded: `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${'A'.repeat(13)}`,
    },
    { why: 'with a salt that is not Base64', method: 'SHA256', encoded: `$sha256$a$${hash}` },
  ] satisfies ({ why: string } & StoredPassword)[])('is rejected $why', async ({ why, ...stored }) => {
    expect(findDigestProblem(stored)).toBe(/\bmore\b|cost/.test(why) ? 'too costly' : 'malformed')
    await expect(verifyPassword(stored, 'password')).rejects.toThrow('no import accepts')
  })

  it.each(['sha256$i=1200000', 'sha512$i=1200000'])('is accepted at the PBKDF2 limit, %s', (cost) => {
    expect(findDigestProblem({ method: 'PBKDF2', encoded: `$pbkdf2-${cost}$${salt}$${hash}` })).toBeNull()
  })
})

function base64(text: string): string {
  return btoa(text).replaceAll('=', '')
}

function fromHex(hex: string): string {
  return btoa(
    String.fromCharCode(...(hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))),
  ).replaceAll('=', '')
}
