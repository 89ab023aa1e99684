import type { Interaction } from '../../contract/interactions/interaction.ts'
import { orRefuse } from '../../contract/refused.ts'
import type { VerifiedAddress } from '../../domain/codes/passcodes.ts'
import { provenAccounts } from '../../domain/interactions/interaction.ts'
import { refusesAttempts } from '../../domain/limits.ts'
import { createPasscode, randomPasscode } from '../../storage/codes/passcodes.ts'
import { consumeAttempts } from '../../storage/rate-limits.ts'
import type { SendingDependencies } from '../connectors/deliver-message.ts'
import { sendCode } from '../connectors/send-message.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { type CodeSender, codeSends, refusesCountry } from './code-sends.ts'

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

  const code = randomPasscode()
  const owner = { uid: open.uid, type: event }
  // Another request of this interaction may have made a newer code at the same time: that one is sent.
  if (!(await createPasscode(dependencies, tenantId, { owner, address, code, now: now() }))) return
  entry.add(await sendCode(dependencies, message, { address, type: event, code }))
}

const senderOf = (interaction: Interaction, ip: string | undefined): CodeSender => ({
  ip,
  proven: provenAccounts(interaction),
  isResettingPassword: interaction.event === 'ForgotPassword',
})
