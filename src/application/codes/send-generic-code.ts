import type { VerifiedAddress } from '../../domain/codes/passcodes.ts'
import { createGenericCode } from '../../storage/codes/passcodes.ts'
import type { SendingDependencies } from '../connectors/deliver-message.ts'
import { type MessageRequest, sendCode } from '../connectors/send-message.ts'
import type { Dependencies } from '../dependencies.ts'
import { type CodeSender, countCodeSend } from './code-sends.ts'

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
