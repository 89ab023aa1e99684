import { env } from 'cloudflare:workers'
import { createLocalJWKSet, type JWK, jwtVerify, SignJWT } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { MINUTE } from '../../../src/contract/time.ts'
import { notAudited } from '../../../src/storage/commit.ts'
import { openD1 } from '../../../src/storage/d1.ts'
import { createSeals, signingKeysLabel } from '../../../src/storage/seal.ts'
import { readSigningKeys, rotateSigningKeys } from '../../../src/storage/tenants/signing-keys.ts'

const tenantId = 'default'
const secrets = ['the root secret before, long enough', 'the root secret after, long enough!'] as const
const audit = notAudited('a test')
const db = openD1(env.DB)
let time = 0
const store = { db, seals: createSeals(secrets[0]), now: () => time }

beforeEach(async () => {
  time = 1_000_000
  await env.DB.prepare("delete from configs where key = 'oidc.privateKeys'").run()
})

const kidsOf = async (seals = store.seals) =>
  (await readSigningKeys({ ...store, seals }, tenantId)).jwks.keys.map(({ kid, alg }) => `${alg} ${kid}`)

const publicKeyOf = ({ d, p, q, dp, dq, qi, ...rest }: JWK): JWK => rest

const first = (kids: readonly string[], alg: string) => kids.find((kid) => kid.startsWith(alg))

async function signToken(): Promise<string> {
  const { jwks } = await readSigningKeys(store, tenantId)
  const key = jwks.keys.find(({ alg }) => alg === 'RS256') as JWK & { kid: string }
  return new SignJWT({}).setProtectedHeader({ alg: 'RS256', kid: key.kid }).sign(key)
}

describe('signing keys', () => {
  it('[ASVS-11.6.1] are created only once, on first use, even by concurrent requests', async () => {
    const reads = await Promise.all(Array.from({ length: 5 }, () => kidsOf()))
    expect(new Set(reads.map((kids) => kids.join())).size).toBe(1)
    expect(reads[0]?.map((kid) => kid.split(' ')[0])).toEqual(['RS256', 'ES384', 'ES256'])
  })

  it('are added only once for an algorithm that an earlier version did not support', async () => {
    const before = await kidsOf()
    const { value } = (await env.DB.prepare(
      "select value from configs where key = 'oidc.privateKeys'",
    ).first<{
      value: string
    }>()) ?? { value: '{}' }
    const label = signingKeysLabel(tenantId)
    const records = z.array(z.looseObject({ jwk: z.looseObject({ alg: z.string() }) }))
    const storedKeys = records.parse(await store.seals.open(label, JSON.parse(value).sealed))
    const earlierKeys = storedKeys.filter(({ jwk }) => jwk.alg !== 'ES256')
    const row = JSON.stringify({ version: 'earlier', sealed: await store.seals.seal(label, earlierKeys) })
    await env.DB.prepare("update configs set value = ? where key = 'oidc.privateKeys'").bind(row).run()

    const reads = await Promise.all(Array.from({ length: 3 }, () => kidsOf()))
    expect(new Set(reads.map((kids) => kids.join())).size).toBe(1)
    expect(reads[0]?.slice(0, 2)).toEqual(before.slice(0, 2))
    expect(reads[0]?.map((kid) => kid.split(' ')[0])).toEqual(['RS256', 'ES384', 'ES256'])
  })

  it('[ASVS-13.3.1-3] are encrypted in the database', async () => {
    await kidsOf()
    const row = await env.DB.prepare("select value from configs where key = 'oidc.privateKeys'").first<{
      value: string
    }>()
    expect(Object.keys(JSON.parse(row?.value ?? '{}'))).toEqual(['version', 'sealed'])
    expect(row?.value).not.toMatch(/"(?:kty|d)"/)
  })

  it('[OIDC-10.1.1] are published ten minutes before they start signing, and remain published for 14 days after they stop', async () => {
    const before = await kidsOf()
    const token = await signToken()
    await rotateSigningKeys(store, tenantId, { audit })
    const published = await kidsOf()
    expect(published.length).toBe(6)
    expect(first(published, 'RS256')).toBe(first(before, 'RS256'))

    time += 10 * MINUTE
    const rotated = await kidsOf()
    expect(first(rotated, 'RS256')).not.toBe(first(before, 'RS256'))
    expect(rotated).toEqual(expect.arrayContaining(before))
    const { jwks } = await readSigningKeys(store, tenantId)
    await jwtVerify(token, createLocalJWKSet({ keys: jwks.keys.map(publicKeyOf) }))

    time += 14 * 24 * 60 * MINUTE
    await rotateSigningKeys(store, tenantId, { audit })
    expect((await kidsOf()).filter((kid) => before.includes(kid))).toEqual([])
  })

  it('can be rotated immediately in case the current keys were leaked', async () => {
    const before = await kidsOf()
    await rotateSigningKeys(store, tenantId, { audit, immediately: true })
    time += 1
    expect(first(await kidsOf(), 'ES384')).not.toBe(first(before, 'ES384'))
  })

  it('have a new version as soon as an announced key starts signing', async () => {
    await kidsOf()
    await rotateSigningKeys(store, tenantId, { audit })
    const { version } = await readSigningKeys(store, tenantId)
    time += 10 * MINUTE
    expect((await readSigningKeys(store, tenantId)).version).not.toBe(version)
  })

  it('[ASVS-11.2.2] survive a change to the root secret and need the previous secret only once', async () => {
    const before = await kidsOf()
    expect(await kidsOf(createSeals(secrets[1], secrets[0]))).toEqual(before)
    expect(await kidsOf(createSeals(secrets[1]))).toEqual(before)
    await expect(kidsOf(createSeals(secrets[0]))).rejects.toThrow(/ROOT_SECRET/)
  })
})
