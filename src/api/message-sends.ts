import { createRoute } from '@hono/zod-openapi'
import type { z } from 'zod'
import type { Dependencies } from '../application/dependencies.ts'
import { messageLanguage } from '../application/message-language.ts'
import { sendMessage } from '../application/send-message.ts'
import { EmailSend, SmsSend } from '../contract/message-sends.schema.ts'
import { SERVICES_RESOURCE, type ServiceScope } from '../contract/product.ts'
import { orRefuse } from '../contract/refused.ts'
import { refusesConsumption } from '../domain/limits.ts'
import type { Address } from '../domain/passcodes.ts'
import { codeSend } from '../storage/rate-limits.ts'
import { json, refusals } from './guard.ts'
import { authenticate } from './management/authentication.ts'
import { alwaysWithBody, type ManagementContext, managementRouter } from './management/router.ts'

const declared = {
  method: 'post' as const,
  path: '/' as const,
  tags: ['Messages'],
  security: [{ services: [] }],
  responses: { 201: { description: 'It is on its way' }, ...alwaysWithBody, ...refusals(429, 501) },
}

const emailCall = createRoute({
  ...declared,
  summary: 'Send a code by e-mail, through the connector of this tenant',
  request: { body: json(EmailSend) },
})
const smsCall = createRoute({
  ...declared,
  summary: 'Send a code by text message, through the connector of this tenant',
  request: { body: json(SmsSend) },
})

type Message = z.infer<typeof EmailSend>['data']

/** Codes that applications make and this tenant's connectors send (product 6): POST /services/send-email. */
export function emailSendRoutes(dependencies: Dependencies) {
  return gated(dependencies, 'send:email').openapi(emailCall, async (c) => {
    const { data } = c.req.valid('json')
    await send(dependencies, c, { type: 'email', value: data.to }, data)
    return c.body(null, 201)
  })
}

/** POST /services/send-sms. */
export function smsSendRoutes(dependencies: Dependencies) {
  return gated(dependencies, 'send:sms').openapi(smsCall, async (c) => {
    const { data } = c.req.valid('json')
    await send(dependencies, c, { type: 'phone', value: data.to }, data)
    return c.body(null, 201)
  })
}

const gated = (dependencies: Dependencies, scope: ServiceScope) =>
  managementRouter(
    dependencies,
    authenticate(dependencies, { resource: SERVICES_RESOURCE.indicator, scopes: [scope] }),
  )

async function send(
  dependencies: Dependencies,
  c: ManagementContext,
  address: Address,
  { type, payload: { code } }: Message,
): Promise<void> {
  const { tenantId, requestId } = c.var
  await consume(dependencies, c, address)
  await sendMessage(dependencies, tenantId, {
    channel: address.type === 'email' ? 'email' : 'sms',
    to: address.value,
    type,
    code,
    language: await messageLanguage(dependencies, tenantId, c.req.header('accept-language')),
    host: new URL(c.req.url).host,
    requestId,
  })
}

/**
 * Nobody's mailbox is flooded, whoever asks: an address has the allowance it has everywhere (decision 16). The servers of an
 * application share one address for all its users, so instead of a network the application itself is held to a limit.
 */
async function consume(
  { db, now, tenantSettings }: Dependencies,
  c: ManagementContext,
  address: Address,
): Promise<void> {
  const { tenantId, principal } = c.var
  const { limits } = await tenantSettings.get(tenantId)
  const at = now()
  const sender = { network: `${principal.type}/${principal.id}`, networkLimit: limits.sendsPerApplication }
  const [[bySender], [byAddress]] = await db.batch(
    codeSend(db, tenantId, { address, ...sender, limits, browser: null, now: at }),
  )
  orRefuse(refusesConsumption(bySender, limits.sendsPerApplication, at))
  orRefuse(refusesConsumption(byAddress, limits.codeSendsPerAddress, at))
}
