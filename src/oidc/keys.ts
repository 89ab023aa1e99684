import type { SQL } from 'drizzle-orm'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { z } from 'zod'
import { LONGEST_TOKEN } from '../contract/applications.ts'
import type { Cache } from '../storage/cache.ts'
import { insertConfigIfAbsent, isConfig, readConfig, replaceConfig } from '../storage/configs.ts'
import type { Database } from '../storage/database.ts'
import { randomId } from '../storage/ids.ts'
import type { insertLogIf } from '../storage/logs.ts'
import { type Seals, signingKeysLabel } from '../storage/seal.ts'

/**
 * Signing keys (decision 26): an RS256 key, because old clients know nothing else, and an ES384 key beside it.
 * Stored sealed; made at first use, where the database decides between two isolates that are first together.
 */
const CONFIG_KEY = 'oidc.privateKeys'

const StoredKeys = z.object({ version: z.string(), sealed: z.string() })

/** Times are epoch milliseconds. A key is published as soon as it is there, and until it has been retired for long. */
const KeyRecord = z.object({
  jwk: z.looseObject({ kid: z.string(), alg: z.string() }),
  signsFrom: z.number(),
})
type KeyRecord = z.infer<typeof KeyRecord>

export const signingAlgorithms = ['RS256', 'ES384'] as const

const MINUTE = 60_000
/** So long a new key is known to everyone before it signs: clients and caches keep a key set for some minutes. */
const ANNOUNCED = 10 * MINUTE
/** So long after its successor began to sign an old key is still published: no token of ours lives longer. */
const REMEMBERED = LONGEST_TOKEN * 1000

export type SigningKeys = { version: string; jwks: { keys: JWK[] } }
export type SigningKeyCache = Cache<SigningKeys>

type KeyStore = { db: Database; seals: Seals; now: () => number }

/** The keys in the order in which the library takes them: those that sign now, then those to come and those that were. */
export async function readSigningKeys(store: KeyStore, tenantId: string): Promise<SigningKeys> {
  const { stored, records } = await readRecords(store, tenantId)
  const time = store.now()
  const signing = records.filter((record) => isSigning(record, records, time))
  const others = records.filter((record) => !signing.includes(record))
  // Which keys sign changes with time alone; whoever keeps a provider for these keys has to notice.
  const version = [stored.version, ...signing.map(({ jwk }) => jwk.kid)].join(' ')
  return { version, jwks: { keys: [...signing, ...others].map(({ jwk }) => jwk) } }
}

export type KeyDescription = {
  /** The `kid` of the tokens it signs. */
  id: string
  algorithm: string
  status: 'announced' | 'signing' | 'retired'
  signsFrom: number
}

/** What an operator may know of the keys, the newest first: never what they are made of. */
export async function describeSigningKeys(store: KeyStore, tenantId: string): Promise<KeyDescription[]> {
  const { records } = await readRecords(store, tenantId)
  const time = store.now()
  return records
    .map((record) => ({
      id: record.jwk.kid,
      algorithm: record.jwk.alg,
      status: statusOf(record, records, time),
      signsFrom: record.signsFrom,
    }))
    .toSorted((one, other) => other.signsFrom - one.signsFrom)
}

type Rotation = {
  /** For when the present ones may be known to others. Those announced, with which nothing was signed yet, go as well. */
  immediately?: boolean
  /** For when the present ones have been stolen: nothing that they signed is believed any more. */
  withdraw?: boolean
  /** A row that is written if the keys are (decision 19). */
  record?: (condition: SQL) => ReturnType<typeof insertLogIf>
}

/**
 * Adds a key of each algorithm that signs in ten minutes, or at once; drops those no living token was signed with. Tokens
 * already issued stay valid, unless the present keys are withdrawn. Of two who rotate at the same time one has changed nothing.
 */
export async function rotateSigningKeys(
  store: KeyStore,
  tenantId: string,
  { withdraw = false, immediately = withdraw, record }: Rotation = {},
): Promise<'rotated' | 'changedMeanwhile'> {
  const { db, seals, now } = store
  const { stored, records } = await readRecords(store, tenantId)
  const time = now()
  const kept = records.filter(
    (key) => !withdraw && !isForgotten(key, records, time) && !(immediately && key.signsFrom > time),
  )
  const added = await makeKeys(time + (immediately ? 0 : ANNOUNCED))
  const to = await seal(seals, tenantId, [...kept, ...added])
  const replace = replaceConfig(db, tenantId, CONFIG_KEY, { from: stored, to })
  const replaced = record
    ? (await db.batch([record(isConfig(tenantId, CONFIG_KEY, stored)), replace]))[1]
    : await replace
  return replaced.length > 0 ? 'rotated' : 'changedMeanwhile'
}

/** Made at first use, and sealed anew where ROOT_SECRET was changed: what the previous one sealed must not need it for ever. */
async function readRecords({ db, seals }: KeyStore, tenantId: string) {
  const stored = StoredKeys.parse(
    (await readConfig(db, tenantId, CONFIG_KEY)) ??
      (await insertConfigIfAbsent(db, tenantId, CONFIG_KEY, await seal(seals, tenantId, await makeKeys(0)))),
  )
  const records = await open(seals, tenantId, stored.sealed)
  if (await seals.isCurrent(signingKeysLabel(tenantId), stored.sealed)) return { stored, records }
  const to = await seal(seals, tenantId, records)
  const replaced = await replaceConfig(db, tenantId, CONFIG_KEY, { from: stored, to })
  return { stored: replaced.length > 0 ? to : stored, records }
}

function statusOf(record: KeyRecord, records: readonly KeyRecord[], now: number): KeyDescription['status'] {
  if (record.signsFrom > now) return 'announced'
  return isSigning(record, records, now) ? 'signing' : 'retired'
}

/** The newest of its algorithm whose time has come. */
const isSigning = (record: KeyRecord, records: readonly KeyRecord[], now: number) =>
  record.signsFrom <= now && successorsOf(record, records).every(({ signsFrom }) => signsFrom > now)

const isForgotten = (record: KeyRecord, records: readonly KeyRecord[], now: number) =>
  successorsOf(record, records).some(({ signsFrom }) => signsFrom + REMEMBERED <= now)

const successorsOf = ({ jwk, signsFrom }: KeyRecord, records: readonly KeyRecord[]) =>
  records.filter((other) => other.jwk.alg === jwk.alg && other.signsFrom > signsFrom)

async function open(seals: Seals, tenantId: string, sealed: string): Promise<KeyRecord[]> {
  const opened = await seals.open(signingKeysLabel(tenantId), sealed)
  if (opened === null) {
    throw new Error(
      'The signing keys do not open: ROOT_SECRET has changed. Set ROOT_SECRET_PREVIOUS to the old one.',
    )
  }
  return z.array(KeyRecord).parse(opened)
}

const seal = async (seals: Seals, tenantId: string, records: KeyRecord[]) => ({
  version: randomId(),
  sealed: await seals.seal(signingKeysLabel(tenantId), records),
})

const makeKeys = (signsFrom: number): Promise<KeyRecord[]> =>
  Promise.all(signingAlgorithms.map(async (alg) => ({ jwk: await makeKey(alg), signsFrom })))

async function makeKey(alg: (typeof signingAlgorithms)[number]): Promise<KeyRecord['jwk']> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return { ...(await exportJWK(privateKey)), alg, use: 'sig', kid: randomId() }
}
