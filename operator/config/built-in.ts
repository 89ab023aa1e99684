import { MANAGEMENT_RESOURCE, SERVICES_RESOURCE, STARTING_ROLES } from '../../src/contract/product.ts'

/** Resources that are the product's own: no file describes them, and roles may name their scopes. */
export const isBuiltInResource = (id: string): boolean =>
  id === MANAGEMENT_RESOURCE.id || id === SERVICES_RESOURCE.id

const startingRoles = new Set<string>(STARTING_ROLES.map(({ id }) => id))

/** Roles every tenant starts with: a file may change them; one that does not know them does not delete them. */
export const isStartingRole = (id: string): boolean => startingRoles.has(id)
