import type { OpenAPIHono } from '@hono/zod-openapi'
import { INTERACTION_HEADER } from '../../contract/interactions/interaction.ts'
import { PRODUCT_NAME, PRODUCT_URL } from '../../contract/product.ts'
import { INTERACTION_COOKIE_PREFIX } from '../../storage/interactions/interaction-cookies.ts'
import { completeOpenApiDocument } from './openapi-completion.ts'
import { describeRules } from './openapi-rules.ts'

/**
 * Serves the OpenAPI document at /api/openapi.json (spec/management#openapi), which is generated on the first request.
 */
export function describeApi(
  api: Pick<OpenAPIHono, 'openAPIRegistry' | 'getOpenAPI31Document'>,
  basePath: string,
) {
  registerSecuritySchemes(api)
  const removeRules = describeRules(api)
  const document = api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: PRODUCT_NAME,
      version: '1',
      description:
        'Sign-in as a service. The sign-in pages call the interaction API, applications call the account API ' +
        'for their users, and operators call the management API. Every error response has the body `ErrorBody`: ' +
        'programs should rely on its `code`; its `message` is in the language of `Accept-Language`. Times ' +
        'are in epoch milliseconds.',
      contact: { name: PRODUCT_NAME, url: PRODUCT_URL },
    },
    servers: [{ url: '/' }],
    tags,
    // The security scheme of operations that declare none.
    security: [{ interactionCookie: [], interactionHeader: [] }, { interactionCookie: [] }],
  })
  removeRules()
  return completeOpenApiDocument(document, basePath)
}

function registerSecuritySchemes({ openAPIRegistry: registry }: Pick<OpenAPIHono, 'openAPIRegistry'>): void {
  registry.registerComponent('securitySchemes', 'management', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      "A JWT access token of this tenant's OpenID Provider for the resource " +
      '`urn:vestibule:management-api`, with a scope that gives access to the call. An application gets it ' +
      'with the client credentials grant. A token that is bound to a key (RFC 9449) is sent with the ' +
      'scheme `DPoP` and a proof.',
  })
  registry.registerComponent('securitySchemes', 'account', {
    type: 'http',
    scheme: 'bearer',
    description:
      'The opaque access token that an application received for its user, with the scopes `openid` and ' +
      '`profile`. A token that is bound to a key (RFC 9449) is sent with the scheme `DPoP` and a proof.',
  })
  registry.registerComponent('securitySchemes', 'services', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      "A JWT access token of this tenant's OpenID Provider for the resource `urn:vestibule:services` with one of the scopes `create:tenant`, `manage:tenant`, `send:email` and `send:sms`.",
  })
  registry.registerComponent('securitySchemes', 'interactionCookie', {
    type: 'apiKey',
    in: 'cookie',
    name: `${INTERACTION_COOKIE_PREFIX}{id}`,
    description:
      'The sealed cookie of an interaction, which the provider sets when it opens the sign-in page.',
  })
  registry.registerComponent('securitySchemes', 'interactionHeader', {
    type: 'apiKey',
    in: 'header',
    name: INTERACTION_HEADER,
    description:
      'The id of the interaction. Without it, the cookie `__Host-_interaction` (over plain http, in ' +
      'development, `_interaction`) names the interaction that was opened last.',
  })
}

const tags = [
  {
    name: 'Interaction',
    description: 'The sign-in, registration or password reset of one end user for one application',
  },
  { name: 'Account', description: 'The account of the signed-in user, through an application' },
  { name: 'Applications', description: 'OAuth clients whose users sign in here' },
  { name: 'Users', description: 'The accounts of the tenant' },
  { name: 'Dashboard', description: 'Statistics about users' },
  { name: 'Organizations', description: 'Invitations to organizations and their domains' },
  { name: 'Invitations', description: 'Invitations of administrators and users by email' },
  { name: 'Administrators', description: 'Short-lived links for the first administrators' },
  { name: 'Roles', description: 'Collections of scopes for users and applications' },
  { name: 'Organizations', description: 'Groups of users, such as customers, with roles of their own' },
  { name: 'Organization template', description: 'The roles and scopes that all organizations share' },
  { name: 'Resources', description: 'APIs for which access tokens are issued, and their scopes' },
  { name: 'Custom phrases', description: 'Texts of the sign-in pages that the operator has replaced' },
  { name: 'Connectors', description: 'Providers of social sign-in, email and text messages' },
  { name: 'Verification codes', description: 'Codes that operators use for their own purposes' },
  { name: 'Sign-in experience', description: 'What the sign-in pages look like and offer' },
  { name: 'Settings', description: 'Further settings of the tenant' },
  { name: 'Signing keys', description: 'The keys of the JWK Set' },
  { name: 'Registration tokens', description: 'Tokens with which clients register themselves' },
  { name: 'Uploads', description: 'Pictures for the sign-in pages' },
  {
    name: 'Hooks',
    description: 'Webhooks for sign-ins, accounts, credentials and organizations',
  },
  { name: 'Logs', description: 'The audit log' },
  { name: 'Tenants', description: 'Separate sets of users, applications and settings in one deployment' },
  { name: 'Messages', description: 'Codes that applications send through the connectors of the tenant' },
  { name: 'Service', description: 'The service itself' },
]
