/** Fictional entities for the OpenAPI examples: a tenant, a web shop and two users. */
import { createdAt, ids, tenantId } from './openapi-example-facts.ts'

export * from './openapi-example-connectors.ts'
export * from './openapi-example-facts.ts'
export * from './openapi-example-organizations.ts'
export * from './openapi-example-settings.ts'
export * from './openapi-example-users.ts'

export const applicationCreation = {
  name: 'Web shop',
  type: 'SPA',
  oidcClientMetadata: {
    redirectUris: ['https://shop.example.com/callback'],
    postLogoutRedirectUris: ['https://shop.example.com/'],
  },
}
export const application = {
  tenantId,
  id: ids.application,
  secret: 's6Fd3gHj8kLzXcVbN1mQw',
  description: null,
  secondFactorPolicy: null,
  rememberDays: null,
  claims: null,
  ...applicationCreation,
  customClientMetadata: {},
  createdAt,
  secretCreatedAt: createdAt,
  previousSecret: null,
}

/** A template of claims, and the claims that it results in. */
export const claims = {
  department: '$.customData.department',
  roleNames: '$.roles',
  plan: 'gold',
}
export const claimsPreview = {
  claims: { department: 'Sales', roleNames: ['Clerk'], plan: 'gold' },
  size: 61,
  isTooLarge: false,
}

export const role = {
  tenantId,
  id: ids.role,
  name: 'Clerk',
  description: 'Handles orders',
  secondFactorPolicy: 'required',
  rememberDays: 0,
}
export const resource = {
  tenantId,
  id: ids.resource,
  name: 'Orders',
  indicator: 'https://api.example.com/orders',
  accessTokenTtl: 3600,
  claims: null,
}
export const scope = {
  tenantId,
  id: ids.scope,
  resourceId: ids.resource,
  name: 'read:orders',
  description: 'See orders',
  createdAt,
}

export const hook = {
  tenantId,
  id: ids.hook,
  event: 'User.Created',
  events: ['User.Created', 'User.Updated'],
  config: { url: 'https://shop.example.com/hooks', retries: 3 },
  createdAt,
}
export const hookWithSecret = {
  ...hook,
  secret: 'whsec_bm90IGEgc2VjcmV0LCBidXQgbG9va3MgbGlrZSBvbmU=',
}
export const hookDelivery = {
  id: ids.delivery,
  event: 'PostRegister',
  status: 'failed',
  attempts: 12,
  payload: { hookId: ids.hook, event: 'PostRegister', userId: ids.user },
  createdAt,
}

export const failedRequests = {
  hour: 1_764_500_400_000,
  applicationId: ids.application,
  endpoint: 'token',
  error: 'invalid_grant',
  count: 17,
}
export const log = {
  tenantId,
  id: ids.log,
  key: 'Management.User.Rename',
  actor: { type: 'application', id: ids.application },
  payload: {
    key: 'Management.User.Rename',
    result: 'Success',
    userId: ids.user,
    actor: { type: 'app', id: ids.application },
    changed: ['name'],
    changes: { name: { before: 'Ada Byron', after: 'Ada Lovelace' } },
    ip: '203.0.113.7',
  },
  createdAt,
}
