import { orRefuse } from '../contract/refused.ts'
import { limitPerNetwork, networkOf, refusesConsumption } from '../domain/limits.ts'
import type { Address } from '../domain/passcodes.ts'
import { createPasscode, randomPasscode } from '../storage/passcodes.ts'
import { codeSending } from '../storage/rate-limits.ts'
import type { SendingDependencies } from './deliver-message.ts'
import type { Dependencies } from './dependencies.ts'
import type { InteractionCall } from './interaction-call.ts'
import { sendCode } from './send-message.ts'

type CodeDependencies = SendingDependencies & Pick<Dependencies, 'experience' | 'phrases' | 'tenantSettings'>

/**
 * Sends a code for the event of the interaction (spec/interaction#send-code). Answer, work and counters do not depend on
 * whether the address has an account (spec/accounts#hidden-existence).
 */
export async function sendVerificationCode(
  dependencies: CodeDependencies,
  call: InteractionCall,
  address: Address,
): Promise<void> {
  const { db, now, settings } = dependencies
  const { open, tenantId, audit, ip, message } = call
  const { limits } = await dependencies.tenantSettings.get(tenantId)
  const perNetwork = limitPerNetwork(limits.codeSendsPerNetwork, settings.environment)
  const at = now()
  const isStarted = (await open.peek()) !== null
  // Without a record no code is sent, so none is counted.
  const { row, found } = isStarted
    ? await open.rowAnd(
        codeSending(db, tenantId, {
          address,
          network: networkOf(ip),
          networkLimit: perNetwork,
          limits,
          browser: await call.trustedBrowser(),
          now: at,
        }),
      )
    : { row: await open.row(), found: undefined }
  const { event } = await open.record(row)
  const entry = audit.begin(`Interaction.${event}.Identifier.VerificationCode.Create`, {
    [address.type]: address.value,
  })
  orRefuse(refusesConsumption(found?.byNetwork[0], perNetwork, at))
  orRefuse(refusesConsumption(found?.byAddress[0], limits.codeSendsPerAddress, at))

  const code = randomPasscode()
  const owner = { uid: open.uid, type: event }
  // Another request of this interaction may have made a newer code at the same time: that one is sent.
  if (!(await createPasscode(dependencies, tenantId, { owner, address, code, now: now() }))) return
  entry.add(await sendCode(dependencies, message, { address, type: event, code }))
}
