import { sendApplicationCode } from '../../../application/codes/send.ts'
import type { CodeMessage } from '../../../application/connectors/send.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { EmailSend, SmsSend } from '../../../contract/connectors/message-sends.schema.ts'
import { SERVICES_RESOURCE, type ServiceScope } from '../../../contract/product.ts'
import { jsonBody } from '../../guard.ts'
import { messageRequestOf } from '../../request-context.ts'
import { requireToken } from '../authentication.ts'
import { type ManagementContext, managementCalls, managementRouter } from '../router.ts'

const declareCall = managementCalls('Messages', 'services')

const sending = {
  method: 'post',
  path: '/',
  answers: { 201: { description: 'Sent' } },
  refusals: [422, 501],
} as const

const emailCall = declareCall({
  ...sending,
  summary: 'Send a code by e-mail',
  description:
    'Sends a code that the application made to an e-mail address, through the connector of the tenant and in the language of `Accept-Language`. Needs the scope `send:email`. Too many messages to one address or ' +
    'from one application are refused with 429, a missing connector with 400 `connector.not_found`.',
  request: { body: jsonBody(EmailSend) },
})
const smsCall = declareCall({
  ...sending,
  summary: 'Send a code by text message',
  description:
    'Sends a code that the application made to a phone number, through the connector of the tenant and in the language of `Accept-Language`. Needs the scope `send:sms`. It is limited and refused as ' +
    '`POST /services/send-email` is.',
  request: { body: jsonBody(SmsSend) },
})

/** POST /services/send-email: a code of an application, through the tenant's connector (spec/management#services). */
export function emailSendRoutes(dependencies: Dependencies) {
  return guardedBy(dependencies, 'send:email').openapi(emailCall, async (c) => {
    const { data } = c.req.valid('json')
    await send(dependencies, c, { type: 'email', value: data.to }, data)
    return c.body(null, 201)
  })
}

/** POST /services/send-sms. */
export function smsSendRoutes(dependencies: Dependencies) {
  return guardedBy(dependencies, 'send:sms').openapi(smsCall, async (c) => {
    const { data } = c.req.valid('json')
    await send(dependencies, c, { type: 'phone', value: data.to }, data)
    return c.body(null, 201)
  })
}

const guardedBy = (dependencies: Dependencies, scope: ServiceScope) =>
  managementRouter(
    dependencies,
    requireToken(dependencies, { resource: SERVICES_RESOURCE.indicator, scopes: [scope] }),
  )

const send = (
  dependencies: Dependencies,
  c: ManagementContext,
  address: CodeMessage['address'],
  { type, payload: { code } }: Pick<CodeMessage, 'type'> & { payload: Pick<CodeMessage, 'code'> },
) => sendApplicationCode(dependencies, messageRequestOf(c), c.var.principal, { address, type, code })
