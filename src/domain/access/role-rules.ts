import { ADMIN_ROLE } from '../../contract/product.ts'

const [INTERNAL_PREFIX = ''] = ADMIN_ROLE.name.split(/(?<=:)/)

/** Internal roles are part of the product: operators cannot create them, and lists leave them out (spec/management#internal-roles). */
export const isInternalRole = (name: string): boolean => name.toLowerCase().startsWith(INTERNAL_PREFIX)
