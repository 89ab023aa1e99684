import type { z } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import type { Connector } from '../../contract/connectors.schema.ts'
import { type Refusal, refuse } from '../../contract/errors.ts'
import { demosOf } from '../../domain/demo-social.ts'
import { readTenantSettings } from '../../storage/settings.ts'
import { describeFactory, findFactory } from './connector-answers.ts'

type App = Pick<Dependencies, 'db' | 'seals'>

/** The demos of the settings among the installed connectors, marked as such and without their configuration (contract 8.2). */
export async function describeDemos(
  { db, seals }: App,
  tenantId: string,
): Promise<z.infer<typeof Connector>[]> {
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

/** A demo is changed in the settings, not here (contract 7.2). Null for an id that is nobody's. */
export async function refusesDemo({ db, seals }: App, tenantId: string, id: string): Promise<Refusal | null> {
  const { demoSocial } = await readTenantSettings(db, seals, tenantId)
  return demosOf(demoSocial).some((demo) => demo.id === id) ? refuse('connector.not_found') : null
}
