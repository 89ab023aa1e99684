import { refuseWith } from '../../contract/refused.ts'
import { demosOf } from '../../domain/social/demo-social.ts'
import { readTenantSettings } from '../../storage/tenants/settings.ts'
import type { Dependencies } from '../dependencies.ts'
import { type ConnectorDescription, describeFactory, findFactory } from './connector-descriptions.ts'

type Store = Pick<Dependencies, 'db' | 'seals'>

/** The demo connectors of the settings in the form of installed ones, without a configuration (spec/connectors#demo-connectors). */
export async function describeDemos({ db, seals }: Store, tenantId: string): Promise<ConnectorDescription[]> {
  const { demoSocial } = await readTenantSettings(db, seals, tenantId)
  return demosOf(demoSocial).flatMap(({ id, factoryId, name, logo, logoDark = null }) => {
    const factory = findFactory(factoryId)
    if (!factory) return []
    return {
      ...describeFactory(factory),
      id,
      tenantId,
      connectorId: factoryId,
      name,
      logo,
      logoDark,
      isDemo: true,
      config: {},
      metadata: {},
      syncProfile: false,
      createdAt: 0,
    }
  })
}

/** A demo connector is changed in the settings, not as a connector. */
export async function refuseDemo({ db, seals }: Store, tenantId: string, id: string): Promise<void> {
  const { demoSocial } = await readTenantSettings(db, seals, tenantId)
  if (demosOf(demoSocial).some((demo) => demo.id === id)) refuseWith('connector.not_found')
}
