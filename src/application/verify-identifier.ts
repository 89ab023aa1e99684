import { type Refusal, refuse } from '../contract/errors.ts'
import type { IdentifierPayload, InteractionEvent } from '../contract/identifiers.ts'
import type { Interaction, Proof } from '../contract/interaction.ts'
import { isRefusal, orRefuse, refuseWith } from '../contract/refused.ts'
import { dropConnectorSession, openConnectorSession, provenSocialAddress } from '../domain/interaction.ts'
import { networkOf, ofNetwork, refusesConsumption } from '../domain/limits.ts'
import { type Address, refusesPasscode } from '../domain/passcodes.ts'
import { commit, notAudited } from '../storage/commit.ts'
import { refundAttempt } from '../storage/counters.ts'
import {
  CURRENT_METHOD,
  hashPassword,
  verifyPassword,
  verifyUnknownAccount,
} from '../storage/password-hash.ts'
import { codeAttempt, type NameLookup, passwordAttempt } from '../storage/rate-limits.ts'
import { type AccountRow, accountsQuery, replacePasswordHash } from '../storage/users.ts'
import type { Dependencies } from './dependencies.ts'
import type { InteractionCall } from './interaction-call.ts'
import type { OidcInteraction } from './oidc-interaction.ts'
import { asSocial, profileOf, readWithConnector } from './social-sign-in.ts'

export type VerificationDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'seals' | 'settings' | 'tenantSettings' | 'network'
>

/** An identifier to be proved, as part of an event. */
type VerificationAttempt = { payload: IdentifierPayload; event: InteractionEvent }

/** The key of both social identifiers, for every event (spec/management#audit-keys). */
const SOCIAL_SUBMIT = 'Interaction.SignIn.Identifier.Social.Submit'

type SocialPayload = Extract<IdentifierPayload, { connectorData: unknown }>

/** An attempt that was counted. Its outcome is not revealed before the interaction itself was judged. */
export type CountedAttempt = {
  row: OidcInteraction
  /** The proof, or a refusal thrown. `interaction` is the record it is added to; null before there is one. */
  prove(interaction: Interaction | null): Promise<Proof>
}

/** Proves one identifier, counted in the round trip that reads the interaction (spec/interaction#verification). */
export async function attemptVerification(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  { payload, event }: VerificationAttempt,
): Promise<CountedAttempt> {
  const { open, audit } = call
  if ('password' in payload) {
    return attemptPassword(dependencies, call, { event, name: nameIn(payload), password: payload.password })
  }
  if ('verificationCode' in payload) {
    const { verificationCode: code } = payload
    return attemptCode(dependencies, call, { event, address: addressIn(payload), code })
  }
  if ('connectorData' in payload) return attemptSocial(dependencies, call, payload)
  return {
    row: await open.row(),
    async prove(interaction) {
      audit.begin(SOCIAL_SUBMIT)
      return orRefuse(
        interaction
          ? provenSocialAddress(interaction, payload)
          : refuse('session.connector_session_not_found'),
      )
    },
  }
}

async function attemptSocial(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  { connectorId, connectorData }: SocialPayload,
): Promise<CountedAttempt> {
  const { open, audit } = call
  const { row, connector } = await readWithConnector(dependencies, call, connectorId)
  return {
    row,
    async prove(interaction) {
      audit.begin(SOCIAL_SUBMIT, { connectorId })
      const social = asSocial(connector)
      if (isRefusal(social)) refuseWith('session.invalid_connector_id', { connectorId })
      const session = orRefuse(openConnectorSession(interaction, { connectorId, connectorData }))
      try {
        const profile = await profileOf(dependencies, social, { data: connectorData, session })
        return { kind: 'social', connectorId, profile }
      } catch (error) {
        if (interaction) await open.save(dropConnectorSession(interaction))
        throw error
      }
    },
  }
}

type PasswordAttempt = { event: InteractionEvent; name: NameLookup; password: string }

async function attemptPassword(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  { event, name, password }: PasswordAttempt,
): Promise<CountedAttempt> {
  const { db, settings } = dependencies
  const { open, tenantId, ip, audit, background } = call
  const { limits } = await dependencies.tenantSettings.get(tenantId)
  const now = dependencies.now()
  const browser = await call.trustedBrowser()
  const networkLimit = ofNetwork(limits.passwordTriesPerNetwork, settings.environment)
  const { row, found } = await open.rowAnd({
    accounts: accountsQuery(db, tenantId, [name]),
    ...passwordAttempt(db, tenantId, { name, limits, browser, now, network: networkOf(ip), networkLimit }),
  })
  const {
    accounts: [account],
    byNetwork: [byNetwork],
    byName: [byName],
  } = found

  return {
    row,
    async prove() {
      audit.begin(`Interaction.${event}.Identifier.Password.Submit`)
      orRefuse(refusesConsumption(byNetwork, networkLimit, now))
      orRefuse(refusesConsumption(byName, limits.passwordTries, now))
      const owner = await ownerByPassword(account, password)
      // Consumed before it was judged, so that attempts in parallel cannot all be the last one allowed. Only a wrong
      // password stays counted.
      if (byName && owner) {
        background(() =>
          commit(db, {
            tenantId,
            statements: {
              byName: refundAttempt(db, tenantId, byName, limits.passwordTries),
              byNetwork: byNetwork && refundAttempt(db, tenantId, byNetwork, networkLimit),
            },
            audit: notAudited('the attempt is audited, not its counter'),
          }),
        )
      }
      const { id, rehash } = orRefuse(judgeOwner(owner))
      if (rehash) {
        // A weaker hash is replaced when its password is known (spec/accounts#password-hashing).
        background(async () =>
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

/** Null when the password is not this account's. An unknown account costs the same work (spec/accounts#password-verification). */
async function ownerByPassword(account: AccountRow | undefined, password: string): Promise<Owner | null> {
  if (!account?.passwordEncrypted) {
    await verifyUnknownAccount(password)
    return null
  }
  const stored = { encoded: account.passwordEncrypted, method: account.passwordEncryptionMethod ?? 'Argon2i' }
  const { ok, rehash } = await verifyPassword(stored, password)
  return ok ? { account, isWeak: rehash } : null
}

/** One refusal for all reasons but a suspension, which only the owner of the password learns. */
function judgeOwner(owner: Owner | null): { id: string; rehash: AccountRow | null } | Refusal {
  if (!owner) return refuse('session.invalid_credentials')
  const { account, isWeak } = owner
  if (account.isSuspended) return refuse('user.suspended')
  return { id: account.id, rehash: isWeak ? account : null }
}

type CodeAttempt = { event: InteractionEvent; address: Address; code: string }

async function attemptCode(
  { db, now, tenantSettings }: VerificationDependencies,
  call: InteractionCall,
  { event, address, code }: CodeAttempt,
): Promise<CountedAttempt> {
  const { open, tenantId, audit, background } = call
  const at = now()
  const { limits } = await tenantSettings.get(tenantId)
  const browser = await call.trustedBrowser()
  const tried = { owner: { uid: open.uid, type: event }, address, code, now: at }
  const { row, found } = await open.rowAnd(codeAttempt(db, tenantId, { tried, limits, browser, now: at }))
  const {
    byAddress: [byAddress],
    attempt: [passcode],
  } = found

  return {
    row,
    async prove() {
      audit.begin(`Interaction.${event}.Identifier.VerificationCode.Submit`)
      orRefuse(refusesConsumption(byAddress, limits.codeTriesPerAddress, at))
      const refusal = refusesPasscode(passcode, address, at)
      // As for passwords: only a wrong code stays counted.
      if (byAddress && !refusal) {
        background(async () => refundAttempt(db, tenantId, byAddress, limits.codeTriesPerAddress))
      }
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

/** Of a payload with an e-mail address or a phone number. */
export function addressIn(payload: { email: string } | { phone: string }): Address {
  return 'email' in payload
    ? { type: 'email', value: payload.email }
    : { type: 'phone', value: payload.phone }
}
