import { outboundProblem } from '../../domain/connectors/outbound-address.ts'
import type { HookReply } from '../../outbound/hooks/webhook.ts'
import { innermostMessage } from '../../storage/database.ts'
import type { Dependencies } from '../dependencies.ts'
import type { DeliveryReport } from './deliveries.ts'

/** Calls a receiver. Only a 2xx accepts a delivery: redirects are not followed (spec/connectors#hook-delivery). */
export async function reportOf(call: () => Promise<HookReply>): Promise<DeliveryReport> {
  try {
    const response = await call()
    const isAccepted = response.statusCode >= 200 && response.statusCode < 300
    return isAccepted
      ? { result: 'Success', response }
      : { ...failedDelivery(`The receiver answered ${response.statusCode}`), response }
  } catch (error) {
    return failedDelivery(innermostMessage(error))
  }
}

export const failedDelivery = (error: string): DeliveryReport => ({ result: 'Error', error })

/** Throws for an address that a server must not call (spec/connectors#outbound-addresses). */
export async function refusePrivateAddress(
  { tenantSettings }: Pick<Dependencies, 'tenantSettings'>,
  tenantId: string,
  url: string,
): Promise<void> {
  const problem = outboundProblem(url, await tenantSettings.get(tenantId))
  if (problem) throw new Error(`The address ${problem}`)
}

export const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
