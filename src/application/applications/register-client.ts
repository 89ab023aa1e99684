import { TOKEN_LENGTH } from '../../contract/applications/client-registration.ts'
import type { RegisteredMetadata } from '../../domain/applications/client-registration.ts'
import { sealSecret } from '../../storage/applications/application-secrets.ts'
import type { ApplicationRow } from '../../storage/applications/applications.ts'
import { registration } from '../../storage/applications/registered-clients.ts'
import { commitChange } from '../../storage/commit.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import { randomId } from '../../storage/ids.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { Dependencies } from '../dependencies.ts'

/** Clients that register themselves (RFC 7591, spec/provider#client-registration). */

const DAY = 24 * 60 * 60 * 1000

export type Registered =
  | { kind: 'registered'; application: ApplicationRow; token: string }
  | { kind: 'unknownToken' }
  | { kind: 'quotaReached' }

/** One batch: a token of one use makes one client, however many calls bring it. */
export async function registerClient(
  { db, seals, tenantSettings, now }: Pick<Dependencies, 'db' | 'seals' | 'tenantSettings' | 'now'>,
  given: { tenantId: string; initialToken: string; metadata: RegisteredMetadata; audit: AuditEntry },
): Promise<Registered> {
  const { tenantId, metadata, audit } = given
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
  const use = { tenantId, digest: await sha256Base64Url(given.initialToken), now: createdAt }
  const client = {
    application: { ...application, sealedSecret: await sealSecret(seals, { tenantId, id, secret }) },
    tokenDigest: await sha256Base64Url(token),
    unusedUntil: createdAt + unusedDays * DAY,
  }
  audit.add({ applicationId: id })
  const change = { tenantId, audit: audit.success(), ...registration(db, use, mostClients, client) }
  const { usable, inserted } = await commitChange(db, change)
  if (inserted.length > 0) return { kind: 'registered', application: { ...application, tenantId }, token }
  return { kind: usable.length > 0 ? 'quotaReached' : 'unknownToken' }
}
