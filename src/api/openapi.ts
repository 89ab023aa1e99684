import type { OpenAPIHono } from '@hono/zod-openapi'
import { INTERACTION_HEADER } from '../contract/interaction.ts'
import { PRODUCT_ADDRESS, PRODUCT_NAME } from '../contract/product.ts'
import { INTERACTION_COOKIE_PREFIX } from '../storage/interactions.ts'
import { completeDocument } from './openapi-completion.ts'

/** The document at /api/openapi.json (decision 42): what the routes declare, and who may call them. */
export function describeApi(
  api: Pick<OpenAPIHono, 'openAPIRegistry' | 'getOpenAPI31Document'>,
  basePath: string,
) {
  const { openAPIRegistry: registry } = api
  registry.registerComponent('securitySchemes', 'management', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token of our own provider for urn:vestibule:management-api with the scope `all`',
  })
  registry.registerComponent('securitySchemes', 'account', {
    type: 'http',
    scheme: 'bearer',
    description:
      'The opaque access token an application got for its user, with the scopes `openid` and `profile`; bound to a key ' +
      '(RFC 9449), it comes as `DPoP` with a proof',
  })
  registry.registerComponent('securitySchemes', 'services', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An access token of our own provider for urn:vestibule:services with one of the scopes `create:tenant`, `manage:tenant`, ' +
      '`send:email` and `send:sms`',
  })
  registry.registerComponent('securitySchemes', 'interactionCookie', {
    type: 'apiKey',
    in: 'cookie',
    name: `${INTERACTION_COOKIE_PREFIX}{id}`,
    description: 'The sealed cookie of the interaction, set where the application sent the browser',
  })
  registry.registerComponent('securitySchemes', 'interactionHeader', {
    type: 'apiKey',
    in: 'header',
    name: INTERACTION_HEADER,
    description: 'Which interaction is meant; without it the cookie `_interaction` decides',
  })

  const document = api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: PRODUCT_NAME,
      version: '1',
      description:
        'Sign-in as a service. The interaction API stands behind the sign-in pages; the management API is for operators. ' +
        'Every refusal has the body `Error`; its `code` says what is wrong, its `message` says so in the language of `Accept-Language`.',
      contact: { name: PRODUCT_NAME, url: PRODUCT_ADDRESS },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Interaction', description: 'One visitor on the way to one application' },
      {
        name: 'Account',
        description: 'What signed-in people do with their own account, through an application',
      },
      { name: 'Applications', description: 'Who may ask visitors to sign in' },
      { name: 'Users', description: 'Who can sign in' },
      { name: 'Dashboard', description: 'How many users there are' },
      { name: 'Roles', description: 'What users and applications may do' },
      { name: 'Resources', description: 'The APIs access tokens are for, and their scopes' },
      { name: 'Custom phrases', description: 'What the sign-in pages say, in the operator’s own words' },
      { name: 'Connectors', description: 'What sends e-mails and text messages' },
      { name: 'Verification codes', description: 'For an operator’s own purposes' },
      { name: 'Sign-in experience', description: 'How the sign-in pages look and what they offer' },
      { name: 'Settings', description: 'What else a tenant may set' },
      { name: 'Signing keys', description: 'What tokens are signed with' },
      { name: 'Uploads', description: 'Pictures for the sign-in pages' },
      { name: 'Hooks', description: 'Who is told about registrations, sign-ins and resets' },
      { name: 'Logs', description: 'What has happened' },
      { name: 'Tenants', description: 'Closed worlds of users, applications and settings' },
      { name: 'Messages', description: 'Codes that applications have sent' },
      { name: 'Service', description: 'About this service itself' },
    ],
    // Routes that name none are those of the interaction.
    security: [{ interactionCookie: [], interactionHeader: [] }, { interactionCookie: [] }],
  })
  return completeDocument(document, basePath)
}
