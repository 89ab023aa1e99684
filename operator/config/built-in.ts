import {
  INITIAL_ROLES,
  MANAGEMENT_RESOURCE,
  SERVICES_RESOURCE,
  TENANT_APPLICATION,
} from '../../src/contract/product.ts'
import type { JsonObject } from './json.ts'

/**
 * Checks whether a resource belongs to the product itself. A settings file does not describe such resources, but its
 * roles may contain their scopes.
 */
export const isBuiltInResource = (id: string): boolean =>
  id === MANAGEMENT_RESOURCE.id || id === SERVICES_RESOURCE.id

const startingRoles = new Set<string>(INITIAL_ROLES.map(({ id }) => id))

/**
 * Checks whether every new tenant has this role. A settings file may change such roles, but leaving them out does not
 * delete them.
 */
export const isDefaultRole = (id: string): boolean => startingRoles.has(id)

/**
 * Checks whether an application was created with its tenant. As long as it administers the tenant and has its original
 * name and description, leaving it out of a file does not delete it.
 */
export const isTenantApplication = (application: JsonObject | undefined): boolean =>
  application?.isAdmin === true &&
  application.name === TENANT_APPLICATION.name &&
  application.description === TENANT_APPLICATION.description
