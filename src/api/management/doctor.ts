import { createRoute, type z } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { experienceFacts } from '../../application/experience-facts.ts'
import { networkOf } from '../../application/tenant-network.ts'
import { ConnectorFailure } from '../../connectors/failure.ts'
import { parseConfig, refusePrivateTargets } from '../../connectors/message.ts'
import { providerProblem } from '../../connectors/uploads/index.ts'
import { DoctorReport } from '../../contract/doctor.schema.ts'
import { isRefusal } from '../../contract/refused.ts'
import { acceptExperience } from '../../domain/experience-settings.ts'
import { hasWayIn } from '../../domain/tenant-sign-in-check.ts'
import { type Connector, connectorsQuery, openConnector } from '../../storage/connectors.ts'
import { customLanguagesQuery } from '../../storage/custom-phrases.ts'
import { experienceQuery } from '../../storage/experience.ts'
import { appliedMigrations, expectedMigrations } from '../../storage/migrations.ts'
import { demoSocialIn, settingsQuery } from '../../storage/settings.ts'
import { answer, guardedRouter } from '../guard.ts'
import type { ManagementVariables } from './authentication.ts'
import { findFactory } from './connector-answers.ts'
import { always, guarded } from './router.ts'

const reportCall = createRoute({
  method: 'get',
  path: '/',
  tags: ['Settings'],
  ...guarded,
  summary: 'What only the server can know about its own health',
  description:
    'Facts for `npm run doctor`, which judges them. That it is answered at all shows a reachable database.',
  responses: { 200: answer('The report', DoctorReport.openapi('DoctorReport')), ...always },
})

type Report = z.infer<typeof DoctorReport>

/** Mounted in the routes of settings, behind their gate. */
export function doctorRoutes(dependencies: Dependencies) {
  const { db, settings, network, interactions, tenantSettings, now } = dependencies

  return guardedRouter<{ Variables: ManagementVariables }>().openapi(reportCall, async (c) => {
    const [[[experience], connectors, languages, [stored]], applied, isWritable] = await Promise.all([
      db.batch([
        experienceQuery(db, c.var.tenantId),
        connectorsQuery(db, c.var.tenantId),
        customLanguagesQuery(db, c.var.tenantId),
        settingsQuery(db, c.var.tenantId),
      ]),
      appliedMigrations(db, settings),
      interactions.probe().then(
        () => true,
        () => false,
      ),
    ])
    const demos = await demoSocialIn(stored?.value ?? null)
    const facts = experienceFacts(settings, { connectors, languages, demos })
    const verdict = experience && acceptExperience(experience, experience, facts)
    return c.json(
      {
        environment: settings.environment,
        serverTime: now(),
        hostsConfigured: settings.hosts.byHost.size + settings.hosts.bases.length,
        secrets: {
          ROOT_SECRET_PREVIOUS: settings.rootSecretPrevious !== undefined,
          MANAGEMENT_CLIENT_SECRET: settings.managementClientSecret !== undefined,
        },
        bindings: {
          SEND_EMAIL: network.sendEmail !== undefined,
          ASSET_BUCKET: network.assetBucket !== undefined,
        },
        database: {
          kind: settings.libsql ? ('libSQL' as const) : ('D1' as const),
          migrations: { expected: [...expectedMigrations], applied },
        },
        interactions: { isWritable },
        connectors: await Promise.all(connectors.map(examined)),
        uploads: { problem: await uploadProblem(c.var.tenantId) },
        signIn: {
          hasWayIn: experience !== undefined && hasWayIn(experience, facts.connectors),
          problem: isRefusal(verdict) ? verdict.code : null,
        },
      },
      200,
    )
  })

  async function uploadProblem(tenantId: string): Promise<string | null> {
    const { storageProvider, allowPrivateTargets } = await tenantSettings.get(tenantId)
    const reach = { allowPrivateTargets, assetBucket: networkOf(dependencies, tenantId).assetBucket }
    const problem = storageProvider && providerProblem(storageProvider, reach)
    return problem ? `storageProvider.${problem.field} ${problem.message}` : null
  }

  async function examined(row: Connector): Promise<Report['connectors'][number]> {
    return { id: row.id, connectorId: row.connectorId, problem: await problemOf(row) }
  }

  async function problemOf(row: Connector): Promise<string | null> {
    const factory = findFactory(row.connectorId)
    if (!factory) return 'This version of Vestibule does not know its kind.'
    try {
      const { config } = await openConnector(dependencies.seals, row)
      parseConfig(factory, config)
      refusePrivateTargets(config, { allowPrivateTargets: settings.environment === 'development' })
      return null
    } catch (error) {
      if (!(error instanceof ConnectorFailure)) return error instanceof Error ? error.message : String(error)
      return `Its configuration is not accepted: ${JSON.stringify(error.data?.issues)}`
    }
  }
}
