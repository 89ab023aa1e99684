import { INITIAL_ROLES, MANAGEMENT_RESOURCE, SERVICES_RESOURCE } from '../../src/contract/product.ts'

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
