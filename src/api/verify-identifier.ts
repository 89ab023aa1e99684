import { refuse } from '../contract/errors.ts'
import type { IdentifierPayload } from '../contract/identifiers.ts'
import type { Interaction, Proof } from '../contract/interaction.ts'
import { orRefuse, Refused, refuseWith } from '../contract/refused.ts'
import type { AccountLookup } from '../domain/accounts.ts'
import { provenSocialAddress } from '../domain/interaction.ts'
import { verifyNobody, verifyPassword } from '../storage/password-hash.ts'
import type { AccountRow } from '../storage/users.ts'

/** Whom a payload names, if its proof is a password. */
export function lookupsOf(payload: IdentifierPayload | undefined): AccountLookup[] {
  if (!payload || !('password' in payload)) return []
  if ('username' in payload) return [{ by: 'username', value: payload.username }]
  if ('email' in payload) return [{ by: 'email', value: payload.email }]
  return [{ by: 'phone', value: payload.phone }]
}

export type Verified = { proof: Proof; auditKey: string; rehash?: { account: AccountRow; password: string } }

/**
 * One identifier, proven or refused (contract 2.2). `accounts` answers `lookupsOf`; `interaction` is the record the
 * payload is added to, or null where there is none yet; `now` in epoch milliseconds.
 */
export async function verifyIdentifier(
  payload: IdentifierPayload,
  accounts: readonly AccountRow[],
  interaction: Interaction | null,
  now: number,
): Promise<Verified> {
  if ('password' in payload) return verifyByPassword(payload.password, accounts[0], now)
  if ('verificationCode' in payload) refuseWith('verification_code.not_found')
  if ('connectorData' in payload)
    refuseWith('session.invalid_connector_id', { connectorId: payload.connectorId })

  const proof = orRefuse(
    interaction ? provenSocialAddress(interaction, payload) : refuse('session.connector_session_not_found'),
  )
  return { proof, auditKey: 'Identifier.Social.Submit' }
}

/** One refusal for every reason, and one hash for every account, known or not (decision 13). */
async function verifyByPassword(
  password: string,
  account: AccountRow | undefined,
  now: number,
): Promise<Verified> {
  const { ok, rehash } = account?.passwordEncrypted
    ? await verifyPassword(
        { encoded: account.passwordEncrypted, method: account.passwordEncryptionMethod ?? 'Argon2i' },
        password,
      )
    : await verifyNobody(password)

  if (!account || !ok) throw new Refused(refuse('session.invalid_credentials'))
  if (account.isSuspended) throw new Refused(refuse('user.suspended'))
  return {
    proof: { kind: 'account', userId: account.id, provenAt: now },
    auditKey: 'Identifier.Password.Submit',
    ...(rehash ? { rehash: { account, password } } : {}),
  }
}
