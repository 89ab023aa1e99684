import { sendApplicationCode } from '../../../application/codes/send.ts'
import type { CodeMessage } from '../../../application/connectors/send.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { EmailSend, SmsSend } from '../../../contract/connectors/message-sends.schema.ts'
import { SERVICES_RESOURCE, type ServiceScope } from '../../../contract/product.ts'
import { jsonBody } from '../../guard.ts'
import { toMessageRequest } from '../../request-context.ts'
import { requireToken } from '../authentication.ts'
import { type ManagementContext, managementCallDeclarer, managementRouter } from '../router.ts'

const declareCall = managementCallDeclarer('Messages', 'services')

const sendCall = {
  method: 'post',
  path: '/',
  responses: { 201: { description: 'Sent' } },
  refusals: [422, 501],
} as const

const emailCall = declareCall({
  ...sendCall,
  summary: 'Send a code by email',
  description:
    'Sends a code that the application generated to an email address, through the connector of the ' +
    'tenant and in the language of `Accept-Language`. Requires the `send:email` scope. Responds with 429 ' +
    'after too many messages to one address or from one application, and with 400 `connector.not_found` ' +
    'if there is no connector.',
  request: { body: jsonBody(EmailSend) },
})
const smsCall = declareCall({
  ...sendCall,
  summary: 'Send a code by text message',
  description:
    'Sends a code that the application generated to a phone number, through the connector of the tenant ' +
    'and in the language of `Accept-Language`. Requires the `send:sms` scope. It has the same limits and ' +
    'errors as `POST /services/send-email`.',
  request: { body: jsonBody(SmsSend) },
})

/**
 * Serves POST /services/send-email, which sends an application's code through the tenant's connector
 * (spec/management#services).
 */
export function emailSendRoutes(dependencies: Dependencies) {
  return serviceRouter(dependencies, 'send:email').openapi(emailCall, async (c) => {
    const { data } = c.req.valid('json')
    await send(dependencies, c, { type: 'email', value: data.to }, data)
    return c.body(null, 201)
  })
}

/** Serves POST /services/send-sms. */
export function smsSendRoutes(dependencies: Dependencies) {
  return serviceRouter(dependencies, 'send:sms').openapi(smsCall, async (c) => {
    const { data } = c.req.valid('json')
    await send(dependencies, c, { type: 'phone', value: data.to }, data)
    return c.body(null, 201)
  })
}

const serviceRouter = (dependencies: Dependencies, scope: ServiceScope) =>
  managementRouter(
    dependencies,
    requireToken(dependencies, { resource: SERVICES_RESOURCE.indicator, scopes: [scope] }),
  )

const send = (
  dependencies: Dependencies,
  c: ManagementContext,
  address: CodeMessage['address'],
  { type, payload: { code } }: Pick<CodeMessage, 'type'> & { payload: Pick<CodeMessage, 'code'> },
) => sendApplicationCode(dependencies, toMessageRequest(c), c.var.principal, { address, type, code })
