import { ADMIN_ROLE } from '../contract/product.ts'

const [INTERNAL_PREFIX = ''] = ADMIN_ROLE.name.split(/(?<=:)/)

/** Internal roles are ours: nobody makes one, and in no list is there one (contract 7.2). */
export const isInternalRole = (name: string): boolean => name.toLowerCase().startsWith(INTERNAL_PREFIX)
