import type { RegisteredMetadata } from '../../domain/applications/client-registration.ts'
import { openSecret } from '../../storage/applications/application-secrets.ts'
import { type ApplicationRow, patchApplication } from '../../storage/applications/applications.ts'
import { findRegisteredClient, isClientToken } from '../../storage/applications/registered-clients.ts'
import { commitChange } from '../../storage/commit.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { Dependencies } from '../dependencies.ts'

/** Clients that read and change themselves (RFC 7592, spec/provider#client-registration). */

export type ClientCall = { tenantId: string; id: string; token: string }

/** The client that the token opens. */
export async function registeredClient(
  dependencies: Pick<Dependencies, 'db' | 'seals'>,
  { tenantId, id, token }: ClientCall,
): Promise<ApplicationRow | null> {
  const tokenDigest = await sha256Base64Url(token)
  return findRegisteredClient(dependencies, { tenantId, applicationId: id, tokenDigest })
}

/** What the client leaves out is removed (RFC 7592 §2.2); what an operator has set beside it stays. */
export async function changeRegisteredClient(
  { db, seals, applications }: Pick<Dependencies, 'db' | 'seals' | 'applications'>,
  { tenantId, id, token }: ClientCall,
  { metadata, audit }: { metadata: RegisteredMetadata; audit: AuditEntry },
): Promise<ApplicationRow | null> {
  const condition = isClientToken({ tenantId, applicationId: id, tokenDigest: await sha256Base64Url(token) })
  const { customClientMetadata: custom, ...others } = metadata
  const customClientMetadata = { ...removable, ...custom }
  const { changed } = await commitChange(db, {
    tenantId,
    condition,
    audit: audit.success(),
    statements: {
      changed: patchApplication(db, tenantId, id, { ...others, customClientMetadata }, condition),
    },
  })
  applications.forget(JSON.stringify([tenantId, id]))
  return changed[0] ? openSecret(seals, changed[0]) : null
}

const removable = {
  dpopBoundAccessTokens: null,
  idTokenSignedResponseAlg: null,
  jwks: null,
  jwksUri: null,
} satisfies { [K in keyof RegisteredMetadata['customClientMetadata']]?: null }
