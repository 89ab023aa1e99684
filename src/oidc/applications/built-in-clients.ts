import type { AdapterPayload } from 'oidc-provider'
import {
  ACCOUNT_APP_ID,
  BUILT_IN_RESOURCES,
  CONSOLE_APP_ID,
  DEMO_APP_ID,
  MANAGEMENT_CLIENT_ID,
  PRODUCT_NAME,
  SIGNED_IN_PAGE,
} from '../../contract/product.ts'

/** The clients that have no row in the database (spec/provider#built-in-clients). */

export function demoApp(origin: string): AdapterPayload {
  const address = `${origin}/demo-app`
  return {
    client_id: DEMO_APP_ID,
    client_name: 'Live Preview',
    application_type: 'web',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code', 'none'],
    // The second redirect URI is for password changes, which do not begin in an application
    // (spec/provider#change-password).
    redirect_uris: [address, origin + SIGNED_IN_PAGE],
    post_logout_redirect_uris: [address],
    token_endpoint_auth_method: 'none',
  }
}

export const accountApp = (origin: string): AdapterPayload => ({
  client_id: ACCOUNT_APP_ID,
  client_name: `${PRODUCT_NAME} account centre`,
  application_type: 'web',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  redirect_uris: [`${origin}/account/callback`],
  token_endpoint_auth_method: 'none',
})

export const consoleApp = (origin: string): AdapterPayload => ({
  client_id: CONSOLE_APP_ID,
  client_name: `${PRODUCT_NAME} console`,
  application_type: 'web',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  redirect_uris: [`${origin}/console/`],
  post_logout_redirect_uris: [`${origin}/console/`],
  token_endpoint_auth_method: 'none',
  dpop_bound_access_tokens: true,
  allowedBuiltInResources: [...BUILT_IN_RESOURCES],
  allowedResources: [],
})

export const managementClient = (secret: string): AdapterPayload => ({
  client_id: MANAGEMENT_CLIENT_ID,
  client_name: `${PRODUCT_NAME} management`,
  application_type: 'web',
  grant_types: ['client_credentials'],
  response_types: [],
  redirect_uris: [],
  token_endpoint_auth_method: 'client_secret_basic',
  client_secret: secret,
})
