import type { Context } from 'hono'
import type { Address } from '../domain/passcodes.ts'
import type { AppVariables, Services } from '../env.ts'
import { createGenericCode } from '../storage/passcodes.ts'
import { messageLanguage } from './message-language.ts'
import { sendMessage } from './send-message.ts'

/** A code that belongs to no interaction (contract 3, Generic): made, and on its way to whoever has the address. */
export async function sendGenericCode<Variables extends AppVariables>(
  services: Services,
  c: Context<{ Variables: Variables }>,
  address: Address,
): Promise<void> {
  const { tenantId, requestId } = c.var
  const code = await createGenericCode(services.db, tenantId, address, services.now())
  await sendMessage(services, tenantId, {
    channel: address.type === 'email' ? 'email' : 'sms',
    to: address.value,
    type: 'Generic',
    code,
    language: await messageLanguage(services, tenantId, c.req.header('accept-language')),
    host: new URL(c.req.url).host,
    requestId,
  })
}
