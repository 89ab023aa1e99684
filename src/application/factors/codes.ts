import type { FactorPayload } from '../../contract/interactions/identifiers.ts'
import type { Interaction } from '../../contract/interactions/interaction.ts'
import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import {
  checkVerificationCode,
  getCodeSentTime,
  VERIFICATION_CODE_LIFETIME,
  type VerifiedAddress,
} from '../../domain/codes/verification-codes.ts'
import { codeFactors } from '../../domain/factors/code-factors.ts'
import { factorAddress } from '../../domain/factors/second-factor.ts'
import { addProof } from '../../domain/interactions/interaction.ts'
import { maskIdentifier } from '../../domain/masking.ts'
import {
  attemptVerificationCode,
  createVerificationCode,
  prepareVerificationCodeAttempt,
  randomVerificationCode,
} from '../../storage/codes/verification-codes.ts'
import { createFirstCode, factorCodeOwner, listFactorCodes } from '../../storage/factors/factor-codes.ts'
import type { AttemptToCount } from '../../storage/rate-limits.ts'
import { accountsQuery, toAccount } from '../../storage/users/users.ts'
import {
  type AttemptDependencies,
  createTenantAttemptLimiter,
  type VerificationDependencies,
} from '../attempts.ts'
import type { AuditEntry } from '../audit.ts'
import { countTextMessage, refusesCountry, smsSends } from '../codes/send.ts'
import type { SendingDependencies } from '../connectors/deliver.ts'
import { type CodeMessage, sendCode } from '../connectors/send.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { prepareFactorCall } from './factor-call.ts'

export type CodeDependencies = SendingDependencies &
  Pick<Dependencies, 'experience' | 'phrases' | 'tenantSettings'>

/**
 * Sends a second-factor code to a verified address of the account. Clients cannot choose the address
 * (spec/interaction#factor-code).
 */
export async function sendFactorCode(
  dependencies: CodeDependencies,
  call: InteractionCall,
  factor: CodeFactor,
): Promise<{ sentTo: string }> {
  const { tenantId, ip } = call
  const { before, address, entry } = await readFactorAddress(dependencies, call, {
    factor,
    action: 'Create',
    counts: (id) => [
      { limit: 'codeSendsPerNetwork', ip },
      { limit: codeFactors[factor].sends, id },
    ],
  })
  if (address.type === 'phone')
    await countTextMessage(dependencies, tenantId, { phone: address.value, requester: { ip } })
  await createAndSend(dependencies, call, { address, entry, interaction: before })
  return { sentTo: maskIdentifier(address) }
}

/**
 * Sends the first second-factor code of an interaction without being asked. Counts it like a requested one. If the
 * interaction has already had a code, sends none, so that no repeated request sends another
 * (spec/interaction#first-factor-code). Returns the time of the code that the user can enter, or null if there is none.
 */
export async function sendFirstFactorCode(
  dependencies: CodeDependencies,
  call: InteractionCall,
  { address, userId, interaction }: { address: VerifiedAddress; userId: string; interaction: Interaction },
): Promise<number | null> {
  const { tenantId, open, audit } = call
  const now = dependencies.now()
  const earlier = await listFactorCodes(dependencies.db, tenantId, open.uid)
  const valid = earlier.find(
    (code) =>
      code[address.type] === address.value &&
      !code.consumed &&
      code.createdAt >= now - VERIFICATION_CODE_LIFETIME,
  )
  if (earlier.length > 0) return valid?.createdAt ?? null
  const { auditName } = codeFactors[address.type]
  const entry = audit.begin(`Interaction.SignIn.Identifier.${auditName}.Create`, { userId })
  try {
    const code = await createFirstFactorCode(dependencies, call, { address, userId, now })
    // If a concurrent request sends the code instead, the page asks for that one.
    if (code === null) {
      entry.discard()
      return now
    }
    entry.add(await sendCode(dependencies, call.message, factorMessage(address, code, interaction)))
    entry.settle(undefined)
    return now
  } catch (error) {
    if (error instanceof Error) entry.settle(error)
    throw error
  }
}

type FirstCode = { address: VerifiedAddress; userId: string; now: number }

/**
 * Creates and counts the first code. Throws if a limit is exceeded. Returns null if a concurrent request has created a
 * code; only that request counts.
 */
async function createFirstFactorCode(
  dependencies: CodeDependencies,
  { tenantId, open, ip }: InteractionCall,
  { address, userId, now }: FirstCode,
): Promise<string | null> {
  throwIfRefused(await refusesCountry(dependencies, tenantId, address))
  const limiter = await createTenantAttemptLimiter(dependencies, tenantId)
  const attempts: AttemptToCount[] = [
    { limit: 'codeSendsPerNetwork', ip },
    { limit: codeFactors[address.type].sends, id: userId },
    ...(address.type === 'phone' ? smsSends({ phone: address.value, requester: { ip } }) : []),
  ]
  const code = randomVerificationCode()
  const owner = factorCodeOwner(open.uid, address.type)
  const { isCreated, consumed } = await createFirstCode(
    dependencies,
    tenantId,
    { owner, address, code, now },
    { attempts, circumstances: limiter.circumstances },
  )
  throwIfRefused(limiter.refusal(consumed))
  return isCreated ? code : null
}

type CodeToSend = { address: VerifiedAddress; entry: AuditEntry; interaction: Interaction }

/** Sends nothing if a concurrent request has created a newer code, because that request sends it. */
async function createAndSend(
  dependencies: CodeDependencies,
  { tenantId, open, message }: InteractionCall,
  { address, entry, interaction }: CodeToSend,
): Promise<void> {
  const code = randomVerificationCode()
  const owner = factorCodeOwner(open.uid, address.type)
  const newCode = { owner, address, code, now: dependencies.now() }
  if (!(await createVerificationCode(dependencies, tenantId, newCode))) return
  entry.add(await sendCode(dependencies, message, factorMessage(address, code, interaction)))
}

const factorMessage = (address: VerifiedAddress, code: string, { proofs }: Interaction): CodeMessage => ({
  address,
  type: 'SignIn',
  code,
  firstFactor: proofs.some(({ kind }) => kind === 'account') ? 'password' : 'other',
})

type SentCode = Extract<FactorPayload, { emailCode: string } | { phoneCode: string }>

/**
 * Verifies a second-factor code that was sent to an address. Consuming the code takes a second round trip, because the
 * code's digest depends on the address.
 */
export async function proveSentCode(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  payload: SentCode,
): Promise<void> {
  const { db, seals } = dependencies
  const { tenantId, open, background } = call
  const [factor, code] =
    'emailCode' in payload ? (['email', payload.emailCode] as const) : (['phone', payload.phoneCode] as const)
  const { tries, proof } = codeFactors[factor]
  const { before, userId, address, now, refund } = await readFactorAddress(dependencies, call, {
    factor,
    action: 'Submit',
    counts: (id) => [{ limit: tries, id }],
  })
  const owner = factorCodeOwner(open.uid, factor)
  const attempt = await prepareVerificationCodeAttempt(seals, tenantId, { owner, address, code, now })
  const [result] = await attemptVerificationCode(db, tenantId, attempt)
  throwIfRefused(checkVerificationCode(result, address, now))
  // Only wrong codes count against the limit.
  background(refund)
  await open.save(addProof(before, { kind: proof, userId, provenAt: getCodeSentTime(result) }))
}

type CodeFactor = keyof typeof codeFactors

type AddressRequest = {
  factor: CodeFactor
  /** The last segment of the audit entry's key. */
  action: 'Create' | 'Submit'
  counts: (userId: string) => AttemptToCount[]
}

/** Reads the pinned account's address to which codes are sent, and counts the attempt in the same round trip. */
async function readFactorAddress(
  dependencies: AttemptDependencies,
  call: InteractionCall,
  { factor, action, counts }: AddressRequest,
) {
  const { db } = dependencies
  const { tenantId, open, audit } = call
  const { owner, lookups, attempts, now, count, policies, ownerIn } = await prepareFactorCall(
    dependencies,
    call,
    factor,
  )
  const { row, results } = await open.readWith({
    ...policies,
    accounts: accountsQuery(db, tenantId, lookups),
    consumed: count(counts),
  })
  const before = await open.record(row)
  const { auditName, address: type } = codeFactors[factor]
  const entry = audit.begin(`Interaction.${before.event}.Identifier.${auditName}.${action}`, {
    userId: owner?.userId,
  })
  const { userId } = ownerIn(before, row, results)
  throwIfRefused(attempts.refusal(results.consumed))
  const [account] = results.accounts
  const address = account ? factorAddress(type, toAccount(account), before) : null
  if (!address) return refuseWith('user.sign_in_method_not_enabled')
  return { before, entry, userId, address, now, refund: () => attempts.refund(results.consumed) }
}
