import type { ClientKey } from '../../contract/applications/applications.ts'
import { parseUsableKeys } from '../../domain/applications/client-keys.ts'
import { type DocumentCall, DocumentFailure, fetchClientDocument } from './client-documents.ts'

/** The maximum size of a key set, which allows for the maximum number of keys with certificates. */
const KEY_SET_MAX_BYTES = 64 * 1024

/** Fetches the key set that a client publishes (spec/provider#client-keys). Throws a `DocumentFailure`. */
export async function fetchKeySet(
  address: string,
  call: Omit<DocumentCall, 'maxBytes'>,
): Promise<{ keys: readonly ClientKey[]; freshSeconds: number }> {
  const { json, freshSeconds } = await fetchClientDocument(address, { ...call, maxBytes: KEY_SET_MAX_BYTES })
  const keys = parseUsableKeys(json)
  if (typeof keys === 'string') throw new DocumentFailure(`the key set ${keys}`)
  return { keys, freshSeconds }
}
