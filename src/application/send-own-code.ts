import { orRefuse } from '../contract/refused.ts'
import { limitPerNetwork, networkOf, refusesConsumption } from '../domain/limits.ts'
import type { Address } from '../domain/passcodes.ts'
import { readTogether } from '../storage/batches.ts'
import { codeSending } from '../storage/rate-limits.ts'
import type { SendingDependencies } from './deliver-message.ts'
import type { Dependencies } from './dependencies.ts'
import { sendGenericCode } from './send-generic-code.ts'
import type { MessageRequest } from './send-message.ts'

type CodeDependencies = SendingDependencies & Pick<Dependencies, 'experience' | 'phrases' | 'tenantSettings'>

/** Limited as the codes of an interaction are (spec/accounts#code-send-limits). */
export async function sendOwnCode(
  dependencies: CodeDependencies,
  request: MessageRequest,
  { address, ip }: { address: Address; ip: string | undefined },
): Promise<void> {
  const { db, now, settings, tenantSettings } = dependencies
  const { tenantId } = request
  const { limits } = await tenantSettings.get(tenantId)
  const perNetwork = limitPerNetwork(limits.codeSendsPerNetwork, settings.environment)
  const at = now()
  const network = { network: networkOf(ip), networkLimit: perNetwork }
  const { byNetwork, byAddress } = await readTogether(
    db,
    codeSending(db, tenantId, { address, ...network, limits, browser: null, now: at }),
  )
  orRefuse(refusesConsumption(byNetwork[0], perNetwork, at))
  orRefuse(refusesConsumption(byAddress[0], limits.codeSendsPerAddress, at))
  await sendGenericCode(dependencies, request, address)
}
