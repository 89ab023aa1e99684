import type { Principal } from '../access/management-token.ts'
import type { SendingDependencies } from '../connectors/deliver-message.ts'
import { type CodeMessage, type MessageRequest, sendCode } from '../connectors/send-message.ts'
import type { Dependencies } from '../dependencies.ts'
import { countCodeSend } from './code-sends.ts'

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
