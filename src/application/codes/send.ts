import { type Refusal, refuse } from '../../contract/errors.ts'
import type { Interaction } from '../../contract/interactions/interaction.ts'
import { orRefuse } from '../../contract/refused.ts'
import type { VerifiedAddress } from '../../domain/codes/verification-codes.ts'
import type { AccountLookup } from '../../domain/interactions/accounts.ts'
import { provenAccounts } from '../../domain/interactions/interaction.ts'
import { countedCallingCode, refusesAttempts } from '../../domain/limits.ts'
import { readTogether } from '../../storage/batches.ts'
import {
  createGenericCode,
  createVerificationCode,
  randomVerificationCode,
} from '../../storage/codes/verification-codes.ts'
import { type AttemptToCount, consumeAttempts } from '../../storage/rate-limits.ts'
import type { Principal } from '../access/management-token.ts'
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
  const { db, now, settings } = dependencies
  const { open, tenantId, audit, ip, message } = call
  const { limits, smsCountries } = await dependencies.tenantSettings.get(tenantId)
  const problem = await refusesCountry(smsCountries, address)
  const browser = { trusted: await call.trustedBrowser(), name: { by: address.type, value: address.value } }
  const at = now()
  const before = await open.peek()
  // Where no code is sent, none is counted.
  const attempts = before && !problem ? codeSends(address, senderOf(before, ip)) : []
  const { row, found } = await open.rowAnd({
    consumed: consumeAttempts(db, tenantId, attempts, {
      limits,
      environment: settings.environment,
      browser,
      now: at,
    }),
  })
  const { event } = await open.record(row)
  const key = `Interaction.${event}.Identifier.VerificationCode.Create`
  const entry = audit.begin(key, { [address.type]: address.value }, { isCounted: !problem })
  orRefuse(problem)
  orRefuse(refusesAttempts(found.consumed, at))

  const code = randomVerificationCode()
  const owner = { uid: open.uid, type: event }
  // Another request of this interaction may have made a newer code at the same time: that one is sent.
  if (!(await createVerificationCode(dependencies, tenantId, { owner, address, code, now: now() }))) return
  entry.add(await sendCode(dependencies, message, { address, type: event, code }))
}

const senderOf = (interaction: Interaction, ip: string | undefined): CodeSender => ({
  ip,
  proven: provenAccounts(interaction),
  isResettingPassword: interaction.event === 'ForgotPassword',
})

/** Creates and sends a code that belongs to an address and no interaction (spec/accounts#generic-code). */
export async function sendGenericCode(
  dependencies: SendingDependencies & Pick<Dependencies, 'experience' | 'phrases' | 'tenantSettings'>,
  request: MessageRequest,
  { address, sender }: { address: VerifiedAddress; sender: CodeSender },
): Promise<void> {
  const { now } = dependencies
  await countCodeSend(dependencies, request.tenantId, { address, sender })
  const code = await createGenericCode(dependencies, request.tenantId, address, now())
  // Another request has just made a newer code, and sends that one.
  if (code !== null) await sendCode(dependencies, request, { address, type: 'Generic', code })
}

/**
 * Sends a code that an application made, through the tenant's connector. The limit per address is the one of all codes
 * (spec/accounts#code-send-limits). The servers of an application share one network address for all its users, so the
 * application itself is limited in place of a network.
 */
export async function sendApplicationCode(
  dependencies: SendingDependencies & Pick<Dependencies, 'experience' | 'phrases' | 'tenantSettings'>,
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

/** What the sending of a code counts (spec/accounts#code-send-limits). */
export const codeSends = (address: VerifiedAddress, sender: CodeSender): AttemptToCount[] => [
  'ip' in sender
    ? { limit: 'codeSendsPerNetwork', ip: sender.ip }
    : { limit: 'sendsPerApplication', id: `${sender.principal.type}/${sender.principal.id}` },
  ...('ip' in sender && sender.isResettingPassword
    ? resetSends(address, sender.ip)
    : sendsToAddress(address, sender)),
  ...(address.type === 'phone'
    ? smsSends({ phone: address.value, requester: 'ip' in sender ? sender : null })
    : []),
]

const sendsToAddress = (address: VerifiedAddress, sender: CodeSender): AttemptToCount[] => [
  { limit: 'codeSendsPerAddress', name: nameOf(address) },
  ...('ip' in sender ? [strangerSend(address, sender.proven)] : []),
]

/** Apart from all others. The network is first: one that has had its share does not use up that of the address (ADR-0153). */
const resetSends = (address: VerifiedAddress, ip: string | undefined): AttemptToCount[] => [
  { limit: 'resetSendsPerAddressAndNetwork', name: nameOf(address), ip },
  { limit: 'resetSendsPerAddress', name: nameOf(address) },
]

const nameOf = ({ type, value }: VerifiedAddress) => ({ by: type, value }) as const

/** Everybody but the account that has the address is a stranger: a proof of another account changes nothing (ADR-0146). */
const strangerSend = (address: VerifiedAddress, proven: readonly AccountLookup[]): AttemptToCount => ({
  limit: 'strangerSendsPerAddress',
  name: nameOf(address),
  exempt: proven,
})

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
  countries: readonly string[],
  { type, value }: VerifiedAddress,
): Promise<Refusal | null> {
  if (type !== 'phone' || countries.length === 0) return null
  const { isInCountries } = await import('../../domain/codes/sms-countries.ts')
  return isInCountries(value, countries) ? null : refuse('verification_code.country_not_allowed')
}

type CountingDependencies = Pick<Dependencies, 'db' | 'now' | 'settings' | 'tenantSettings'>

/** Counts the sending of a code outside of an interaction, in a round trip of its own, or refuses it. */
export async function countCodeSend(
  dependencies: CountingDependencies,
  tenantId: string,
  { address, sender }: { address: VerifiedAddress; sender: CodeSender },
): Promise<void> {
  await countSends(dependencies, tenantId, address, codeSends(address, sender))
}

/** Does the same for a text message whose recipient nobody names: a second factor or a connector's test. */
export async function countTextMessage(
  dependencies: CountingDependencies,
  tenantId: string,
  message: TextMessage,
): Promise<void> {
  await countSends(dependencies, tenantId, { type: 'phone', value: message.phone }, smsSends(message))
}

/** The same for a notice; false where its number has had its share of them (spec/accounts#notices). */
export async function countNotice(
  dependencies: CountingDependencies,
  tenantId: string,
  phone: string,
): Promise<boolean> {
  const address = { type: 'phone', value: phone } as const
  const own: AttemptToCount = { limit: 'noticesPerNumber', name: nameOf(address) }
  const { consumed, at } = await consumeSends(dependencies, tenantId, address, [
    own,
    ...smsSends({ phone, requester: null }),
  ])
  const isAboveOwn = consumed.some(({ name, count, allowed }) => name === own.limit && count > allowed)
  if (!isAboveOwn) orRefuse(refusesAttempts(consumed, at))
  return !isAboveOwn
}

async function countSends(...sends: Parameters<typeof consumeSends>): Promise<void> {
  const { consumed, at } = await consumeSends(...sends)
  orRefuse(refusesAttempts(consumed, at))
}

async function consumeSends(
  { db, now, settings, tenantSettings }: CountingDependencies,
  tenantId: string,
  address: VerifiedAddress,
  attempts: readonly AttemptToCount[],
) {
  const { limits, smsCountries } = await tenantSettings.get(tenantId)
  orRefuse(await refusesCountry(smsCountries, address))
  const at = now()
  const { environment } = settings
  const { consumed } = await readTogether(db, {
    consumed: consumeAttempts(db, tenantId, attempts, { limits, environment, now: at }),
  })
  return { consumed, at }
}
