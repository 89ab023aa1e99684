import { MINUTE_SECONDS } from '../time.ts'

/** The settings of organisations in a tenant (spec/organisations#settings). */
export type OrganizationSettings = {
  /** If true, users can create organisations in the account centre. */
  usersMayCreate: boolean
  /** The number of organisations that a user may own by creating them. */
  mostPerUser: number
  /** The longest lifetime of access tokens with `org_id`, in seconds. */
  accessTokenTtl: number
}

export const DEFAULT_ORGANIZATION_SETTINGS: OrganizationSettings = {
  usersMayCreate: false,
  mostPerUser: 10,
  accessTokenTtl: 10 * MINUTE_SECONDS,
}
