import type { AuditTrail } from '../api/audit-trail.ts'
import type { OpenInteraction } from '../api/open-interaction.ts'
import { type Refusal, refuse } from '../contract/errors.ts'
import type { IdentifierPayload, InteractionEvent } from '../contract/identifiers.ts'
import type { Interaction, Proof } from '../contract/interaction.ts'
import { isRefusal, orRefuse, refuseWith } from '../contract/refused.ts'
import { dropConnectorSession, openConnectorSession, provenSocialAddress } from '../domain/interaction.ts'
import { networkOf, ofNetwork, refusesConsumption } from '../domain/limits.ts'
import { type Address, refusesPasscode } from '../domain/passcodes.ts'
import type { OidcInteraction } from '../oidc/interactions.ts'
import { refund } from '../storage/counters.ts'
import { CURRENT_METHOD, hashPassword, verifyNobody, verifyPassword } from '../storage/password-hash.ts'
import { codeTry, type NameLookup, passwordTries, type TrustedBrowser } from '../storage/rate-limits.ts'
import { type AccountRow, accountsQuery, replacePasswordHash } from '../storage/users.ts'
import type { Dependencies } from './dependencies.ts'
import { asSocial, profileOf, readWithConnector } from './social-sign-in.ts'

/** Who tries to prove what, as part of which event. */
export type VerificationAttempt = {
  payload: IdentifierPayload
  event: InteractionEvent
  open: OpenInteraction
  tenantId: string
  browser: TrustedBrowser | null
  ip: string | undefined
  audit: AuditTrail
  /** For what does not decide the answer. */
  later(task: () => Promise<unknown>): void
}

/** Contract 2.2: whatever the event. */
const SOCIAL_SUBMIT = 'Interaction.SignIn.Identifier.Social.Submit'

type SocialPayload = Extract<IdentifierPayload, { connectorData: unknown }>

/** A try that was counted. What it comes to is not to be said before the interaction itself was judged. */
export type CountedAttempt = {
  row: OidcInteraction
  /** The proof, or a refusal thrown. `interaction` is the record it is added to, or null where there is none yet. */
  prove(interaction: Interaction | null): Promise<Proof>
}

/** One identifier, proven or refused (contract 2.2): tried in the same round trip that reads the interaction. */
export async function attemptVerification(
  dependencies: Dependencies,
  attempt: VerificationAttempt,
): Promise<CountedAttempt> {
  const { payload, open, audit } = attempt
  if ('password' in payload) return tryByPassword(dependencies, attempt, nameIn(payload), payload.password)
  if ('verificationCode' in payload) {
    return tryByCode(dependencies, attempt, addressIn(payload), payload.verificationCode)
  }
  if ('connectorData' in payload) return tryBySocial(dependencies, attempt, payload)
  return {
    row: await open.row(),
    async prove(interaction) {
      audit.append(SOCIAL_SUBMIT)
      return orRefuse(
        interaction
          ? provenSocialAddress(interaction, payload)
          : refuse('session.connector_session_not_found'),
      )
    },
  }
}

async function tryBySocial(
  dependencies: Dependencies,
  { open, tenantId, audit }: VerificationAttempt,
  payload: SocialPayload,
): Promise<CountedAttempt> {
  const { row, connector } = await readWithConnector(dependencies, open, tenantId, payload.connectorId)
  return {
    row,
    async prove(interaction) {
      audit.append(SOCIAL_SUBMIT, { connectorId: payload.connectorId })
      const social = asSocial(connector)
      if (isRefusal(social)) {
        refuseWith('session.invalid_connector_id', { connectorId: payload.connectorId })
      }
      const session = orRefuse(openConnectorSession(interaction, payload))
      try {
        const profile = await profileOf(dependencies, social, { data: payload.connectorData, session })
        return { kind: 'social', connectorId: payload.connectorId, profile }
      } catch (error) {
        if (interaction) await open.save(dropConnectorSession(interaction))
        throw error
      }
    },
  }
}

async function tryByPassword(
  dependencies: Dependencies,
  { event, open, tenantId, browser, ip, audit, later }: VerificationAttempt,
  name: NameLookup,
  password: string,
): Promise<CountedAttempt> {
  const { db, settings } = dependencies
  const { limits } = await dependencies.tenantSettings.get(tenantId)
  const now = dependencies.now()
  const networkLimit = ofNetwork(limits.passwordTriesPerNetwork, settings.environment)
  const circumstances = { name, limits, browser, now, network: networkOf(ip), networkLimit }
  const { row, answers } = await open.rowAnd([
    accountsQuery(db, tenantId, [name]),
    ...passwordTries(db, tenantId, circumstances),
  ])
  const [[account], [byNetwork], [consumed]] = answers

  return {
    row,
    async prove() {
      audit.append(`Interaction.${event}.Identifier.Password.Submit`)
      orRefuse(refusesConsumption(byNetwork, networkLimit, now))
      orRefuse(refusesConsumption(consumed, limits.passwordTries, now))
      const owner = await ownerByPassword(account, password)
      // Charged before it was judged, so that many at the same time cannot all be the tenth. Only a wrong one stays.
      if (consumed && owner) {
        const paid = [
          refund(db, tenantId, consumed, limits.passwordTries),
          ...(byNetwork ? [refund(db, tenantId, byNetwork, networkLimit)] : []),
        ] as const
        later(async () => db.batch(paid))
      }
      const { id, rehash } = orRefuse(judgeOwner(owner))
      if (rehash) {
        // Decision 13: a weaker hash does not outlive the next time its password is shown.
        later(async () =>
          replacePasswordHash(db, tenantId, rehash, {
            passwordEncrypted: await hashPassword(password),
            passwordEncryptionMethod: CURRENT_METHOD,
          }),
        )
      }
      return { kind: 'account', userId: id, provenAt: now }
    },
  }
}

type Owner = { account: AccountRow; isWeak: boolean }

/** One hash for every account, known or not (decision 13). Null when the password is not this account's. */
async function ownerByPassword(account: AccountRow | undefined, password: string): Promise<Owner | null> {
  if (!account?.passwordEncrypted) {
    await verifyNobody(password)
    return null
  }
  const stored = { encoded: account.passwordEncrypted, method: account.passwordEncryptionMethod ?? 'Argon2i' }
  const { ok, rehash } = await verifyPassword(stored, password)
  return ok ? { account, isWeak: rehash } : null
}

/** One refusal for every reason but one, which only the account's owner hears. */
function judgeOwner(owner: Owner | null): { id: string; rehash: AccountRow | null } | Refusal {
  if (!owner) return refuse('session.invalid_credentials')
  const { account, isWeak } = owner
  if (account.isSuspended) return refuse('user.suspended')
  return { id: account.id, rehash: isWeak ? account : null }
}

async function tryByCode(
  { db, now, tenantSettings }: Dependencies,
  { event, open, tenantId, browser, audit, later }: VerificationAttempt,
  address: Address,
  code: string,
): Promise<CountedAttempt> {
  const at = now()
  const { limits } = await tenantSettings.get(tenantId)
  const owner = { uid: open.uid, type: event }
  const { row, answers } = await open.rowAnd(
    codeTry(db, tenantId, { tried: { owner, address, code, now: at }, limits, browser, now: at }),
  )
  const [[consumed], [tried]] = answers

  return {
    row,
    async prove() {
      audit.append(`Interaction.${event}.Identifier.VerificationCode.Submit`)
      orRefuse(refusesConsumption(consumed, limits.codeTriesPerAddress, at))
      const refusal = refusesPasscode(tried, address, at)
      // As with passwords: only a wrong one stays.
      if (consumed && !refusal) later(async () => refund(db, tenantId, consumed, limits.codeTriesPerAddress))
      orRefuse(refusal)
      return { kind: address.type, value: address.value }
    },
  }
}

function nameIn(payload: Extract<IdentifierPayload, { password: string }>): NameLookup {
  if ('username' in payload) return { by: 'username', value: payload.username }
  if ('email' in payload) return { by: 'email', value: payload.email }
  return { by: 'phone', value: payload.phone }
}

/** Of a payload that names one. */
export function addressIn(payload: { email: string } | { phone: string }): Address {
  return 'email' in payload
    ? { type: 'email', value: payload.email }
    : { type: 'phone', value: payload.phone }
}
