/** Who we are. One constant each, so that a rename is one line (decision 1). */
export const PRODUCT_NAME = 'Vestibule'
export const PRODUCT_ADDRESS = 'https://vestibule.dev'

export const DEFAULT_TENANT = 'default'

/** The protected resource whose audience a management token must carry (contract 8.1). */
export const MANAGEMENT_RESOURCE = {
  id: 'management-api',
  name: 'Management API',
  indicator: 'urn:vestibule:management-api',
} as const
export const MANAGEMENT_SCOPE = { id: 'management-api-all', name: 'all' } as const
export const ADMIN_ROLE = { id: 'admin-role', name: '#internal:admin' } as const

/** Clients without a row in the database (contract 4.6, decision 44). */
export const DEMO_APP_ID = 'demo-app'
export const MANAGEMENT_CLIENT_ID = 'management'

/** The page of whoever is signed in and has nowhere to go: they did not want to sign out, or came to change a password. */
export const SIGNED_IN_PAGE = '/signed-in'
/** With this state, they came to change a password (decision 43). */
export const CHANGE_PASSWORD_STATE = 'change-password'
