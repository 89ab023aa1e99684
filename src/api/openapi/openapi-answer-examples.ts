import { DAY } from '../../contract/time.ts'
import * as example from './openapi-example-entities.ts'
import * as passkeys from './openapi-example-passkeys.ts'

const { createdAt, email, ids } = example
const redirect = { redirectTo: 'https://id.example.com/oidc/auth/h2Lx7Zq9' }
const changedScope = { ...example.scope, description: 'See all orders' }
const trend = { count: 12, delta: -3 }

/** The examples of 200 responses, by operation. */
export const responseExamples: Record<string, unknown> = {
  'GET /openapi.json': { openapi: '3.1.0' },
  'GET /.well-known/sign-in-exp': {
    ...example.experience,
    socialConnectors: [
      {
        id: ids.connector,
        target: 'github',
        platform: 'Universal',
        name: { en: 'GitHub' },
        logo: '/connectors/github.svg',
        logoDark: '/connectors/github-dark.svg',
      },
    ],
    forgotPassword: { email: true, phone: false },
  },
  'GET /.well-known/phrases': example.customPhrases,

  'DELETE /interaction': redirect,
  'POST /interaction/accounts/{id}': {
    type: 'email',
    value: 'anna****@example.com',
    account: '2c2VhbGVkIGZvciB0aGlzIGludGVyYWN0aW9u',
  },
  'POST /interaction/submit': {
    redirectTo:
      'https://app.example.com/callback?code=Qm3vJ0pXk7dT2yLs8WnE4A&state=af0ifjsldkj&iss=https%3A%2F%2Fid.example.com%2Foidc',
  },
  'POST /interaction/passkeys/options': passkeys.creationOptions,
  'POST /interaction/passkeys': { name: passkeys.passkey.name },
  'POST /interaction/consent': redirect,
  'POST /interaction/organization': redirect,
  'POST /interaction/factors/totp': {
    secret: example.totpSecret,
    address: `otpauth://totp/id.example.com:ann?secret=${example.totpSecret}&issuer=id.example.com`,
  },
  'POST /interaction/factors/code': { sentTo: 'anna****@example.com' },
  'POST /interaction/factors/passkey-options': passkeys.securityKeyOptions,
  'PUT /interaction/factors/totp': { backupCodes: example.backupCodes },
  'POST /interaction/verification/social-authorization-uri': {
    redirectTo: 'https://accounts.google.com/o/oauth2/v2/auth?client_id=example&state=Zm9vYmFyYmF6cXV4',
  },

  'POST /interaction/verification/passkey-options': passkeys.requestOptions,

  'GET /me': example.profile,
  'PATCH /me': { ...example.profile, avatar: 'https://files.example.com/ann.png' },
  'GET /me/custom-data': { theme: 'light' },
  'PATCH /me/custom-data': { theme: 'dark' },
  'GET /me/identities': example.user.identities,
  'GET /me/factors': example.factors,
  'POST /me/factors/totp': {
    secret: example.totpSecret,
    address: `otpauth://totp/id.example.com:ann?secret=${example.totpSecret}&issuer=id.example.com`,
    enrolment: '2c2VhbGVkIGZvciB0aGlzIHVzZXI',
  },
  'PUT /me/factors/totp': { backupCodes: example.backupCodes },
  'POST /me/factors/backup-codes': { backupCodes: example.backupCodes },
  'GET /users/{id}/factors': example.factors,
  'GET /me/consents': [example.consent],
  'GET /me/passkeys': [passkeys.passkey],
  'POST /me/passkeys': passkeys.passkey,
  'POST /me/passkeys/options': passkeys.creationOptions,
  'PATCH /me/passkeys/{id}': { ...passkeys.passkey, name: 'My phone' },
  'GET /users/{id}/passkeys': [passkeys.passkey],
  'GET /me/sessions': [{ ...example.session, isCurrent: true }],
  'GET /me/trusted-browsers': [example.trustedBrowser],
  'GET /users/{id}/trusted-browsers': [example.trustedBrowser],

  'GET /applications': [example.application],
  'POST /applications': example.application,
  'GET /applications/{id}': { ...example.application, isAdmin: false },
  'GET /applications/{id}/roles': [example.role],
  'POST /applications/{id}/secret': {
    ...example.application,
    secretCreatedAt: createdAt + 7 * DAY,
    previousSecret: { createdAt, expiresAt: createdAt + 8 * DAY },
    isAdmin: false,
  },
  'PATCH /applications/{id}': {
    ...example.application,
    customClientMetadata: {
      refreshTokenTtl: 1_209_600,
      refreshTokenMaxTtl: 7_776_000,
      initiateLoginUri: 'https://shop.example.com/login',
    },
    claims: example.claims,
    isAdmin: false,
  },
  'POST /applications/{id}/claims/preview': example.claimsPreview,
  'POST /resources/{id}/claims/preview': example.claimsPreview,

  'POST /connectors/{factoryId}/message-preview': example.messagePreview,

  'GET /configs/settings': example.settings,
  'PATCH /configs/settings': example.settings,
  'GET /configs/admin-console': example.checklist,
  'PATCH /configs/admin-console': example.checklist,
  'GET /configs/code': example.managedByCode,
  'PUT /configs/code': example.managedByCode,
  'GET /configs/doctor': example.report,
  'GET /my-permissions': { userId: example.user.id, name: 'Ada Lovelace', scopes: ['all'] },
  'GET /configs/signing-keys': example.signingKeys,
  'POST /configs/signing-keys/rotate': example.signingKeys,

  'GET /connector-factories': [example.connectorFactory],
  'GET /connector-factories/{id}': example.connectorFactory,
  'POST /connector-factories/{id}/check': { outcome: 'unreachable', reason: 'unreachable' },
  'POST /connectors/{id}/check': { outcome: 'refused', reason: 'invalid_client' },
  'POST /connectors/{id}/sign-in-tests': example.signInTest,
  'GET /connectors/{id}/sign-in-tests/{testId}': example.signInTestOutcome,
  'GET /connectors': [example.connector],
  'POST /connectors': example.connector,
  'GET /connectors/{id}': example.connector,
  'PATCH /connectors/{id}': example.connector,

  'GET /custom-phrases': [example.customPhrases],
  'GET /custom-phrases/{tag}': example.customPhrases,
  'PUT /custom-phrases/{tag}': example.customPhrases,

  'GET /dashboard/users/total': { totalUserCount: 4711 },
  'GET /dashboard/users/new': { today: trend, last7Days: { count: 80, delta: 15 } },
  'GET /dashboard/users/active': {
    dauCurve: [{ date: '2026-11-20', count: 12 }],
    dau: trend,
    wau: { count: 70, delta: 4 },
    mau: { count: 310, delta: 41 },
  },

  ...example.organizationAnswers,

  'POST /administrator-invitations': {
    url: 'https://id.example.com/account/invitation?token=Zq1wXsE3rFvT5gByH7jNmK9lOpA2sDcF4gHbJ6kLnM8',
    roleId: 'admin-role',
    email: example.email,
    expiresAt: example.createdAt,
  },
  'GET /organizations/{id}/domains': [example.organizationDomain],
  'POST /organizations/{id}/domains': example.organizationDomain,
  'GET /organizations/{id}/domains/{domain}': example.organizationDomain,
  'PATCH /organizations/{id}/domains/{domain}': example.organizationDomain,
  'POST /organizations/{id}/domains/{domain}/verification': example.organizationDomain,
  'GET /organizations/{id}/invitations': [example.organizationInvitation],
  'POST /organizations/{id}/invitations': example.organizationInvitation,
  'GET /organizations/{id}/invitations/{invitationId}': example.organizationInvitation,
  'POST /organizations/{id}/invitations/{invitationId}/send': example.organizationInvitation,
  'GET /invitations': [example.invitation],
  'POST /invitations': { ...example.invitation, url: null },
  'POST /invitations/{id}/resend': example.invitation,
  'GET /registration-tokens': [example.registrationToken],
  'POST /registration-tokens': {
    ...example.registrationToken,
    token: 'Zq1wXsE3rFvT5gByH7jNmK9lOpA2sDcF4gHbJ6kLnM8',
  },

  'GET /hooks': [example.hook],
  'POST /hooks': example.hookWithSecret,
  'GET /hooks/{id}': example.hook,
  'PATCH /hooks/{id}': { ...example.hook, config: { ...example.hook.config, retries: 0 } },
  'POST /hooks/{id}/secret': example.hookWithSecret,
  'POST /hooks/{id}/test': { result: 'Success', response: { statusCode: 204, body: '' } },
  'GET /hooks/{id}/deliveries': [example.hookDelivery],

  'GET /failed-requests': [example.failedRequests],
  'GET /logs': [example.log],
  'GET /logs/{id}': example.log,
  'GET /messages': [
    {
      id: example.log.id,
      channel: 'email',
      to: 'a***@example.com',
      messageType: 'SignIn',
      connectorId: ids.connector,
      factoryId: 'postmark-email',
      result: 'Success',
      error: null,
      reason: null,
      answer: null,
      requestId: null,
      createdAt: example.log.createdAt,
    },
  ],

  'GET /resources': [{ ...example.resource, scopes: [example.scope] }],
  'POST /resources': { ...example.resource, scopes: [] },
  'GET /resources/{id}': example.resource,
  'PATCH /resources/{id}': { ...example.resource, accessTokenTtl: 600 },
  'GET /resources/{id}/scopes': [example.scope],
  'POST /resources/{id}/scopes': example.scope,
  'PATCH /resources/{id}/scopes/{scopeId}': changedScope,

  'GET /roles': [
    {
      ...example.role,
      usersCount: 1,
      featuredUsers: [{ id: ids.user, avatar: null, name: 'Ann Example' }],
    },
  ],
  'POST /roles': example.role,
  'GET /roles/{id}': example.role,
  'PATCH /roles/{id}': { ...example.role, description: 'Handles orders and returns' },
  'GET /roles/{id}/users': [example.user],
  'GET /roles/{id}/applications': [example.application],
  'GET /roles/{id}/scopes': [{ ...example.scope, resource: example.resource }],
  'POST /roles/{id}/scopes': [example.scope],

  'GET /sign-in-exp': example.experience,
  'PATCH /sign-in-exp': example.experience,

  'DELETE /tenants/{id}': { id: 'acme', isComplete: true, uploadsLeft: false },
  'GET /tenants': [{ id: 'acme', createdAt, origin: 'https://acme.id.example.com' }],
  'POST /tenants': {
    id: 'acme',
    createdAt,
    origin: 'https://acme.id.example.com',
    application: { id: ids.application, name: 'Administration', secret: example.application.secret },
    invitation: {
      url: 'https://acme.id.example.com/account/invitation?token=Zt4bQw8nLk2vXr6yHc1mPd9sGf3jTa7uEo5iRzBqWx0',
      expiresAt: createdAt + 600_000,
    },
  },

  'GET /user-assets/service-status': {
    status: 'ready',
    allowUploadMimeTypes: ['image/png', 'image/svg+xml'],
    maxUploadFileSize: 262_144,
  },
  'POST /user-assets': {
    url: 'https://id.example.com/assets/brand/EJUaiFRpBEzHsNe3B3xrCN4rwLcKUZVxVVCQt7BdqYQ.svg',
    path: '/assets/brand/EJUaiFRpBEzHsNe3B3xrCN4rwLcKUZVxVVCQt7BdqYQ.svg',
  },

  'GET /users': [example.user],
  'POST /users': {
    ...example.user,
    identities: {},
    lastSignInAt: null,
    applicationId: null,
    termsAgreement: null,
  },
  'GET /users/{id}': example.user,
  'PATCH /users/{id}': example.user,
  'PATCH /users/{id}/password': example.user,
  'PATCH /users/{id}/is-suspended': { ...example.user, isSuspended: true },
  'GET /users/{id}/custom-data': example.user.customData,
  'PATCH /users/{id}/custom-data': example.user.customData,
  'DELETE /users/{id}/identities/{target}': { ...example.user, identities: {} },
  'GET /users/{id}/roles': [example.role],
  'GET /users/{id}/consents': [example.consent],
  'GET /users/{id}/sessions': [example.session],
  'GET /users/export': {
    users: [{ id: ids.user, username: 'ann', primaryEmail: email, createdAt, roleNames: ['Clerk'] }],
    next: null,
  },
  'POST /users/bulk': { results: [{ id: ids.user, status: 'changed' }] },
  'POST /users/import': {
    results: [
      { index: 0, status: 'created', id: 'old4711' },
      {
        index: 1,
        status: 'rejected',
        error: { code: 'user.username_already_in_use', message: 'This username is already in use.' },
      },
    ],
  },
}
