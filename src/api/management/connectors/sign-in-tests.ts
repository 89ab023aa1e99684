import type { Dependencies } from '../../../application/dependencies.ts'
import { beginSignInTest, readSignInTest } from '../../../application/social/sign-in-test.ts'
import { SignInTest, SignInTestStart } from '../../../contract/social/sign-in-tests.schema.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { writeCookies } from '../../cookies.ts'
import { jsonAnswer } from '../../guard.ts'
import { beginManagementAudit } from '../change.ts'
import { idParam, managementCalls, mountedRouter } from '../router.ts'

const declareCall = managementCalls('Connectors')

const beginCall = declareCall({
  method: 'post',
  path: '/{id}/sign-in-tests',
  summary: 'Begin a sign-in test of a social connector',
  description:
    'Begins a sign-in at the provider with the stored configuration, and answers the address to which the browser goes. It signs nobody in and changes no account; the connector need not be on the sign-in page. ' +
    'The answer sets a cookie: the test counts in the browser that makes this call, once, for ten minutes, and beginning another one replaces it there. The provider sends the browser to the callback of the connector, which leads on to `/console/connectors/{id}?test={testId}`. ' +
    'An unknown connector is refused with 404 `entity.not_found`, one that sends messages with 400 `connector.unexpected_type`, a demo with 400 `connector.not_found`, a configuration that gives no address with 400 `connector.*`.',
  request: { params: idParam },
  answers: { 200: jsonAnswer('Where the browser goes', SignInTestStart.meta({ id: 'SignInTestStart' })) },
  refusals: [404],
})
const readCall = declareCall({
  method: 'get',
  path: '/{id}/sign-in-tests/{testId}',
  summary: 'Get the outcome of a sign-in test',
  description:
    'Answers what came back from the provider as the connector reads it, or the refusal that a user would get; `pending` until then. It is personal data, so only the caller who has begun the test is answered. ' +
    'One that is over, unknown, of another connector or begun by somebody else is refused with 404 `entity.not_found`.',
  request: { params: idParam.extend({ testId: storableText(128) }) },
  answers: { 200: jsonAnswer('The outcome', SignInTest.meta({ id: 'SignInTest' })) },
  refusals: [404],
})

/** Mounted below /connectors, behind the guard of its router. */
export const signInTestRoutes = (dependencies: Dependencies) =>
  mountedRouter()
    .openapi(beginCall, async (c) => {
      const { id: connectorId } = c.req.valid('param')
      const { tenantId, url, principal: by } = c.var
      const audit = beginManagementAudit(c, 'Management.SignInTest.Create', { connectorId })
      const beginning = { tenantId, connectorId, origin: url.origin, by, audit }
      const { started, cookie } = await beginSignInTest(dependencies, beginning)
      writeCookies(c, [cookie])
      return c.json(started, 200)
    })
    .openapi(readCall, async (c) => {
      const { id: connectorId, testId } = c.req.valid('param')
      const { tenantId, principal: by } = c.var
      return c.json(await readSignInTest(dependencies, { tenantId, connectorId, testId, by }), 200)
    })
