import { type Refusal, refuse } from '../../contract/errors.ts'
import type { Interaction } from '../../contract/interactions/interaction.ts'
import { throwIfRefused } from '../../contract/refused.ts'
import type { VerifiedAddress } from '../../domain/codes/verification-codes.ts'
import type { AccountLookup } from '../../domain/interactions/accounts.ts'
import { listProvenAccounts } from '../../domain/interactions/interaction.ts'
import { normalizedCallingCode } from '../../domain/limits.ts'
import { createGenericCode } from '../../storage/codes/generic-codes.ts'
import { createVerificationCode, randomVerificationCode } from '../../storage/codes/verification-codes.ts'
import type { NameLookup } from '../../storage/counter-keys.ts'
import type { AttemptToCount } from '../../storage/rate-limits.ts'
import type { Principal } from '../access/management-token.ts'
import { type AttemptDependencies, createTenantAttemptLimiter, requireAttempts } from '../attempts.ts'
import type { SendingDependencies } from '../connectors/deliver.ts'
import { type CodeMessage, type MessageRequest, sendCode } from '../connectors/send.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'

type CodeDependencies = SendingDependencies & Pick<Dependencies, 'experience' | 'phrases' | 'tenantSettings'>

/**
 * Sends a code for the current event of the interaction (spec/interaction#send-code). To hide whether the address has
 * an account, the response, the work done and the counters are the same in either case
 * (spec/accounts#hidden-existence).
 */
export async function sendVerificationCode(
  dependencies: CodeDependencies,
  call: InteractionCall,
  address: VerifiedAddress,
): Promise<void> {
  const { open, tenantId, audit, ip, message } = call
  const problem = await refusesCountry(dependencies, tenantId, address)
  const browser = { trusted: await call.trustedBrowser(), name: nameOf(address) }
  const attempts = await createTenantAttemptLimiter(dependencies, tenantId, browser)
  const before = await open.peek()
  // If no code will be sent, nothing is counted.
  const sends = before && !problem ? codeSendAttempts(address, senderOf(before, ip)) : []
  const { row, results } = await open.readWith({ consumed: attempts.count(sends) })
  const { event } = await open.record(row)
  const key = `Interaction.${event}.Identifier.VerificationCode.Create`
  const entry = audit.begin(key, { [address.type]: address.value }, { isCounted: !problem })
  throwIfRefused(problem)
  throwIfRefused(attempts.refusal(results.consumed))

  const code = randomVerificationCode()
  const owner = { uid: open.uid, type: event }
  // If a concurrent request in this interaction has created a newer code, that request sends it.
  if (
    !(await createVerificationCode(dependencies, tenantId, { owner, address, code, now: dependencies.now() }))
  )
    return
  entry.add(await sendCode(dependencies, message, { address, type: event, code }))
}

const senderOf = (interaction: Interaction, ip: string | undefined): CodeSender => ({
  ip,
  proven: listProvenAccounts(interaction),
  isResettingPassword: interaction.event === 'ForgotPassword',
})

/** Creates and sends a code that is tied to an address rather than to an interaction (spec/accounts#generic-code). */
export async function sendGenericCode(
  dependencies: CodeDependencies,
  request: MessageRequest,
  { address, sender }: { address: VerifiedAddress; sender: CodeSender },
): Promise<void> {
  await countCodeSend(dependencies, request.tenantId, { address, sender })
  const code = await createGenericCode(dependencies, request.tenantId, address, dependencies.now())
  // If a concurrent request has created a newer code, that request sends it.
  if (code !== null) await sendCode(dependencies, request, { address, type: 'Generic', code })
}

/**
 * Sends an application's own code through the tenant's connector. The per-address limit is shared with all other codes
 * (spec/accounts#code-send-limits). The requests are limited per application rather than per network, because an
 * application's servers make the requests of all its users.
 */
export async function sendApplicationCode(
  dependencies: CodeDependencies,
  request: MessageRequest,
  principal: Principal,
  message: CodeMessage,
): Promise<void> {
  await countCodeSend(dependencies, request.tenantId, { address: message.address, sender: { principal } })
  await sendCode(dependencies, request, message)
}

/**
 * The party that requests a code: a client at a network address, with the accounts whose ownership it has proved, or a
 * caller of the management or services API that acts on behalf of other users.
 */
type CodeSender =
  | { ip: string | undefined; proven: readonly AccountLookup[]; isResettingPassword?: boolean }
  | { principal: Principal }

/** Counts a code that is sent outside an interaction, in a separate round trip. Throws if a limit is exceeded. */
export async function countCodeSend(
  dependencies: AttemptDependencies,
  tenantId: string,
  { address, sender }: { address: VerifiedAddress; sender: CodeSender },
): Promise<void> {
  throwIfRefused(await refusesCountry(dependencies, tenantId, address))
  await requireAttempts(dependencies, tenantId, codeSendAttempts(address, sender))
}

/**
 * Counts a text message to a recipient that the requester did not enter: a second-factor code, or an operator's
 * connector test.
 */
export async function countTextMessage(
  dependencies: AttemptDependencies,
  tenantId: string,
  message: TextMessage,
): Promise<void> {
  throwIfRefused(await refusesCountry(dependencies, tenantId, { type: 'phone', value: message.phone }))
  await requireAttempts(dependencies, tenantId, smsSends(message))
}

/**
 * Counts a text message notice. Returns false if the phone number is over its limit for notices
 * (spec/accounts#notices).
 */
export async function countNotice(
  dependencies: AttemptDependencies,
  tenantId: string,
  phone: string,
): Promise<boolean> {
  const address = { type: 'phone', value: phone } as const
  throwIfRefused(await refusesCountry(dependencies, tenantId, address))
  const attempts = await createTenantAttemptLimiter(dependencies, tenantId)
  const consumed = await attempts.consume([
    { limit: 'noticesPerNumber', name: nameOf(address) },
    ...smsSends({ phone, requester: null }),
  ])
  if (consumed.some(({ name, count, allowed }) => name === 'noticesPerNumber' && count > allowed))
    return false
  throwIfRefused(attempts.refusal(consumed))
  return true
}

/** Returns the attempts to count before a code is sent (spec/accounts#code-send-limits). */
export const codeSendAttempts = (address: VerifiedAddress, sender: CodeSender): AttemptToCount[] => [
  'ip' in sender
    ? { limit: 'codeSendsPerNetwork', ip: sender.ip }
    : { limit: 'sendsPerApplication', id: `${sender.principal.type}/${sender.principal.id}` },
  ...sendsToAddress(nameOf(address), sender),
  ...(address.type === 'phone'
    ? smsSends({ phone: address.value, requester: 'ip' in sender ? sender : null })
    : []),
]

function sendsToAddress(name: NameLookup, sender: CodeSender): AttemptToCount[] {
  if (!('ip' in sender)) return [{ limit: 'codeSendsPerAddress', name }]
  const { ip, proven, isResettingPassword } = sender
  return isResettingPassword
    ? // Password resets have separate limits. The per-network limit is checked first, so that a network over its limit
      // does not use up the address's limit (ADR-0153).
      [
        { limit: 'resetSendsPerAddressAndNetwork', name, ip },
        { limit: 'resetSendsPerAddress', name },
      ]
    : // Everyone but the address's owner is treated as a stranger, even users who have proved that they own another
      // account (ADR-0146).
      [
        { limit: 'codeSendsPerAddress', name },
        { limit: 'strangerSendsPerAddress', name, exempt: proven },
      ]
}

const nameOf = ({ type, value }: VerifiedAddress) => ({ by: type, value }) as const

type TextMessage = {
  phone: string
  /**
   * The client that requests the message, or null if the message is triggered by an operator, an application or a
   * notice.
   */
  requester: { ip: string | undefined } | null
}

/** Returns the attempts to count before a text message is sent. */
export const smsSends = ({ phone, requester }: TextMessage): AttemptToCount[] => [
  ...(requester ? [{ limit: 'smsPerNetwork' as const, ip: requester.ip }] : []),
  { limit: 'smsPerCallingCode', id: normalizedCallingCode(phone) },
  { limit: 'smsPerTenant', tenant: true },
]

/** Returns an error for text messages to countries that the tenant does not allow (spec/accounts#sms-countries). */
export async function refusesCountry(
  { tenantSettings }: Pick<Dependencies, 'tenantSettings'>,
  tenantId: string,
  { type, value }: VerifiedAddress,
): Promise<Refusal | null> {
  const { smsCountries } = await tenantSettings.get(tenantId)
  if (type !== 'phone' || smsCountries.length === 0) return null
  const { isInCountries } = await import('../../domain/codes/sms-countries.ts')
  return isInCountries(value, smsCountries) ? null : refuse('verification_code.country_not_allowed')
}
