import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { z } from 'zod'
import type { Cache } from '../storage/cache.ts'
import { insertConfigIfAbsent, readConfig, replaceConfig } from '../storage/configs.ts'
import type { Database } from '../storage/database.ts'
import { randomId } from '../storage/ids.ts'
import type { Seals } from '../storage/seal.ts'

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
const REMEMBERED = 14 * 24 * 60 * MINUTE

export type SigningKeys = { version: string; jwks: { keys: JWK[] } }
export type SigningKeyCache = Cache<SigningKeys>

type KeyStore = { db: Database; seals: Seals; now: () => number }

/** The keys in the order in which the library takes them: those that sign now, then those to come and those that were. */
export async function readSigningKeys({ db, seals, now }: KeyStore, tenantId: string): Promise<SigningKeys> {
  const stored = StoredKeys.parse(
    (await readConfig(db, tenantId, CONFIG_KEY)) ??
      (await insertConfigIfAbsent(db, tenantId, CONFIG_KEY, await seal(seals, tenantId, await makeKeys(0)))),
  )
  const records = await open(seals, tenantId, stored.sealed)
  if (!(await seals.isCurrent(label(tenantId), stored.sealed))) {
    // ROOT_SECRET was changed: what the previous one sealed must not need it for ever.
    await replaceConfig(db, tenantId, CONFIG_KEY, stored, {
      ...stored,
      ...(await seal(seals, tenantId, records)),
    })
  }
  const time = now()
  const signing = records.filter((record) => isSigning(record, records, time))
  const others = records.filter((record) => !signing.includes(record))
  // Which keys sign changes with time alone; whoever keeps a provider for these keys has to notice.
  const version = [stored.version, ...signing.map(({ jwk }) => jwk.kid)].join(' ')
  return { version, jwks: { keys: [...signing, ...others].map(({ jwk }) => jwk) } }
}

/**
 * Adds a key of each algorithm that signs in ten minutes, or at once when the present ones may be known to others; drops
 * those no living token was signed with. Tokens already issued stay valid.
 */
export async function rotateSigningKeys(
  store: KeyStore,
  tenantId: string,
  { immediately = false }: { immediately?: boolean } = {},
): Promise<void> {
  const { db, seals, now } = store
  await readSigningKeys(store, tenantId)
  const stored = StoredKeys.parse(await readConfig(db, tenantId, CONFIG_KEY))
  const records = await open(seals, tenantId, stored.sealed)
  const kept = records.filter((record) => !isForgotten(record, records, now()))
  const added = await makeKeys(now() + (immediately ? 0 : ANNOUNCED))
  const replaced = await replaceConfig(
    db,
    tenantId,
    CONFIG_KEY,
    stored,
    await seal(seals, tenantId, [...kept, ...added]),
  )
  if (!replaced) throw new Error('The signing keys were changed by somebody else at the same time: try again')
}

/** The newest of its algorithm whose time has come. */
const isSigning = (record: KeyRecord, records: readonly KeyRecord[], now: number) =>
  record.signsFrom <= now && successorsOf(record, records).every(({ signsFrom }) => signsFrom > now)

const isForgotten = (record: KeyRecord, records: readonly KeyRecord[], now: number) =>
  successorsOf(record, records).some(({ signsFrom }) => signsFrom + REMEMBERED <= now)

const successorsOf = ({ jwk, signsFrom }: KeyRecord, records: readonly KeyRecord[]) =>
  records.filter((other) => other.jwk.alg === jwk.alg && other.signsFrom > signsFrom)

const label = (tenantId: string) => `signing-keys/${tenantId}`

async function open(seals: Seals, tenantId: string, sealed: string): Promise<KeyRecord[]> {
  const opened = await seals.open(label(tenantId), sealed)
  if (opened === null) {
    throw new Error(
      'The signing keys do not open: ROOT_SECRET has changed. Set ROOT_SECRET_PREVIOUS to the old one.',
    )
  }
  return z.array(KeyRecord).parse(opened)
}

const seal = async (seals: Seals, tenantId: string, records: KeyRecord[]) => ({
  version: randomId(),
  sealed: await seals.seal(label(tenantId), records),
})

const makeKeys = (signsFrom: number): Promise<KeyRecord[]> =>
  Promise.all(signingAlgorithms.map(async (alg) => ({ jwk: await makeKey(alg), signsFrom })))

async function makeKey(alg: (typeof signingAlgorithms)[number]): Promise<KeyRecord['jwk']> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return { ...(await exportJWK(privateKey)), alg, use: 'sig', kid: randomId() }
}
