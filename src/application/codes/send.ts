import { type Refusal, refuse } from '../../contract/errors.ts'
import type { Interaction } from '../../contract/interactions/interaction.ts'
import { orRefuse } from '../../contract/refused.ts'
import type { VerifiedAddress } from '../../domain/codes/verification-codes.ts'
import type { AccountLookup } from '../../domain/interactions/accounts.ts'
import { provenAccounts } from '../../domain/interactions/interaction.ts'
import { countedCallingCode } from '../../domain/limits.ts'
import {
  createGenericCode,
  createVerificationCode,
  randomVerificationCode,
} from '../../storage/codes/verification-codes.ts'
import type { AttemptToCount, NameLookup } from '../../storage/rate-limits.ts'
import type { Principal } from '../access/management-token.ts'
import { type AttemptDependencies, attemptsOf, requireAttempts } from '../attempts.ts'
import type { SendingDependencies } from '../connectors/deliver.ts'
import { type CodeMessage, type MessageRequest, sendCode } from '../connectors/send.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'

type CodeDependencies = SendingDependencies & Pick<Dependencies, 'experience' | 'phrases' | 'tenantSettings'>

/**
 * Sends a code for the event of the interaction (spec/interaction#send-code). Answer, work and counters do not depend on
 * whether the address has an account (spec/accounts#hidden-existence).
 */
export async function sendVerificationCode(
  dependencies: CodeDependencies,
  call: InteractionCall,
  address: VerifiedAddress,
): Promise<void> {
  const { open, tenantId, audit, ip, message } = call
  const problem = await refusesCountry(dependencies, tenantId, address)
  const browser = { trusted: await call.trustedBrowser(), name: nameOf(address) }
  const attempts = await attemptsOf(dependencies, tenantId, browser)
  const before = await open.peek()
  // Where no code is sent, none is counted.
  const sends = before && !problem ? codeSends(address, senderOf(before, ip)) : []
  const { row, results } = await open.readWith({ consumed: attempts.count(sends) })
  const { event } = await open.record(row)
  const key = `Interaction.${event}.Identifier.VerificationCode.Create`
  const entry = audit.begin(key, { [address.type]: address.value }, { isCounted: !problem })
  orRefuse(problem)
  orRefuse(attempts.refusal(results.consumed))

  const code = randomVerificationCode()
  const owner = { uid: open.uid, type: event }
  // Another request of this interaction may have made a newer code at the same time: that one is sent.
  if (
    !(await createVerificationCode(dependencies, tenantId, { owner, address, code, now: dependencies.now() }))
  )
    return
  entry.add(await sendCode(dependencies, message, { address, type: event, code }))
}

const senderOf = (interaction: Interaction, ip: string | undefined): CodeSender => ({
  ip,
  proven: provenAccounts(interaction),
  isResettingPassword: interaction.event === 'ForgotPassword',
})

/** Creates and sends a code that belongs to an address and no interaction (spec/accounts#generic-code). */
export async function sendGenericCode(
  dependencies: CodeDependencies,
  request: MessageRequest,
  { address, sender }: { address: VerifiedAddress; sender: CodeSender },
): Promise<void> {
  await countCodeSend(dependencies, request.tenantId, { address, sender })
  const code = await createGenericCode(dependencies, request.tenantId, address, dependencies.now())
  // Another request has just made a newer code, and sends that one.
  if (code !== null) await sendCode(dependencies, request, { address, type: 'Generic', code })
}

/**
 * Sends a code that an application made, through the tenant's connector. The limit per address is the one of all codes
 * (spec/accounts#code-send-limits). The servers of an application share one network address for all its users, so the
 * application itself is limited in place of a network.
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
 * Who asks for a code: somebody at a network address, with the accounts that they have proved to be theirs, or a caller of
 * the management or the services API for all its users.
 */
type CodeSender =
  | { ip: string | undefined; proven: readonly AccountLookup[]; isResettingPassword?: boolean }
  | { principal: Principal }

/** Counts the sending of a code outside of an interaction, in a round trip of its own, or refuses it. */
export async function countCodeSend(
  dependencies: AttemptDependencies,
  tenantId: string,
  { address, sender }: { address: VerifiedAddress; sender: CodeSender },
): Promise<void> {
  orRefuse(await refusesCountry(dependencies, tenantId, address))
  await requireAttempts(dependencies, tenantId, codeSends(address, sender))
}

/** Does the same for a text message whose recipient nobody names: a second factor or a connector's test. */
export async function countTextMessage(
  dependencies: AttemptDependencies,
  tenantId: string,
  message: TextMessage,
): Promise<void> {
  orRefuse(await refusesCountry(dependencies, tenantId, { type: 'phone', value: message.phone }))
  await requireAttempts(dependencies, tenantId, smsSends(message))
}

/** The same for a notice; false where its number has had its share of them (spec/accounts#notices). */
export async function countNotice(
  dependencies: AttemptDependencies,
  tenantId: string,
  phone: string,
): Promise<boolean> {
  const address = { type: 'phone', value: phone } as const
  orRefuse(await refusesCountry(dependencies, tenantId, address))
  const attempts = await attemptsOf(dependencies, tenantId)
  const consumed = await attempts.consume([
    { limit: 'noticesPerNumber', name: nameOf(address) },
    ...smsSends({ phone, requester: null }),
  ])
  if (consumed.some(({ name, count, allowed }) => name === 'noticesPerNumber' && count > allowed))
    return false
  orRefuse(attempts.refusal(consumed))
  return true
}

/** What the sending of a code counts (spec/accounts#code-send-limits). */
export const codeSends = (address: VerifiedAddress, sender: CodeSender): AttemptToCount[] => [
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
    ? // Apart from all others. The network is first: one that has had its share does not use up that of the address (ADR-0153).
      [
        { limit: 'resetSendsPerAddressAndNetwork', name, ip },
        { limit: 'resetSendsPerAddress', name },
      ]
    : // Everybody but the account that has the address is a stranger: a proof of another account changes nothing (ADR-0146).
      [
        { limit: 'codeSendsPerAddress', name },
        { limit: 'strangerSendsPerAddress', name, exempt: proven },
      ]
}

const nameOf = ({ type, value }: VerifiedAddress) => ({ by: type, value }) as const

type TextMessage = {
  phone: string
  /** Somebody at a network address, or null where an operator, an application or a notice causes the message. */
  requester: { ip: string | undefined } | null
}

const smsSends = ({ phone, requester }: TextMessage): AttemptToCount[] => [
  ...(requester ? [{ limit: 'smsPerNetwork' as const, ip: requester.ip }] : []),
  { limit: 'smsPerCallingCode', id: countedCallingCode(phone) },
  { limit: 'smsPerTenant', tenant: true },
]

/** Text messages go to the countries that the tenant lists (spec/accounts#sms-countries). */
async function refusesCountry(
  { tenantSettings }: Pick<Dependencies, 'tenantSettings'>,
  tenantId: string,
  { type, value }: VerifiedAddress,
): Promise<Refusal | null> {
  const { smsCountries } = await tenantSettings.get(tenantId)
  if (type !== 'phone' || smsCountries.length === 0) return null
  const { isInCountries } = await import('../../domain/codes/sms-countries.ts')
  return isInCountries(value, smsCountries) ? null : refuse('verification_code.country_not_allowed')
}
