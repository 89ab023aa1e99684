import { and, eq, sql } from 'drizzle-orm'
import { allOf, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import type { Seals } from '../seal.ts'
import { applications, registeredClients as clients } from '../tables.ts'
import { plainSecretColumn, unsealSecret } from './application-secrets.ts'
import { type ApplicationRow, applicationExists, type NewApplicationRow } from './applications.ts'
import {
  consumeRegistrationToken,
  isTokenUsable,
  type TokenUse,
  usableTokenQuery,
} from './registration-tokens.ts'

/** Applications that registered themselves (spec/provider#client-registration). */

type NewClient = { application: NewApplicationRow; tokenDigest: string; unusedUntil: number }

/**
 * Builds the statements that register a client and count one use of the token. `inserted` returns a row if the token
 * has a use left and the tenant is below its quota of clients.
 */
export function clientRegistrationStatements(db: Database, use: TokenUse, quota: number, client: NewClient) {
  const { tenantId } = use
  const { application, ...rest } = client
  const applicationId = application.id
  const condition = allOf(isTokenUsable(use), isBelowQuota(tenantId, quota))
  return {
    condition,
    statements: {
      usable: usableTokenQuery(db, use),
      inserted: insertApplicationIf(db, tenantId, application, condition),
      client: insertRegisteredClient(db, { ...rest, tenantId, applicationId }),
      spent: consumeRegistrationToken(db, use, applicationExists(tenantId, applicationId)),
    },
  }
}

/** Checks that the tenant has fewer registered clients than its quota. */
const isBelowQuota = (tenantId: string, quota: number): Condition =>
  sql`(select count(*) from ${clients} where ${clients.tenantId} = ${tenantId}) < ${quota}`

/** Inserts an application if the condition holds. Returns a row if it was inserted. */
const insertApplicationIf = (
  db: Database,
  tenantId: string,
  {
    id,
    name,
    secret,
    type,
    oidcClientMetadata,
    customClientMetadata,
    createdAt,
    sealedSecret,
  }: NewApplicationRow,
  condition: Condition,
) =>
  db
    .insert(applications)
    .select(
      sql`select ${tenantId}, ${id}, ${name}, ${plainSecretColumn(secret)}, null, ${type}, ${JSON.stringify(oidcClientMetadata)},
        ${JSON.stringify(customClientMetadata)}, ${createdAt}, ${sealedSecret}, null, null, null, ${createdAt}, null, null, null
        where ${condition}`,
    )
    .returning({ id: applications.id })

type RegisteredClient = Omit<typeof clients.$inferSelect, 'unusedUntil'> & { unusedUntil: number }

/** Inserts the registered client if its application was inserted. */
const insertRegisteredClient = (
  db: Database,
  { tenantId, applicationId, tokenDigest, unusedUntil }: RegisteredClient,
) =>
  db
    .insert(clients)
    .select(
      sql`select ${tenantId}, ${applicationId}, ${tokenDigest}, ${unusedUntil} where ${applicationExists(tenantId, applicationId)}`,
    )

type ClientToken = { tenantId: string; applicationId: string; tokenDigest: string }

const hasToken = ({ tenantId, applicationId, tokenDigest }: ClientToken) =>
  and(
    eq(clients.tenantId, tenantId),
    eq(clients.applicationId, applicationId),
    eq(clients.tokenDigest, tokenDigest),
  )

/** Checks whether the token belongs to this client. */
export const isClientToken = (token: ClientToken): Condition =>
  sql`exists (select 1 from ${clients} where ${hasToken(token)})`

/** The part of a client's metadata that decides who receives what users allow the client. */
type Recipient = { authMethod: string; redirectUris: readonly string[] }

/** Checks that the stored client has exactly this authentication method and these redirect URIs. */
export const hasRecipient = (
  { tenantId, applicationId }: Omit<ClientToken, 'tokenDigest'>,
  { authMethod, redirectUris }: Recipient,
): Condition =>
  sql`exists (select 1 from ${applications}
    where ${applications.tenantId} = ${tenantId} and ${applications.id} = ${applicationId}
    and ${applications.customClientMetadata} ->> '$.dynamicRegistration.authMethod' = ${authMethod}
    and ${applications.oidcClientMetadata} -> '$.redirectUris' = json(${JSON.stringify(redirectUris)}))`

/**
 * Checks whether new metadata lets someone else use what users allowed the client: with another authentication method,
 * or at a redirect URI that the stored client does not have.
 */
export const changesRecipient = (
  { tenantId, applicationId }: Omit<ClientToken, 'tokenDigest'>,
  { authMethod, redirectUris }: Recipient,
): Condition =>
  sql`exists (select 1 from ${applications}
    where ${applications.tenantId} = ${tenantId} and ${applications.id} = ${applicationId}
    and (${applications.customClientMetadata} ->> '$.dynamicRegistration.authMethod' is not ${authMethod}
      or exists (select 1 from json_each(${JSON.stringify(redirectUris)}) as added where added.value not in
        (select value from json_each(${applications.oidcClientMetadata}, '$.redirectUris')))))`

export const registeredClientQuery = (db: Database, token: ClientToken) =>
  db
    .select({ application: applications })
    .from(applications)
    .innerJoin(
      clients,
      and(eq(clients.tenantId, applications.tenantId), eq(clients.applicationId, applications.id)),
    )
    .where(hasToken(token))

export async function findRegisteredClient(
  { db, seals }: { db: Database; seals: Seals },
  token: ClientToken,
): Promise<ApplicationRow | null> {
  const [row] = await registeredClientQuery(db, token)
  return row ? unsealSecret(seals, row.application) : null
}
