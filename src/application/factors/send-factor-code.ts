import { maskIdentifier } from '../../domain/masking.ts'
import { createPasscode, factorCodeOwner, randomPasscode } from '../../storage/codes/passcodes.ts'
import { countTextMessage } from '../codes/code-sends.ts'
import { type SendingDependencies, sendCode } from '../connectors/send-message.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { type Channel, readFactorAddress } from './factor-address.ts'

type CodeDependencies = SendingDependencies & Pick<Dependencies, 'experience' | 'phrases' | 'tenantSettings'>

/** A code as second factor, to the verified address of the account: nobody names one (spec/interaction#factor-code). */
export async function sendFactorCode(
  dependencies: CodeDependencies,
  call: InteractionCall,
  channel: Channel,
): Promise<{ sentTo: string }> {
  const { tenantId, open, ip, message } = call
  const { address, entry } = await readFactorAddress(dependencies, call, {
    channel,
    entry: 'Create',
    counts: (id) => [
      { limit: 'codeSendsPerNetwork', ip },
      { limit: `${channel}FactorSends`, id },
    ],
  })
  if (channel === 'phone')
    await countTextMessage(dependencies, tenantId, { phone: address.value, requester: { ip } })
  const sentTo = maskIdentifier(address)
  const code = randomPasscode()
  const owner = factorCodeOwner(open.uid, channel)
  // As for other codes: the newest is sent.
  if (await createPasscode(dependencies, tenantId, { owner, address, code, now: dependencies.now() }))
    entry.add(await sendCode(dependencies, message, { address, type: 'SignIn', code }))
  return { sentTo }
}
