import type { Dependencies } from '../../../application/dependencies.ts'
import { createDoctorReport } from '../../../application/tenants/doctor.ts'
import { DoctorReport } from '../../../contract/tenants/doctor.schema.ts'
import { getSignInPlace } from '../../../domain/factors/sign-in-place.ts'
import { jsonResponse } from '../../guard.ts'
import { createManagementCallDeclarer, managementSubrouter } from '../router.ts'

const declareCall = createManagementCallDeclarer('Settings')

const reportCall = declareCall({
  method: 'get',
  path: '/',
  operationId: 'getDoctorReport',
  summary: 'Get the health report of the server',
  description:
    'Returns facts that only the server knows about its deployment: bindings and secrets (never their ' +
    'values), applied migrations, whether KV is writable, problems with connectors and second factors, ' +
    'and whether users can sign in at all. `npm run doctor` checks them.',
  responses: { 200: jsonResponse('The report', DoctorReport.meta({ id: 'DoctorReport' })) },
})

/** Creates the routes for the doctor, under the settings. The parent router authorizes the calls. */
export function doctorRoutes(dependencies: Dependencies) {
  return managementSubrouter().openapi(reportCall, async (c) => {
    const request = { origin: new URL(c.req.url).origin, place: getSignInPlace(c.req.raw) }
    return c.json(await createDoctorReport(dependencies, c.var.tenantId, request), 200)
  })
}
