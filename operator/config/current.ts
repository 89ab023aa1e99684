import { z } from 'zod'
import { ResourceWithScopes } from '../../src/contract/access/resources.schema.ts'
import { RoleSchema, RoleScope } from '../../src/contract/access/roles.schema.ts'
import { ApplicationSchema } from '../../src/contract/applications/applications.schema.ts'
import { CustomPhrasesSchema } from '../../src/contract/experience/custom-phrases.schema.ts'
import { SignInExperienceSchema } from '../../src/contract/experience/experience.schema.ts'
import { HookSchema } from '../../src/contract/hooks/hooks.schema.ts'
import {
  OrganizationResourceScope,
  OrganizationRoleSchema,
  OrganizationScopeSchema,
} from '../../src/contract/organisations/template.schema.ts'
import { TenantSettingsResponse } from '../../src/contract/tenants/settings.schema.ts'
import { ApiError, type Deployment } from '../deployment.ts'
import { AvailableConnector, InstalledConnector, ServerReport } from '../older-servers.ts'
import { type CurrentState, type ReadApi, readState } from './current-state.ts'

const schemas = {
  experience: SignInExperienceSchema,
  settings: TenantSettingsResponse,
  connectors: z.array(InstalledConnector),
  factories: z.array(AvailableConnector),
  phrases: z.array(CustomPhrasesSchema),
  resources: z.array(ResourceWithScopes),
  roles: z.array(RoleSchema),
  scopes: z.array(RoleScope),
  applications: z.array(ApplicationSchema),
  hooks: z.array(HookSchema),
  organizationScopes: z.array(OrganizationScopeSchema),
  organizationRoles: z.array(OrganizationRoleSchema),
  resourceScopes: z.array(OrganizationResourceScope),
}

export async function readCurrentState({ get }: Deployment): Promise<CurrentState> {
  // Make this call first: it fetches the token that all other calls use.
  const { environment } = await get('configs/doctor', ServerReport)
  let hasOrganizations = true
  const read = async (name: keyof typeof schemas, path: string, query = {}) => {
    try {
      return await get(path, schemas[name], query)
    } catch (error) {
      if (!addedPaths.includes(path) || !(error instanceof ApiError && error.status === 404)) throw error
      hasOrganizations = false
      return []
    }
  }
  return { ...(await readState(read as ReadApi)), environment, hasOrganizations }
}

/** The lists that a server of version 0.1.0 does not have. */
const addedPaths = ['organization-scopes', 'organization-roles']
