import type { Dependencies } from '../../../application/dependencies.ts'
import { doctorReport } from '../../../application/tenants/doctor.ts'
import { DoctorReport } from '../../../contract/tenants/doctor.schema.ts'
import { getSignInPlace } from '../../../domain/factors/sign-in-place.ts'
import { jsonAnswer } from '../../guard.ts'
import { managementCalls, mountedRouter } from '../router.ts'

const declareCall = managementCalls('Settings')

const reportCall = declareCall({
  method: 'get',
  path: '/',
  summary: 'Get the health report of the server',
  description:
    'Answers facts that only the server knows about its deployment: bindings and secrets (never their values), applied migrations, whether KV can be written, what is wrong with ' +
    'connectors and second factors, and whether users can sign in at all. `npm run doctor` checks them.',
  answers: { 200: jsonAnswer('The report', DoctorReport.meta({ id: 'DoctorReport' })) },
})

/** Mounted below the settings, behind the guard of their router. */
export function doctorRoutes(dependencies: Dependencies) {
  return mountedRouter().openapi(reportCall, async (c) => {
    const request = { origin: new URL(c.req.url).origin, place: getSignInPlace(c.req.raw) }
    return c.json(await doctorReport(dependencies, c.var.tenantId, request), 200)
  })
}
