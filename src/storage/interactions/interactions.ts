import type { KVNamespace } from '@cloudflare/workers-types'
import type { Interaction, NavigationState } from '../../contract/interactions/interaction.ts'
import { BoundedMap } from '../../domain/bounded-map.ts'
import { withDeadline } from '../deadline.ts'
import { randomId } from '../ids.ts'
import type { PendingLog } from '../logs.ts'
import { removeSomeKeys } from '../removed-keys.ts'
import type { SealLabel, Seals } from '../seal.ts'
import { type InteractionCookie, NAVIGATION_STATE_SECONDS, type PendingRow } from './interaction-cookies.ts'

/**
 * Interactions in progress (spec/storage#interaction-records). Every write stores the record in KV under a new key,
 * which the sealed cookie contains. KV's caches and its limit of one write per key per second therefore have no effect.
 */

/**
 * The record in KV: the interaction, and the audit entries that wait here for the next proof, submit or consent
 * (spec/storage#interaction-rows).
 */
type InteractionRecord = { interaction: Interaction; heldLogs: readonly PendingLog[] }

/**
 * The maximum size of the cookie's JSON, in bytes. Sealing and encoding add a third, and browsers limit a cookie's name
 * and value to 4,096 bytes.
 */
const MAX_COOKIE = 2_560

type SealedNavigationState = { step: NavigationState; exp: number }

const KV_MINIMUM_TTL_SECONDS = 60

/** The number of tenants whose stores are cached. Every page needs the store of its tenant. */
const MAX_TENANTS = 100

/**
 * The number of records that are deleted at a time. Each one takes a call to KV, of which an invocation may make a
 * thousand.
 */
const MAX_REMOVED = 200

/** Matches interaction ids, which become part of cookie names and keys. */
const UID = /^[\w-]{8,64}$/

export function createInteractionStore(namespace: KVNamespace, seals: Seals) {
  const kv = withDeadline('KV', namespace)
  const stores = new BoundedMap<string, ReturnType<typeof interactionsOf>>(MAX_TENANTS)
  return {
    /** Returns the store of one tenant. It cannot read or decrypt the records of any other tenant (ADR-0020). */
    of(tenantId: string) {
      const interactions = stores.get(tenantId) ?? interactionsOf(tenantId, kv, seals)
      stores.set(tenantId, interactions)
      return interactions
    },

    /** Checks whether KV is writable. An error contains KV's own message. */
    async probe(): Promise<void> {
      await kv.put(`probe:${randomId()}`, '', { expirationTtl: KV_MINIMUM_TTL_SECONDS })
    },
  }
}

export type InteractionStore = ReturnType<typeof createInteractionStore>

/** The module is loaded when a record or navigation state is first read, because a first page has neither. */
const schemas = () => import('../../contract/interactions/interaction.schema.ts')

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

function interactionsOf(tenantId: string, kv: KVNamespace, seals: Seals) {
  const key = (uid: string, revision: string) => `interaction:${tenantId}:${uid}:${revision}`
  const label = (kind: 'interaction' | 'step', uid: string): SealLabel => `${kind}/${tenantId}/${uid}`
  const recordLabel = (uid: string, revision: string): SealLabel => `record/${tenantId}/${uid}/${revision}`

  async function openCookieOfAnyAge(
    uid: string,
    sealed: string | undefined,
  ): Promise<InteractionCookie | null> {
    if (!sealed || !UID.test(uid)) return null
    // The cast is safe: only `sealCookie`, in this or another version, seals values under this label.
    return (await seals.open(label('interaction', uid), sealed)) as InteractionCookie | null
  }

  const sealCookie = (uid: string, cookie: InteractionCookie) => seals.seal(label('interaction', uid), cookie)

  const pendingRows = pendingRowsOf(tenantId, kv, seals)

  return {
    sealCookie,

    /** Seals the cookie of a new interaction. */
    async sealFirstCookie(
      uid: string,
      cookie: InteractionCookie,
      { row, ...request }: PendingRow,
    ): Promise<string> {
      const { params, ...withoutParams } = row
      const hasParams = JSON.stringify(params) === JSON.stringify(cookie.request)
      const wholeCookie = { ...cookie, unwritten: { ...request, row: hasParams ? withoutParams : row } }
      if (bytesOf(wholeCookie) <= MAX_COOKIE) return sealCookie(uid, wholeCookie)
      const seconds = Math.max(KV_MINIMUM_TTL_SECONDS, Math.ceil(cookie.exp - request.at / 1000))
      return sealCookie(uid, {
        ...cookie,
        unwritten: await pendingRows.store(uid, { row, ...request }, seconds),
      })
    },

    /** Returns the pending row, or null if the row is already in the database or no longer in KV. */
    async readPendingRow(uid: string, { unwritten, request }: InteractionCookie) {
      if (!unwritten) return null
      if ('row' in unwritten) return { ...unwritten, row: { params: request, ...unwritten.row } }
      return pendingRows.read(uid, unwritten.revision)
    },

    /** Decrypts a cookie. Returns null if it is forged, belongs to another interaction or has expired. */
    async openCookie(
      uid: string,
      sealed: string | undefined,
      now: number,
    ): Promise<InteractionCookie | null> {
      const cookie = await openCookieOfAnyAge(uid, sealed)
      return cookie && cookie.exp * 1000 > now ? cookie : null
    },

    /** Decrypts a cookie even if it has expired. Use it only to restart the interaction (spec/provider#restart). */
    openCookieOfAnyAge,

    async read(uid: string, revision: string | undefined): Promise<InteractionRecord | null> {
      const sealed = revision && (await kv.get(key(uid, revision)))
      if (!sealed) return null
      const { StoredInteraction, StoredLogs } = await schemas()
      const content = await seals.open(recordLabel(uid, revision), sealed)
      const interaction = StoredInteraction.safeParse(content)
      if (!interaction.success) return null
      const { heldLogs } = StoredLogs.parse(content)
      return { interaction: interaction.data, heldLogs }
    },

    /** Writes a new revision of the record and returns its name, which the caller stores in the cookie. */
    async write(
      uid: string,
      { interaction, heldLogs }: InteractionRecord,
      exp: number,
      now: number,
    ): Promise<string> {
      const revision = randomId()
      const seconds = Math.max(KV_MINIMUM_TTL_SECONDS, Math.ceil(exp - now / 1000))
      const content = heldLogs.length > 0 ? { ...interaction, heldLogs } : interaction
      await kv.put(key(uid, revision), await seals.seal(recordLabel(uid, revision), content), {
        expirationTtl: seconds,
      })
      return revision
    },

    /** Deletes some of the records. Returns true if none are left, as far as KV currently knows. */
    async removeSome(): Promise<boolean> {
      const prefixes = [`interaction:${tenantId}:`, `unwritten:${tenantId}:`]
      const removed = await Promise.all(
        prefixes.map((prefix) => removeSomeKeys(kv, { prefix, limit: MAX_REMOVED })),
      )
      return removed.every((isDone) => isDone)
    },

    sealNavigationState: (uid: string, step: NavigationState, now: number) =>
      seals.seal(label('step', uid), { step, exp: now + NAVIGATION_STATE_SECONDS * 1000 }),

    async openNavigationState(
      uid: string,
      sealed: string | undefined,
      now: number,
    ): Promise<NavigationState | null> {
      if (!sealed) return null
      const content = (await seals.open(label('step', uid), sealed)) as SealedNavigationState | null
      if (!content || content.exp <= now) return null
      // The content is validated, because another version of the Worker may have sealed it.
      const { NavigationStateBody } = await schemas()
      return NavigationStateBody.safeParse(content.step).data ?? null
    },
  }
}

/** Stores rows that are too large for the cookie in KV until they are written to the database. */
function pendingRowsOf(tenantId: string, kv: KVNamespace, seals: Seals) {
  const key = (uid: string, revision: string) => `unwritten:${tenantId}:${uid}:${revision}`
  const label = (uid: string, revision: string): SealLabel => `unwritten/${tenantId}/${uid}/${revision}`
  return {
    async store(uid: string, pendingRow: PendingRow, seconds: number) {
      const revision = randomId()
      const sealed = await seals.seal(label(uid, revision), pendingRow)
      await kv.put(key(uid, revision), sealed, { expirationTtl: seconds })
      return { revision }
    },

    async read(uid: string, revision: string): Promise<PendingRow | null> {
      const sealed = await kv.get(key(uid, revision))
      if (!sealed) return null
      // The cast is safe: only `store` seals values under this label.
      return (await seals.open(label(uid, revision), sealed)) as PendingRow | null
    },
  }
}
