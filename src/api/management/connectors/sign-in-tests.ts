import type { Dependencies } from '../../../application/dependencies.ts'
import { beginSignInTest, readSignInTest } from '../../../application/social/sign-in-test.ts'
import { SignInTest, SignInTestStart } from '../../../contract/social/sign-in-tests.schema.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { writeCookies } from '../../cookies.ts'
import { jsonResponse } from '../../guard.ts'
import { beginManagementAudit } from '../change.ts'
import { createManagementCallDeclarer, idParam, managementSubrouter } from '../router.ts'

const declareCall = createManagementCallDeclarer('Connectors')

const beginCall = declareCall({
  method: 'post',
  path: '/{id}/sign-in-tests',
  operationId: 'beginConnectorSignInTest',
  summary: 'Begin a sign-in test of a social connector',
  description:
    'Begins a sign-in at the provider with the stored configuration, and returns the URL to which ' +
    'the browser goes. It signs nobody in and changes no account; the connector need not be on the ' +
    'sign-in page. The response sets a cookie: the test is valid once, for ten minutes, in the browser ' +
    'that makes this call, and beginning another test there replaces it. The provider sends the browser ' +
    'to the callback of the connector, which redirects to `/console/connectors/{id}?test={testId}`. ' +
    'Errors: 404 `entity.not_found` for an unknown connector, 400 `connector.unexpected_type` for one ' +
    'that sends messages, 400 `connector.not_found` for a demo connector, 400 `connector.*` for a ' +
    'configuration that yields no address.',
  request: { params: idParam },
  responses: {
    200: jsonResponse(
      'The address to which the browser goes',
      SignInTestStart.meta({ id: 'SignInTestStart' }),
    ),
  },
  refusals: [404],
})
const readCall = declareCall({
  method: 'get',
  path: '/{id}/sign-in-tests/{testId}',
  operationId: 'getConnectorSignInTest',
  summary: 'Get the outcome of a sign-in test',
  description:
    'Returns the response of the provider as the connector reads it, or the error that a user would ' +
    'get; until then, the status is `pending`. It contains personal data, so only the caller who began ' +
    'the test can read it. Responds with 404 `entity.not_found` if the test has expired, is unknown, ' +
    'belongs to another connector or was begun by someone else.',
  request: { params: idParam.extend({ testId: storableText(128) }) },
  responses: { 200: jsonResponse('The outcome', SignInTest.meta({ id: 'SignInTest' })) },
  refusals: [404],
})

/** Creates the routes for sign-in tests, under /connectors. The parent router authorizes the calls. */
export const signInTestRoutes = (dependencies: Dependencies) =>
  managementSubrouter()
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
