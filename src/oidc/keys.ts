import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { z } from 'zod'
import type { Cache } from '../storage/cache.ts'
import { insertConfigIfAbsent, readConfig } from '../storage/configs.ts'
import type { Database } from '../storage/database.ts'
import { randomId } from '../storage/ids.ts'
import type { Seals } from '../storage/seal.ts'

/**
 * Signing keys (decision 26): an RS256 key, because old clients know nothing else, and an ES384 key beside it.
 * Stored sealed; made at first use, where the database decides between two isolates that are first together.
 */
const CONFIG_KEY = 'oidc.privateKeys'

const StoredKeys = z.object({ version: z.string(), sealed: z.string() })

export type SigningKeys = { version: string; jwks: { keys: JWK[] } }

export async function readSigningKeys(db: Database, seals: Seals, tenantId: string): Promise<SigningKeys> {
  const stored =
    (await readConfig(db, tenantId, CONFIG_KEY)) ??
    (await insertConfigIfAbsent(db, tenantId, CONFIG_KEY, await makeKeys(seals, tenantId)))
  const { version, sealed } = StoredKeys.parse(stored)
  const keys = await seals.open(label(tenantId), sealed)
  if (!Array.isArray(keys)) {
    throw new Error(
      'The signing keys do not open: ROOT_SECRET has changed. Set ROOT_SECRET_PREVIOUS to the old one.',
    )
  }
  return { version, jwks: { keys } }
}

export type SigningKeyCache = Cache<SigningKeys>

const label = (tenantId: string) => `signing-keys/${tenantId}`

async function makeKeys(seals: Seals, tenantId: string) {
  const keys = await Promise.all([makeKey('RS256'), makeKey('ES384')])
  return { version: randomId(), sealed: await seals.seal(label(tenantId), keys) }
}

async function makeKey(alg: 'RS256' | 'ES384'): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return { ...(await exportJWK(privateKey)), alg, use: 'sig', kid: randomId() }
}
