import type { AdapterPayload } from 'oidc-provider'
import { DEMO_APP_ID, MANAGEMENT_CLIENT_ID, PRODUCT_NAME, SIGNED_IN_PAGE } from '../contract/product.ts'
import type { ApplicationRow } from '../storage/applications.ts'
import { providerRequest } from './request-context.ts'

/** Our applications as the library's clients (spec/provider#clients). */
export type ClientMetadataSource = {
  find(tenantId: string, clientId: string): Promise<AdapterPayload | undefined>
}

export function createClientMetadataSource({
  application,
  managementSecret,
}: {
  application(tenantId: string, id: string): Promise<ApplicationRow | null>
  managementSecret: string | undefined
}): ClientMetadataSource {
  return {
    async find(tenantId, clientId) {
      if (clientId === DEMO_APP_ID) return demoApp(new URL(providerRequest().request.url).origin)
      if (clientId === MANAGEMENT_CLIENT_ID)
        return managementSecret ? managementClient(managementSecret) : undefined
      // No application has such an id, and the cache would keep the miss.
      if (clientId.length > LONGEST_ID) return undefined
      const found = await application(tenantId, clientId)
      return found ? toClientMetadata(found) : undefined
    },
  }
}

const LONGEST_ID = 21 // spec/limits#ids

/** Our own metadata, which the library passes through (spec/provider#client-metadata). Times are seconds. */
export const extraClientMetadata = [
  'corsAllowedOrigins',
  'idTokenTtl',
  'refreshTokenTtl',
  'tenantId',
  'isThirdParty',
  'allowedResources',
  'allowedBuiltInResources',
] as const

const byType = {
  Native: {
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    isPublic: true,
  },
  SPA: { application_type: 'web', grant_types: ['authorization_code', 'refresh_token'], isPublic: true },
  Traditional: {
    application_type: 'web',
    grant_types: ['authorization_code', 'refresh_token'],
    isPublic: false,
  },
  MachineToMachine: { application_type: 'web', grant_types: ['client_credentials'], isPublic: false },
} as const satisfies Record<ApplicationRow['type'], object>

/** Exported for the management API, which checks new metadata against the library's own rules. */
export function toClientMetadata({
  id,
  name,
  secret,
  type,
  oidcClientMetadata: { redirectUris, postLogoutRedirectUris, logoUri },
  customClientMetadata: custom,
}: ApplicationRow): AdapterPayload {
  const { isPublic, application_type, grant_types } = byType[type]
  const isMachine = type === 'MachineToMachine'
  if (!isPublic && secret === '') {
    throw new Error(
      `The secret of application ${id} does not open: ROOT_SECRET has changed. Set ROOT_SECRET_PREVIOUS to the old one.`,
    )
  }
  return {
    client_id: id,
    client_name: name,
    application_type,
    grant_types: [...grant_types],
    response_types: isMachine ? [] : ['code', 'none'],
    redirect_uris: isMachine ? [] : redirectUris,
    post_logout_redirect_uris: isMachine ? [] : postLogoutRedirectUris,
    ...(logoUri ? { logo_uri: logoUri } : {}),
    ...(isPublic
      ? { token_endpoint_auth_method: 'none' }
      : { token_endpoint_auth_method: 'client_secret_basic', client_secret: secret }),
    ...(custom.idTokenSignedResponseAlg
      ? { id_token_signed_response_alg: custom.idTokenSignedResponseAlg }
      : {}),
    ...(custom.backchannelLogoutUri
      ? {
          backchannel_logout_uri: custom.backchannelLogoutUri,
          backchannel_logout_session_required: custom.backchannelLogoutSessionRequired ?? false,
        }
      : {}),
    ...(custom.initiateLoginUri ? { initiate_login_uri: custom.initiateLoginUri } : {}),
    ...(custom.dpopBoundAccessTokens ? { dpop_bound_access_tokens: true } : {}),
    ...Object.fromEntries(
      extraClientMetadata.flatMap((key) => (custom[key] === undefined ? [] : [[key, custom[key]]])),
    ),
  }
}

function demoApp(origin: string): AdapterPayload {
  const address = `${origin}/demo-app`
  return {
    client_id: DEMO_APP_ID,
    client_name: 'Live Preview',
    application_type: 'web',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code', 'none'],
    // The second is for password changes, which no application requests (spec/provider#change-password).
    redirect_uris: [address, origin + SIGNED_IN_PAGE],
    post_logout_redirect_uris: [address],
    token_endpoint_auth_method: 'none',
  }
}

const managementClient = (secret: string): AdapterPayload => ({
  client_id: MANAGEMENT_CLIENT_ID,
  client_name: `${PRODUCT_NAME} management`,
  application_type: 'web',
  grant_types: ['client_credentials'],
  response_types: [],
  redirect_uris: [],
  token_endpoint_auth_method: 'client_secret_basic',
  client_secret: secret,
})
