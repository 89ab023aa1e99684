import { orRefuse } from '../contract/refused.ts'
import { refusesConsumption } from '../domain/limits.ts'
import { readTogether } from '../storage/batches.ts'
import { codeSending } from '../storage/rate-limits.ts'
import type { SendingDependencies } from './deliver-message.ts'
import type { Dependencies } from './dependencies.ts'
import { type CodeMessage, type MessageRequest, sendCode } from './send-message.ts'

type Principal = { type: string; id: string }

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
  const { db, now, tenantSettings } = dependencies
  const { tenantId } = request
  const { limits } = await tenantSettings.get(tenantId)
  const at = now()
  const { byNetwork: byApplication, byAddress } = await readTogether(
    db,
    codeSending(db, tenantId, {
      address: message.address,
      network: `${principal.type}/${principal.id}`,
      networkLimit: limits.sendsPerApplication,
      limits,
      browser: null,
      now: at,
    }),
  )
  orRefuse(refusesConsumption(byApplication[0], limits.sendsPerApplication, at))
  orRefuse(refusesConsumption(byAddress[0], limits.codeSendsPerAddress, at))
  await sendCode(dependencies, request, message)
}
