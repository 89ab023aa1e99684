import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { z } from 'zod'
import { idTokenAlgorithms } from '../../contract/applications/applications.ts'
import {
  ANNOUNCEMENT_PERIOD,
  getSigningKeyStatus,
  keysAfterRotation,
  type SigningKeyStatus,
} from '../../domain/tenants/signing-keys.ts'
import type { ReadThroughCache } from '../cache.ts'
import { commitChange, type RequiredAudit } from '../commit.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import { type Seals, signingKeysLabel, UnreadableSeal } from '../seal.ts'
import { hasConfigValue, insertConfigIfAbsent, readConfig, replaceConfig } from './configs.ts'

/**
 * The keys that sign a tenant's tokens (spec/provider#signing-keys): RS256 because old clients support nothing else,
 * ES384, and ES256 for FAPI 2.0. They are stored sealed. Keys are generated when first used; if two isolates generate
 * keys at the same time, the database decides which ones are kept.
 */
const CONFIG_KEY = 'oidc.privateKeys'

const StoredKeys = z.object({ version: z.string(), sealed: z.string() })

const KeyRecord = z.object({
  jwk: z.looseObject({ kid: z.string(), alg: z.string() }),
  signsFrom: z.number(),
})
type KeyRecord = z.infer<typeof KeyRecord>

export type SigningKeys = { version: string; jwks: { keys: JWK[] } }
export type SigningKeyCache = ReadThroughCache<SigningKeys>

type KeyStore = { db: Database; seals: Seals; now: () => number }

/**
 * Reads the keys in the order in which the provider uses them: the signing keys first, then the announced and the
 * retired ones.
 */
export async function readSigningKeys(store: KeyStore, tenantId: string): Promise<SigningKeys> {
  const { stored, records } = await readRecords(store, tenantId)
  const time = store.now()
  const signing = records.filter((record) => getSigningKeyStatus(record, records, time) === 'signing')
  const others = records.filter((record) => !signing.includes(record))
  // The version changes with the stored keys and with the current signing keys, which also depend on the time. A cached
  // provider is replaced when the version changes.
  const version = [stored.version, ...signing.map(({ jwk }) => jwk.kid)].join(' ')
  return { version, jwks: { keys: [...signing, ...others].map(({ jwk }) => jwk) } }
}

type KeyDescription = {
  /** The `kid` header of tokens that the key signs. */
  id: string
  algorithm: string
  status: SigningKeyStatus
  signsFrom: number
}

/** Describes the keys for operators, newest first. The description contains no key material. */
export async function describeSigningKeys(store: KeyStore, tenantId: string): Promise<KeyDescription[]> {
  const { records } = await readRecords(store, tenantId)
  const time = store.now()
  return records
    .map((record) => ({
      id: record.jwk.kid,
      algorithm: record.jwk.alg,
      status: getSigningKeyStatus(record, records, time),
      signsFrom: record.signsFrom,
    }))
    .toSorted((one, other) => other.signsFrom - one.signsFrom)
}

type Rotation = { audit: RequiredAudit; immediately?: boolean; withdraw?: boolean }

/**
 * Adds a key for each algorithm, which starts to sign in ten minutes or at once, and removes keys whose last token has
 * expired. If two rotations run concurrently, only one of them takes effect.
 */
export async function rotateSigningKeys(
  store: KeyStore,
  tenantId: string,
  { audit, withdraw = false, immediately = withdraw }: Rotation,
): Promise<'rotated' | 'changedMeanwhile'> {
  const { db, seals, now } = store
  const { stored, records } = await readRecords(store, tenantId)
  const time = now()
  const keptKeys = keysAfterRotation(records, { immediately, withdraw }, time)
  const added = await generateKeys(time + (immediately ? 0 : ANNOUNCEMENT_PERIOD))
  const to = await sealRecords(seals, tenantId, [...keptKeys, ...added])
  const { replaced } = await commitChange(db, {
    tenantId,
    condition: hasConfigValue(tenantId, CONFIG_KEY, stored),
    audit,
    statements: { replaced: replaceConfig(db, tenantId, CONFIG_KEY, { from: stored, to }) },
  })
  return replaced.length > 0 ? 'rotated' : 'changedMeanwhile'
}

/**
 * Reads the keys, which are generated on first use. After ROOT_SECRET has changed, the keys are also resealed, so that
 * the previous secret can be removed eventually.
 */
async function readRecords(
  store: KeyStore,
  tenantId: string,
): Promise<{ stored: z.infer<typeof StoredKeys>; records: KeyRecord[] }> {
  const { db, seals } = store
  const stored = StoredKeys.parse(
    (await readConfig(db, tenantId, CONFIG_KEY)) ??
      (await insertConfigIfAbsent(
        db,
        tenantId,
        CONFIG_KEY,
        await sealRecords(seals, tenantId, await generateKeys(0)),
      )),
  )
  const opened = await openRecords(seals, tenantId, stored.sealed)
  // An earlier version generated no key for this algorithm. The new key signs at once, because no client can have used
  // the algorithm before.
  const missing = idTokenAlgorithms.filter((alg) => opened.every(({ jwk }) => jwk.alg !== alg))
  const isCurrent = await seals.isCurrent(signingKeysLabel(tenantId), stored.sealed)
  if (isCurrent && missing.length === 0) return { stored, records: opened }
  const records = [...opened, ...(await generateKeys(0, missing))]
  const to = await sealRecords(seals, tenantId, records)
  const replaced = await replaceConfig(db, tenantId, CONFIG_KEY, { from: stored, to })
  if (replaced.length > 0) return { stored: to, records }
  return missing.length === 0 ? { stored, records } : readRecords(store, tenantId)
}

async function openRecords(seals: Seals, tenantId: string, sealed: string): Promise<KeyRecord[]> {
  const opened = await seals.open(signingKeysLabel(tenantId), sealed)
  if (opened === null) throw new UnreadableSeal(`The signing keys of tenant ${tenantId}`, sealed)
  return z.array(KeyRecord).parse(opened)
}

const sealRecords = async (seals: Seals, tenantId: string, records: KeyRecord[]) => ({
  version: randomId(),
  sealed: await seals.seal(signingKeysLabel(tenantId), records),
})

const generateKeys = (
  signsFrom: number,
  algorithms: readonly (typeof idTokenAlgorithms)[number][] = idTokenAlgorithms,
): Promise<KeyRecord[]> =>
  Promise.all(algorithms.map(async (alg) => ({ jwk: await generateKey(alg), signsFrom })))

async function generateKey(alg: (typeof idTokenAlgorithms)[number]): Promise<KeyRecord['jwk']> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return { ...(await exportJWK(privateKey)), alg, use: 'sig', kid: randomId() }
}
