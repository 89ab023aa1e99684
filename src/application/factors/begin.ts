import type { Refusal } from '../../contract/errors.ts'
import type { Identifier } from '../../contract/interactions/identifiers.ts'
import {
  addressFactors,
  type Interaction,
  type NavigationState,
  type UnsentReason,
} from '../../contract/interactions/interaction.ts'
import { isRecord } from '../../contract/is-record.ts'
import { RefusalError } from '../../contract/refused.ts'
import { factorAddress } from '../../domain/factors/second-factor.ts'
import { type Account, toAsciiLowerCase } from '../../domain/interactions/accounts.ts'
import { maskIdentifier } from '../../domain/masking.ts'
import { logFailure } from '../../storage/event-log.ts'
import { getRateLimitRefusal } from '../audit.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { type CodeDependencies, sendFirstFactorCode } from './codes.ts'

type Begun = { refusal: Refusal; account: Account; interaction: Interaction }

/**
 * Prepares the second factor after a submission has identified the account: tells the next page who signs in and where
 * codes can be sent, and sends the first code if a code is the preferred factor (spec/interaction#first-factor-code).
 * Only the navigation state of this browser contains the masked addresses, so callers without the first factor learn
 * nothing.
 */
export async function beginSecondFactor(
  dependencies: CodeDependencies,
  call: InteractionCall,
  { refusal, account, interaction }: Begun,
): Promise<void> {
  const { open } = call
  const factors: unknown = isRecord(refusal.data) ? refusal.data.factors : undefined
  const names: readonly unknown[] = Array.isArray(factors) ? factors : []
  const addresses = addressFactors.flatMap((channel) =>
    names.includes(channel) ? (factorAddress(channel, account, interaction) ?? []) : [],
  )
  const targets = Object.fromEntries(addresses.map((address) => [address.type, maskIdentifier(address)]))
  const preferred = addresses.find(({ type }) => type === names[0])
  const navigation = await open.navigationState()
  const now = dependencies.now()
  const summary = { account: describeAccount(account, navigation?.identifier), targets, requestedAt: now }
  const sending = preferred
    ? await trySending(dependencies, call, { address: preferred, userId: account.id, interaction })
    : NOTHING_SENT
  // A code that could not be delivered exists nevertheless, so a repeated submission has to remember the failure.
  const isEarlier = sending.sentAt !== null && sending.sentAt < now
  const hasFailed = isEarlier && navigation?.secondFactor?.unsent === 'failure' && !navigation.factorCode
  const { sentAt, unsent }: Sending = hasFailed ? { sentAt: null, unsent: 'failure' } : sending
  await open.saveNavigationState({
    ...navigation,
    secondFactor: { ...summary, ...(unsent && { unsent }) },
    // The code's part of the state also replaces that of a code for an earlier sign-in.
    factorCode:
      preferred && sentAt !== null
        ? { channel: preferred.type, sentTo: maskIdentifier(preferred) }
        : undefined,
    codeSentAt: sentAt ?? undefined,
  })
}

/** The time at which the code was sent that the user can enter, or the reason why none was sent. */
type Sending = { sentAt: number | null; unsent?: UnsentReason }

const NOTHING_SENT: Sending = { sentAt: null }

/** A failure loses nothing: the user can request the code on the next page, or choose another factor. */
async function trySending(
  dependencies: CodeDependencies,
  call: InteractionCall,
  code: Parameters<typeof sendFirstFactorCode>[2],
): Promise<Sending> {
  try {
    return { sentAt: await sendFirstFactorCode(dependencies, call, code) }
  } catch (error) {
    if (!(error instanceof RefusalError)) logFailure(error, { tenantId: call.tenantId })
    const unsent = error instanceof Error && getRateLimitRefusal(error) ? 'limit' : 'failure'
    return { sentAt: null, unsent }
  }
}

/**
 * Returns the identifier that the user has typed if it is one of the account, or else a masked one, if there is any.
 */
function describeAccount(
  { username, email, phone }: Account,
  typed: NavigationState['identifier'],
): Identifier | undefined {
  // A remembered account stays masked.
  if (typed?.account) return { type: typed.type, value: typed.value }
  const own = { username, email, phone }
  if (typed && toAsciiLowerCase(typed.value) === toAsciiLowerCase(own[typed.type] ?? '')) return typed
  if (username !== null) return { type: 'username', value: username }
  if (email !== null) return { type: 'email', value: maskIdentifier({ type: 'email', value: email }) }
  if (phone !== null) return { type: 'phone', value: maskIdentifier({ type: 'phone', value: phone }) }
  return undefined
}
