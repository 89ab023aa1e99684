import type { Context } from 'hono'
import type { Address } from '../domain/passcodes.ts'
import { createGenericCode } from '../storage/passcodes.ts'
import type { Dependencies } from './dependencies.ts'
import { messageLanguage } from './message-language.ts'
import type { RequestFacts } from './request-facts.ts'
import { sendMessage } from './send-message.ts'

/** A code that belongs to no interaction (contract 3, Generic): made, and on its way to whoever has the address. */
export async function sendGenericCode<Variables extends RequestFacts>(
  dependencies: Dependencies,
  c: Context<{ Variables: Variables }>,
  address: Address,
): Promise<void> {
  const { tenantId, requestId } = c.var
  const code = await createGenericCode(dependencies.db, tenantId, address, dependencies.now())
  await sendMessage(dependencies, tenantId, {
    channel: address.type === 'email' ? 'email' : 'sms',
    to: address.value,
    type: 'Generic',
    code,
    language: await messageLanguage(dependencies, tenantId, c.req.header('accept-language')),
    host: new URL(c.req.url).host,
    requestId,
  })
}
