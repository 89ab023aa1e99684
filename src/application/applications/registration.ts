import { TOKEN_LENGTH } from '../../contract/applications/client-registration.ts'
import { refuseWith } from '../../contract/refused.ts'
import { DAY } from '../../contract/time.ts'
import type { RegisteredMetadata } from '../../domain/applications/client-registration.ts'
import { sealSecret, unsealSecret } from '../../storage/applications/application-secrets.ts'
import { type ApplicationRow, patchApplication } from '../../storage/applications/applications.ts'
import {
  deleteConsents,
  deleteIssuedModels,
  deleteIssuedModelsInChunks,
} from '../../storage/applications/issued.ts'
import {
  changesRecipient,
  clientRegistrationStatements,
  findRegisteredClient,
  isClientToken,
} from '../../storage/applications/registered-clients.ts'
import { commitChange } from '../../storage/commit.ts'
import { allOf } from '../../storage/conditions.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import { randomId } from '../../storage/ids.ts'
import { type AttemptDependencies, createTenantAttemptLimiter } from '../attempts.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'

/** Lets clients register themselves (RFC 7591, spec/provider#client-registration). */

type RegistrationOutcome =
  | { kind: 'registered'; application: ApplicationRow; token: string }
  | { kind: 'unknownToken' }
  | { kind: 'quotaReached' }

/**
 * Registers a client in one batch, so that a single-use token creates only one client even if concurrent calls use it.
 */
export async function registerClient(
  { db, seals, tenantSettings, now }: Pick<Dependencies, 'db' | 'seals' | 'tenantSettings' | 'now'>,
  request: { tenantId: string; initialToken: string; metadata: RegisteredMetadata; audit: AuditEntry },
): Promise<RegistrationOutcome> {
  const { tenantId, metadata, audit } = request
  const { mostClients, unusedDays } = (await tenantSettings.get(tenantId)).clientRegistration
  const [id, secret, token, createdAt] = [randomId(), randomId(TOKEN_LENGTH), randomId(TOKEN_LENGTH), now()]
  const application = {
    ...metadata,
    id,
    secret,
    description: null,
    secondFactorPolicy: null,
    rememberDays: null,
    createdAt,
  }
  const use = { tenantId, digest: await sha256Base64Url(request.initialToken), now: createdAt }
  const client = {
    application: { ...application, sealedSecret: await sealSecret(seals, { tenantId, id, secret }) },
    tokenDigest: await sha256Base64Url(token),
    unusedUntil: createdAt + unusedDays * DAY,
  }
  audit.add({ applicationId: id })
  const change = {
    tenantId,
    audit: audit.success(),
    ...clientRegistrationStatements(db, use, mostClients, client),
  }
  const { usable, inserted } = await commitChange(db, change)
  if (inserted.length > 0)
    return {
      kind: 'registered',
      application: {
        ...application,
        secretCreatedAt: createdAt,
        previousSecret: null,
        claims: null,
        tenantId,
      },
      token,
    }
  return { kind: usable.length > 0 ? 'quotaReached' : 'unknownToken' }
}

// Functions with which clients read and change their own registration (RFC 7592, spec/provider#client-registration).

type ClientCall = { tenantId: string; id: string; token: string }

/** Finds a client by its registration access token. */
export async function findClientByToken(
  dependencies: Pick<Dependencies, 'db' | 'seals'>,
  { tenantId, id, token }: ClientCall,
): Promise<ApplicationRow | null> {
  const tokenDigest = await sha256Base64Url(token)
  return findRegisteredClient(dependencies, { tenantId, applicationId: id, tokenDigest })
}

/**
 * Changes a client. Values that the request omits are removed (RFC 7592 §2.2), except those that only operators can
 * set. A change of the authentication method, or a new redirect URI, ends the consents of all users and everything
 * issued to the client, because it may hand over what they allowed to somebody else (ADR-0170).
 */
export async function changeRegisteredClient(
  { db, seals, applications }: Pick<Dependencies, 'db' | 'seals' | 'applications'>,
  { tenantId, client, token }: { tenantId: string; client: ApplicationRow; token: string },
  { metadata, audit }: { metadata: RegisteredMetadata; audit: AuditEntry },
): Promise<ApplicationRow | null> {
  const { id } = client
  const condition = isClientToken({ tenantId, applicationId: id, tokenDigest: await sha256Base64Url(token) })
  const { customClientMetadata: custom, oidcClientMetadata: oidc, ...others } = metadata
  const oidcClientMetadata = { logoUri: null, ...oidc }
  const customClientMetadata = { ...removable, ...custom }
  const { authMethod } = custom.dynamicRegistration
  const { redirectUris } = oidc
  const endsConsents = allOf(
    condition,
    changesRecipient({ tenantId, applicationId: id }, { authMethod, redirectUris }),
  )
  // One batch could not delete everything in time. Most is deleted here, and the batch of the change deletes the rest.
  // It also decides again whether anything ends, because the client may have changed since it was read.
  const isExpectedToEnd =
    authMethod !== client.customClientMetadata.dynamicRegistration?.authMethod ||
    redirectUris.some((uri) => !client.oidcClientMetadata.redirectUris.includes(uri))
  if (isExpectedToEnd && !(await deleteIssuedModelsInChunks(db, tenantId, id, endsConsents)))
    refuseWith('server.unavailable')
  const { changed } = await commitChange(db, {
    tenantId,
    condition,
    audit: audit.success(),
    statements: {
      issued: deleteIssuedModels(db, tenantId, id, endsConsents),
      consents: deleteConsents(db, tenantId, id, endsConsents),
      changed: patchApplication(
        db,
        tenantId,
        id,
        { ...others, oidcClientMetadata, customClientMetadata },
        condition,
      ),
    },
  })
  applications.forget(JSON.stringify([tenantId, id]))
  return changed[0] ? unsealSecret(seals, changed[0]) : null
}

const removable = {
  dpopBoundAccessTokens: null,
  idTokenSignedResponseAlg: null,
  initiateLoginUri: null,
  jwks: null,
  jwksUri: null,
  policyUri: null,
  tosUri: null,
} satisfies { [K in keyof RegisteredMetadata['customClientMetadata']]?: null }

/**
 * Counts a registration. Returns null if it is allowed, otherwise the number of seconds until the network may try
 * again.
 */
export async function countRegistration(
  dependencies: AttemptDependencies,
  { tenantId, ip }: { tenantId: string; ip: string | undefined },
): Promise<number | null> {
  const attempts = await createTenantAttemptLimiter(dependencies, tenantId)
  return attempts.retryAfter(await attempts.consume([{ limit: 'clientRegistrationsPerNetwork', ip }]))
}
