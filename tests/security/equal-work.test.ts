import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { openD1 } from '../../src/storage/d1.ts'
import { hashPassword } from '../../src/storage/passwords/password-hash.ts'
import {
  type DummyHash,
  runDummyHashes,
  selectDummyHashes,
} from '../../src/storage/passwords/password-work.ts'
import {
  BCRYPT_WORK,
  NATIVE_WORK,
  PBKDF2_WORK,
  SCRYPT_WORK,
} from '../../src/storage/tables/passwords/password-work.ts'
import { accountWithHashCostQuery, costliestHashQuery } from '../../src/storage/users/users.ts'
import { freshName, PASSWORD } from '../kit/clients/cookie-client.ts'
import { beginInteraction } from '../kit/clients/interaction-client.ts'
import { countingHashes } from '../kit/counted-hashes.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/**
 * The response time for a wrong password reveals neither whether an account exists nor its hash method
 * (spec/accounts#equal-work).
 */

const salt = 'c2FsdHNhbHRzYWx0'
const hashOf = (bytes: number) => btoa('x'.repeat(bytes)).replaceAll('=', '')

/** A hash of every type, with the work required to compute it. */
const forms = {
  SHA256: [`$sha256$${salt}$${hashOf(32)}`, 0],
  SHA512: [`$sha512$${salt}$${hashOf(64)}`, 0],
  'weak Argon2id': [`$argon2id$v=19$m=256,t=2,p=1$${salt}$${hashOf(32)}`, 512],
  Argon2id: [`$argon2id$v=19$m=19456,t=2,p=1$${salt}$${hashOf(32)}`, NATIVE_WORK],
  'bcrypt of cost 8': [`$2y$08$${'C'.repeat(53)}`, 256 * BCRYPT_WORK],
  'bcrypt of cost 10': [`$2b$10$${'C'.repeat(53)}`, 1024 * BCRYPT_WORK],
  scrypt: [`$scrypt$ln=15,r=8,p=1$${salt}$${hashOf(32)}`, 2 ** 18 * SCRYPT_WORK],
  'PBKDF2 with SHA-512': [`$pbkdf2-sha512$i=60000$${salt}$${hashOf(64)}`, 60_000 * PBKDF2_WORK.sha512],
  'PBKDF2 of two blocks': [`$pbkdf2-sha256$i=80000$${salt}$${hashOf(64)}`, 160_000 * PBKDF2_WORK.sha256],
  Argon2i: [`$argon2i$v=19$m=4096,t=256,p=1$${salt}$${hashOf(32)}`, 2 ** 20],
} as const satisfies Record<string, readonly [encoded: string, work: number]>
type Form = keyof typeof forms

const METHODS = { $a: 'Argon2id', $2: 'Bcrypt', $s: 'SHA256', $p: 'PBKDF2' } as const
const methodOf = (encoded: string) =>
  encoded.startsWith('$argon2i$')
    ? 'Argon2i'
    : encoded.startsWith('$scrypt')
      ? 'Scrypt'
      : encoded.startsWith('$sha512')
        ? 'SHA512'
        : METHODS[encoded.slice(0, 2) as keyof typeof METHODS]

const db = openD1(env.DB)
let app: TestApp
beforeAll(() => {
  app = openTestApp()
})

async function newUser(encoded: string | null): Promise<string> {
  const username = freshName()
  await env.DB.prepare(
    `insert into users (tenant_id, id, username, password_encrypted, password_encryption_method, created_at)
      values ('default', ?, ?, ?, ?, 0)`,
  )
    .bind(username.slice(-12), username, encoded, encoded && methodOf(encoded))
    .run()
  return username
}

const withoutUsers = () => env.DB.prepare('delete from users').run()

async function attempt(username: string, password = 'wrong-horse-7') {
  const interaction = await beginInteraction(app)
  await interaction.start('SignIn')
  const { value: response, hashes } = await countingHashes(() =>
    interaction.start('SignIn', { identifier: { username, password } }),
  )
  return { hashes, status: response.status }
}

describe('a wrong password', () => {
  it('costs as much as one default hash for every account if the tenant has no stronger hash', async () => {
    await withoutUsers()
    const ours = await newUser(await hashPassword(PASSWORD))
    const others = [freshName(), await newUser(null)]
    for (const form of ['SHA256', 'SHA512'] as const) others.push(await newUser(forms[form][0]))

    for (const username of [ours, ...others])
      expect(await attempt(username)).toEqual({ hashes: 1, status: 422 })
    expect(await attempt(ours, PASSWORD)).toEqual({ hashes: 1, status: 204 })
  })

  it('[ASVS-6.3.8-2] costs as much as the tenant’s strongest hash', async () => {
    await withoutUsers()
    const ours = await newUser(await hashPassword(PASSWORD))
    const strong = await newUser(forms.Argon2id[0].replace('t=2', 't=4'))
    // The first computation uses the account's own hash, and the second adds the missing work.
    expect(await attempt(ours)).toEqual({ hashes: 2, status: 422 })
    expect(await attempt(strong)).toEqual({ hashes: 1, status: 422 })
    expect(await attempt(freshName())).toEqual({ hashes: 1, status: 422 })
    expect(await attempt(ours, PASSWORD)).toEqual({ hashes: 1, status: 204 })

    await env.DB.prepare('delete from users where username = ?').bind(strong).run()
    expect(await attempt(ours)).toEqual({ hashes: 1, status: 422 })
  })
})

describe('the cost of a password hash', () => {
  it.each(Object.entries(forms))('is computed by the database for type %s', async (_, [encoded, work]) => {
    await withoutUsers()
    const value = await newUser(encoded)
    const [account] = await accountWithHashCostQuery(db, 'default', { by: 'username', value })
    expect(account?.passwordWork).toBe(work)
    const [strongest] = await costliestHashQuery(db, 'default')
    expect(strongest?.work).toBe(work > NATIVE_WORK ? work : undefined)
  })

  const workOf = (dummy: DummyHash): number => {
    switch (dummy.by) {
      case 'Argon2id':
        return dummy.memoryKib * dummy.passes
      case 'Bcrypt':
        return 2 ** dummy.costFactor * BCRYPT_WORK
      case 'Scrypt':
        return 2 ** 15 * SCRYPT_WORK * dummy.parallelism
      case 'PBKDF2':
        return dummy.iterations * PBKDF2_WORK[dummy.hash]
    }
  }
  const names = Object.keys(forms) as Form[]
  const pairs = names.flatMap((strongest) =>
    names
      .filter((own) => forms[strongest][1] >= NATIVE_WORK && forms[own][1] <= forms[strongest][1])
      .map((own) => ({ own, strongest })),
  )

  it.each(pairs)('is raised from the cost of $own to the cost of $strongest', ({ own, strongest }) => {
    const [form, work] = forms[strongest]
    const done = forms[own][1]
    const hashes = selectDummyHashes(done, work > NATIVE_WORK ? { form: form.slice(0, 14), work } : undefined)
    const total = hashes.map(workOf).reduce((sum, part) => sum + part, done)
    expect(Math.abs(total / work - 1)).toBeLessThan(0.07)
    for (const dummy of hashes)
      if (dummy.by === 'Argon2id') expect(dummy.memoryKib).toBeLessThanOrEqual(19_456)
  })

  it('can be imitated with every hash method', async () => {
    const hashes: DummyHash[] = [
      { by: 'Argon2id', memoryKib: 1, passes: 1 },
      { by: 'Bcrypt', costFactor: 4 },
      { by: 'Scrypt', parallelism: 1 },
      { by: 'PBKDF2', hash: 'sha256', iterations: 1 },
      { by: 'PBKDF2', hash: 'sha512', iterations: 1 },
    ]
    await runDummyHashes(hashes, '密码'.repeat(100))
  })
})
