import {
  type ClientDocument,
  findClientUrlProblem,
  isLoopbackRedirect,
  parseClientDocument,
} from '../../domain/applications/client-document.ts'
import { DocumentFailure, fetchClientDocument } from '../../outbound/applications/client-documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { countClientDocument, type UnregisteredDocuments } from './unregistered-clients.ts'

/** The size limit that OAuth Client ID Metadata Document draft 02 §6.6 recommends. */
const DOCUMENT_MAX_BYTES = 5 * 1024

/**
 * Fetches a client's metadata document, unless the requesting network is over its rate limit
 * (spec/provider#client-documents).
 */
export async function readUnregisteredClient(
  { db, network, settings, now }: Pick<Dependencies, 'db' | 'network' | 'settings' | 'now'>,
  ...[id, { tenantId, ip, limits, now: at }]: Parameters<UnregisteredDocuments>
): ReturnType<UnregisteredDocuments> {
  const problem = findClientUrlProblem(id)
  if (problem) return { problem: `client_id ${problem}` }
  const { environment } = settings
  const retryAfter = await countClientDocument({ db, environment }, { tenantId, ip, limits, now: at })
  if (retryAfter !== null) return { problem: 'too many documents', retryAfter }
  try {
    // A client id begins with https, so the document is never fetched over plain HTTP, not even in development.
    const call = {
      fetch: network.fetch,
      environment: 'production',
      now,
      maxBytes: DOCUMENT_MAX_BYTES,
    } as const
    const { json, freshSeconds } = await fetchClientDocument(id, call)
    const document = parseClientDocument(id, json)
    return typeof document === 'string'
      ? { problem: `the document of the client ${document}` }
      : { metadata: toMetadata(document), freshSeconds }
  } catch (error) {
    if (!(error instanceof DocumentFailure)) throw error
    return { problem: `the document of the client cannot be read: ${error.message}` }
  }
}

/**
 * Converts a document to client metadata. Its scopes and grant types are ignored, because the tenant's settings
 * determine them.
 */
const toMetadata = ({ id, name, logo, redirectUris, keys }: ClientDocument): Record<string, unknown> => ({
  client_id: id,
  client_name: name,
  ...(logo && { logo_uri: logo }),
  application_type: redirectUris.some(isLoopbackRedirect) ? 'native' : 'web',
  redirect_uris: redirectUris,
  response_types: ['code'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: keys ? 'private_key_jwt' : 'none',
  ...(keys && ('jwks' in keys ? { jwks: keys.jwks } : { jwks_uri: keys.jwksUri })),
  isThirdParty: true,
})
