import { z } from 'zod'
import { ConnectorFactorySchema, ConnectorSchema } from '../src/contract/connectors/connectors.schema.ts'
import { DoctorReport } from '../src/contract/tenants/doctor.schema.ts'

/**
 * Schemas for answers in which a server of an older version, from 0.1.0 on, leaves out fields that are required today.
 * Commands call such a server before the first deployment of a new version and after a rollback.
 */

const ReportedConnector = DoctorReport.shape.connectors.element
const addedToFactories = { hasCheck: ConnectorFactorySchema.shape.hasCheck.default(false) } // 0.2.0

export const ServerReport = DoctorReport.extend({
  version: DoctorReport.shape.version.nullable().default(null), // 0.2.0
  connectors: z.array(
    ReportedConnector.extend({ lastFailure: ReportedConnector.shape.lastFailure.default(null) }), // 0.2.0
  ),
})
export const AvailableConnector = ConnectorFactorySchema.extend(addedToFactories)
export const InstalledConnector = ConnectorSchema.extend(addedToFactories)
