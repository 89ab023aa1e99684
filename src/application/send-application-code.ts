import { countCodeSend } from './code-sends.ts'
import type { SendingDependencies } from './deliver-message.ts'
import type { Dependencies } from './dependencies.ts'
import type { Principal } from './management-token.ts'
import { type CodeMessage, type MessageRequest, sendCode } from './send-message.ts'

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
  const sender = { application: senderOf(principal) }
  await countCodeSend(dependencies, request.tenantId, { address: message.address, sender })
  await sendCode(dependencies, request, message)
}

/** The caller of the management or the services API, as one that sends codes. */
export const senderOf = ({ type, id }: Principal): string => `${type}/${id}`
