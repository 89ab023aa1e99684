import { INITIAL_ROLES, MANAGEMENT_RESOURCE, SERVICES_RESOURCE } from '../../src/contract/product.ts'

/** Resources of the product itself: a file does not describe them, but its roles may name their scopes. */
export const isBuiltInResource = (id: string): boolean =>
  id === MANAGEMENT_RESOURCE.id || id === SERVICES_RESOURCE.id

const startingRoles = new Set<string>(INITIAL_ROLES.map(({ id }) => id))

/** Roles of a new tenant: a file may change them; leaving them out does not delete them. */
export const isStartingRole = (id: string): boolean => startingRoles.has(id)
