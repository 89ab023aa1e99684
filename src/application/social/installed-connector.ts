import { orRefuse } from '../../contract/refused.ts'
import { connectorQuery, openConnector } from '../../storage/connectors/connectors.ts'
import { findDemo } from '../connectors/demo-connectors.ts'
import type { Dependencies } from '../dependencies.ts'
import { asSocial, type InstalledSocial } from './social-provider.ts'

/** A social connector by its id, beside any interaction. */
export async function installedConnector(
  dependencies: Pick<Dependencies, 'db' | 'seals' | 'settings' | 'tenantSettings'>,
  tenantId: string,
  connectorId: string,
): Promise<InstalledSocial> {
  const [installed] = await connectorQuery(dependencies.db, tenantId, connectorId)
  const connector = installed && (await openConnector(dependencies.seals, installed))
  return orRefuse(asSocial(connector ?? (await findDemo(dependencies, tenantId, connectorId))))
}
