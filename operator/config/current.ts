import { z } from 'zod'
import { ResourceWithScopes } from '../../src/contract/access/resources.schema.ts'
import { RoleSchema, RoleScope } from '../../src/contract/access/roles.schema.ts'
import { ApplicationSchema } from '../../src/contract/applications/applications.schema.ts'
import { ConnectorFactorySchema, ConnectorSchema } from '../../src/contract/connectors/connectors.schema.ts'
import { CustomPhrasesSchema } from '../../src/contract/experience/custom-phrases.schema.ts'
import { SignInExperienceSchema } from '../../src/contract/experience/experience.schema.ts'
import { HookSchema } from '../../src/contract/hooks/hooks.schema.ts'
import { ADMIN_ROLE } from '../../src/contract/product.ts'
import { DoctorReport } from '../../src/contract/tenants/doctor.schema.ts'
import { TenantSettingsAnswer } from '../../src/contract/tenants/settings.schema.ts'
import type { Deployment } from '../deployment.ts'
import { type CurrentState, stateOf } from './current-state.ts'

export async function readCurrent(deployment: Deployment): Promise<CurrentState> {
  const { get } = deployment
  // The first call fetches the token for all others.
  const report = await get('configs/doctor', DoctorReport)
  const [
    experience,
    settings,
    connectors,
    factories,
    phrases,
    resources,
    roles,
    applications,
    admins,
    hooks,
  ] = await Promise.all([
    get('sign-in-exp', SignInExperienceSchema),
    get('configs/settings', TenantSettingsAnswer),
    get('connectors', z.array(ConnectorSchema)),
    get('connector-factories', z.array(ConnectorFactorySchema)),
    get('custom-phrases', z.array(CustomPhrasesSchema)),
    get('resources', z.array(ResourceWithScopes), { includeScopes: 'true' }),
    readPages(deployment, 'roles', RoleSchema),
    readPages(deployment, 'applications', ApplicationSchema),
    readPages(deployment, `roles/${ADMIN_ROLE.id}/applications`, ApplicationSchema),
    get('hooks', z.array(HookSchema)),
  ])
  const links = await mapInChunks(roles, async ({ id }) => ({
    id,
    scopes: await get(`roles/${id}/scopes`, z.array(RoleScope)),
    applications: await readPages(deployment, `roles/${id}/applications`, ApplicationSchema),
  }))

  const answered = {
    ...{ experience, settings, connectors, factories, phrases, resources, roles, links },
    ...{ applications, admins, hooks },
  }
  return { ...stateOf(answered), environment: report.environment }
}

const PAGE_SIZE = 100 // spec/limits#lists

async function readPages<T extends z.ZodType>(
  { get }: Deployment,
  path: string,
  schema: T,
): Promise<z.output<T>[]> {
  const all: z.output<T>[] = []
  for (let page = 1; ; page++) {
    const found = await get(path, z.array(schema), { page: String(page), page_size: String(PAGE_SIZE) })
    all.push(...found)
    if (found.length < PAGE_SIZE) return all
  }
}

const CHUNK = 8

/** A few at a time, because a tenant may have many. */
async function mapInChunks<T, U>(items: readonly T[], read: (item: T) => Promise<U>): Promise<U[]> {
  const results: U[] = []
  for (let at = 0; at < items.length; at += CHUNK)
    results.push(...(await Promise.all(items.slice(at, at + CHUNK).map(read))))
  return results
}
