import * as example from './openapi-example-entities.ts'
import * as passkeys from './openapi-example-passkeys.ts'

/**
 * The request examples of the OpenAPI document, by operation: one for each JSON body and each path parameter. The
 * examples of JSON responses are in `openapi-answer-examples.ts`. Both files are loaded only for the document, and a
 * test validates each example against its declared schema.
 */

const { email, ids, newPassword, password, smtp, verificationCode } = example
const message = { data: { to: email, type: 'Generic', payload: { code: verificationCode } } }

export const bodyExamples: Record<string, unknown> = {
  'PUT /interaction': { event: 'SignIn', identifier: { username: 'ann', password } },
  'PUT /interaction/event': { event: 'Register' },
  'POST /interaction/submit': {
    agreesToTerms: true,
    remembersBrowser: true,
    passkeyAbilities: ['offer', 'signals'],
  },
  'POST /interaction/passkeys/options': { creation: 'offer' },
  'POST /interaction/passkeys': passkeys.attestation,
  'POST /interaction/consent': { decision: 'allow' },
  'POST /interaction/factors/code': { factor: 'email' },
  'PUT /interaction/factors/totp': { totpCode: '492039' },
  'PUT /interaction/step': { identifier: { type: 'email', value: email } },
  'PATCH /interaction/identifiers': { email, verificationCode },
  'PUT /interaction/profile': { username: 'ann', password },
  'PATCH /interaction/profile': { password },
  'POST /interaction/verification/social-authorization-uri': {
    connectorId: 'google',
    state: 'the-id-of-the-interaction.Zm9vYmFyYmF6cXV4',
    redirectUri: 'https://id.example.com/callback/google',
  },
  'POST /interaction/verification/verification-code': { email },

  'PATCH /me': { name: 'Ann Example', avatar: 'https://files.example.com/ann.png' },
  'PATCH /me/custom-data': { customData: { theme: 'dark' } },
  'POST /me/passkeys/options': { purpose: 'secondFactor' },
  'PUT /me/factors/totp': { enrolment: '2c2VhbGVkIGZvciB0aGlzIHVzZXI', totpCode: '492039' },
  'POST /me/password/verify': { password },
  'POST /me/password': { password: newPassword },
  'PUT /me/password': { password: newPassword },
  'POST /me/verification-codes': { email },
  'POST /me/verification-codes/verify': { email, verificationCode },

  'POST /administrator-invitations': { email, roleId: 'admin-role' },
  'POST /invitations': {
    email,
    roleIds: ['support-role'],
    name: 'Ada Example',
    language: 'en',
    lifetimeSeconds: 604_800,
  },
  'POST /applications': example.applicationCreation,
  'PATCH /applications/{id}': {
    customClientMetadata: {
      refreshTokenTtl: 1_209_600,
      refreshTokenMaxTtl: 7_776_000,
      initiateLoginUri: 'https://shop.example.com/login',
    },
    claims: example.claims,
    isAdmin: false,
  },
  'POST /applications/{id}/secret': { previousSecretTtl: 86_400 },
  'POST /applications/{id}/claims/preview': { userId: ids.user, claims: example.claims },
  'PATCH /configs/admin-console': { applicationCreated: true },
  'PUT /configs/code': {
    sections: example.managedByCode.sections,
    fingerprint: example.managedByCode.fingerprint,
  },
  'PATCH /configs/settings': {
    accountExistence: 'hidden',
    storageProvider: { ...example.settings.storageProvider, accessSecretKey: 'the secret of that key' },
  },
  'POST /configs/signing-keys/rotate': { immediately: false },
  'POST /connectors': { connectorId: 'simple-mail-transfer-protocol', config: smtp },
  'PATCH /connectors/{id}': { config: { ...smtp, port: 465, secure: true } },
  'POST /connectors/{factoryId}/test': { email, config: smtp },
  'POST /connectors/{factoryId}/message-preview': {
    usageType: 'SignIn',
    language: 'en',
    template: example.messageTemplate,
  },
  'POST /connectors/{id}/check': {},
  'POST /connector-factories/{id}/check': { config: smtp },
  'PUT /custom-phrases/{tag}': example.customPhrases.translation,
  'POST /hooks': {
    events: ['User.Created', 'User.Updated'],
    config: { url: 'https://shop.example.com/hooks', headers: { 'x-key': 'a shared key' }, retries: 3 },
  },
  'PATCH /hooks/{id}': { config: { retries: 0 } },
  'POST /hooks/{id}/test': { event: 'User.Updated' },
  'POST /registration-tokens': { name: 'Agents of Acme', uses: 5, lifetimeSeconds: 86_400 },
  'POST /resources': { name: 'Orders', indicator: 'https://api.example.com/orders', accessTokenTtl: 3600 },
  'POST /me/passkeys': passkeys.attestation,
  'PATCH /me/passkeys/{id}': { name: 'My phone' },
  'PATCH /resources/{id}': { accessTokenTtl: 600, claims: example.claims },
  'POST /resources/{id}/claims/preview': { userId: ids.user },
  'POST /resources/{id}/scopes': { name: 'read:orders', description: 'See orders' },
  'PATCH /resources/{id}/scopes/{scopeId}': { name: 'read:orders', description: 'See all orders' },
  'POST /roles': { name: 'Clerk', description: 'Handles orders', scopeIds: [] },
  'PATCH /roles/{id}': { description: 'Handles orders and returns', secondFactorPolicy: 'required' },
  'POST /roles/{id}/applications': { applicationIds: [ids.application] },
  'POST /roles/{id}/scopes': { scopeIds: [ids.scope] },
  'POST /roles/{id}/users': { userIds: [ids.user] },
  'POST /services/send-email': message,
  'POST /services/send-sms': { data: { ...message.data, to: '4915112345678' } },
  'PATCH /sign-in-exp': {
    color: { primaryColor: '#0a6e5c', isDarkModeEnabled: true, darkPrimaryColor: '#3fbfa5' },
    languageInfo: { autoDetect: true, fallbackLanguage: 'en' },
  },
  'POST /tenants': { id: 'acme' },
  'POST /users': { username: 'ann', primaryEmail: email, password },
  'PATCH /users/{id}': { name: 'Ann Example', primaryPhone: null },
  'PATCH /users/{id}/custom-data': { customData: { customerNumber: 4711 } },
  'PATCH /users/{id}/is-suspended': { isSuspended: true },
  'PATCH /users/{id}/password': { password: newPassword },
  'POST /users/bulk': { operation: 'suspend', userIds: [ids.user] },
  'POST /users/import': {
    users: [
      { id: 'old4711', username: 'ann', primaryEmail: email, roleNames: ['Clerk'] },
      {
        username: 'cleo',
        totpSecret: 'JBSWY3DPEHPK3PXP',
        passkeys: [passkeys.importedPasskey],
      },
      { username: 'ben', passwordDigest: '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy' },
    ],
  },
  'POST /users/{id}/roles': { roleIds: [ids.role] },
  'PUT /users/{id}/roles': { roleIds: [] },
  'POST /verification-codes': { email },
  'POST /verification-codes/verify': { email, verificationCode },
}

/** The examples of path parameters, by the path segment that precedes the parameter. */
export const parameterExamples: Record<string, string> = {
  'applications/{applicationId}': ids.application,
  'applications/{id}': ids.application,
  'accounts/{id}': 'k7Jd2mQx9LpR4sTvWy8Zb',
  'connector-factories/{id}': example.connectorFactory.id,
  'connectors/{factoryId}': 'simple-mail-transfer-protocol',
  'connectors/{id}': ids.connector,
  'consents/{applicationId}': ids.application,
  'custom-phrases/{tag}': 'fr-CA',
  'deliveries/{deliveryId}': ids.delivery,
  'hooks/{id}': ids.hook,
  'identities/{target}': 'google',
  'logs/{id}': ids.log,
  'passkeys/{id}': ids.passkey,
  'passkeys/{passkeyId}': ids.passkey,
  'invitations/{id}': ids.invitation,
  'registration-tokens/{id}': ids.registrationToken,
  'resources/{id}': ids.resource,
  'roles/{id}': ids.role,
  'roles/{roleId}': ids.role,
  'scopes/{scopeId}': ids.scope,
  'sessions/{id}': ids.session,
  'sign-in-tests/{testId}': example.signInTest.testId,
  'trusted-browsers/{id}': ids.trustedBrowser,
  'trusted-browsers/{browserId}': ids.trustedBrowser,
  'sessions/{sessionId}': ids.session,
  'tenants/{id}': 'acme',
  'users/{id}': ids.user,
  'users/{userId}': ids.user,
}
