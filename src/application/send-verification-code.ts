import type { AuditTrail } from '../api/audit-trail.ts'
import type { OpenInteraction } from '../api/open-interaction.ts'
import { orRefuse } from '../contract/refused.ts'
import { networkLimit, networkOf, refusesConsumption } from '../domain/limits.ts'
import type { Address } from '../domain/passcodes.ts'
import { createPasscode, randomPasscode } from '../storage/passcodes.ts'
import { codeSend, type TrustedBrowser } from '../storage/rate-limits.ts'
import type { Dependencies } from './dependencies.ts'
import { sendMessage } from './send-message.ts'

type CodeRequest = {
  open: OpenInteraction
  tenantId: string
  audit: AuditTrail
  address: Address
  browser: TrustedBrowser | null
  ip: string | undefined
  language: string
  host: string
  requestId: string
}

/**
 * POST /interaction/verification/verification-code (contract 1.3): to anyone, whether or not there is an account, and
 * in the same words and with the same work (decision 17).
 */
export async function sendVerificationCode(
  dependencies: Dependencies,
  { open, tenantId, audit, address, browser, ip, language, host, requestId }: CodeRequest,
): Promise<void> {
  const { db, now, settings } = dependencies
  const { limits } = await dependencies.tenantSettings.get(tenantId)
  const perNetwork = networkLimit(limits, settings.environment)
  const rateLimit = { address, network: networkOf(ip), networkLimit: perNetwork, limits, browser, now: now() }
  const hasBegun = (await open.peek()) !== null
  // What cannot be sent is not counted.
  const { row, answers } = hasBegun
    ? await open.rowAnd(codeSend(db, tenantId, rateLimit))
    : { row: await open.row(), answers: [[], []] as const }
  const { event } = await open.record(row)
  const amend = audit.append(`Interaction.${event}.Identifier.VerificationCode.Create`, {
    [address.type]: address.value,
  })
  const [[byNetwork], [byAddress]] = answers
  orRefuse(refusesConsumption(byNetwork, perNetwork, rateLimit.now))
  orRefuse(refusesConsumption(byAddress, limits.codeSendsPerAddress, rateLimit.now))

  const code = randomPasscode()
  const owner = { uid: open.uid, type: event }
  await createPasscode(db, tenantId, { owner, address, code, now: now() })
  const { connectorId } = await sendMessage(dependencies, tenantId, {
    channel: address.type === 'email' ? 'email' : 'sms',
    to: address.value,
    type: event,
    code,
    language,
    host,
    requestId,
  })
  amend({ connectorId })
}
