/** The names and ids of the product, each defined in one place (spec/pages#names). */
export const PRODUCT_NAME = 'Vestibule'
export const PRODUCT_URL = 'https://vestibule.dev'
/** The response header in which `GET /api/status` names the version of the server. */
export const VERSION_HEADER = 'vestibule-version'

export const DEFAULT_TENANT = 'default'

/** The audience of a management token (spec/management#management-authentication). */
export const MANAGEMENT_RESOURCE = {
  id: 'management-api',
  name: 'Management API',
  indicator: 'urn:vestibule:management-api',
} as const
export const MANAGEMENT_SCOPE = { id: 'management-api-all', name: 'all' } as const
export const ADMIN_ROLE = { id: 'admin-role', name: '#internal:admin' } as const

/** The audience of tokens for sending messages and creating tenants (spec/management#services, ADR-0021). */
export const SERVICES_RESOURCE = {
  id: 'services',
  name: 'Services',
  indicator: 'urn:vestibule:services',
} as const
export const SERVICE_SCOPES = [
  { id: 'create-tenant', name: 'create:tenant', description: 'Create one tenant' },
  { id: 'manage-tenant', name: 'manage:tenant', description: 'Create tenants and see all there are' },
  { id: 'send-email', name: 'send:email', description: 'Send codes by e-mail' },
  { id: 'send-sms', name: 'send:sms', description: 'Send codes by text message' },
] as const
export type ServiceScope = (typeof SERVICE_SCOPES)[number]['name']

/** The indicators of the product's own APIs. */
export const BUILT_IN_RESOURCES = [MANAGEMENT_RESOURCE.indicator, SERVICES_RESOURCE.indicator] as const

/** The application that is created with a tenant, with which its owner administers it. */
export const TENANT_APPLICATION = {
  name: 'Administration',
  description: 'Created with the tenant, for its owner',
}

/** A new tenant's roles, besides the administrators' role, which has every scope. */
export const INITIAL_ROLES = [
  { id: 'user', name: 'user', description: 'May create a tenant', scopes: ['create:tenant'] },
  {
    id: 'tenant-app',
    name: 'tenantApplication',
    description: 'May send codes by e-mail and text message',
    scopes: ['send:email', 'send:sms'],
  },
] as const satisfies { id: string; name: string; description: string; scopes: ServiceScope[] }[]

/** Clients without a row in the database (spec/provider#built-in-clients). */
export const DEMO_APP_ID = 'demo-app'
export const MANAGEMENT_CLIENT_ID = 'management'
/** The account centre, to which users sign in as to any other application (spec/account-centre#sign-in). */
export const ACCOUNT_APP_ID = 'account-centre'
/** The operators' console (spec/console#sign-in). */
export const CONSOLE_APP_ID = 'console'
/** The built-in clients that sign users in. */
export const BUILT_IN_APP_IDS: readonly string[] = [DEMO_APP_ID, ACCOUNT_APP_ID, CONSOLE_APP_ID]

/**
 * The page for signed-in users who have no other destination, for example after they have cancelled signing out or
 * changed their password.
 */
export const SIGNED_IN_PAGE = '/signed-in'

/**
 * The page that offers to create a passkey. Users without a passkey see it after the sign-in, before they return to the
 * application (spec/pages#passkey-offer).
 */
export const NEW_PASSKEY_PATH = '/sign-in/passkey'
/** The value of the parameter `state` that marks a password change (spec/pages#change-password). */
export const CHANGE_PASSWORD_STATE = 'change-password'
