import { PASSWORD } from '../kit/clients/cookie-client.ts'

type Bodies = readonly (object | undefined)[]
type Row = {
  /** The bodies that could grant access or reveal a credential and therefore require a recent sign-in. */
  needs?: Bodies
  /** The bodies that only end access or change presentation and therefore require no recent sign-in. */
  free?: Bodies
}

const NO_BODY = [undefined]
const usernameMethod = {
  identifier: 'username',
  password: true,
  verificationCode: false,
  isPasswordPrimary: true,
}

/**
 * The table in spec/management#operator-proof as data: every call that writes, with the bodies that require a recent
 * sign-in. Calls that require one only to remove a policy are listed as free, and `management.test.ts` tests them
 * separately.
 */
export const operatorProofs: Readonly<Record<string, Row>> = {
  'POST /administrator-invitations': { needs: [{ roleId: 'admin-role' }] },

  'POST /applications': { needs: [{ name: 'Robot', type: 'MachineToMachine' }] },
  'PATCH /applications/{id}': {
    needs: [{ isAdmin: true }, { oidcClientMetadata: {} }, { secret: 'x'.repeat(21) }, { claims: null }],
    free: [{ name: 'Another', description: null }],
  },
  'POST /applications/{id}/secret': { needs: NO_BODY },
  'DELETE /applications/{id}/previous-secret': { free: [undefined] },
  'POST /applications/{id}/claims/preview': { free: [{ userId: 'none' }] },
  'DELETE /applications/{id}': { free: NO_BODY },

  'PATCH /configs/admin-console': { free: [{ applicationCreated: true }] },
  'PUT /configs/code': { free: [{}] },
  'DELETE /configs/code': { free: NO_BODY },
  'PATCH /configs/settings': {
    needs: [
      { limits: {} },
      { passwordPolicy: { rules: 'CharacterClasses', haveIBeenPwned: false } },
      { passkeys: { enabled: false, rpId: null, manageUrl: null } },
      { secondFactor: { policy: 'off' } },
      { accountExistence: 'friendly' },
      { previewOrigins: [] },
      { imageOrigins: [] },
      { sessionNotFoundRedirectUrl: null },
      { changePasswordUrl: null },
      { accountCentre: { enabled: false } },
      { allowPrivateTargets: false },
      { unregisteredClients: { enabled: false } },
      { clientRegistration: { enabled: false } },
    ],
    free: [{ smsCountries: [], storageProvider: null, demoSocial: [] }],
  },
  'POST /configs/signing-keys/rotate': { needs: [{}] },

  'POST /connectors': { needs: [{ connectorId: 'none', config: {} }] },
  'PATCH /connectors/{id}': { needs: [{ config: {} }] },
  'DELETE /connectors/{id}': { free: NO_BODY },
  'POST /connectors/{factoryId}/test': { free: [{ email: 'ann@example.com', config: {} }] },
  'POST /connectors/{factoryId}/message-preview': { free: [{ usageType: 'SignIn', language: 'en' }] },
  'POST /connectors/{id}/check': { free: [{}] },
  'POST /connector-factories/{id}/check': { free: [{ config: {} }] },
  'POST /connectors/{id}/sign-in-tests': { free: NO_BODY },

  // Creating an API or a scope gives nobody access.
  'POST /resources': {
    needs: [{ name: 'Stock', indicator: 'https://stock.example/', claims: { plan: 'gold' } }],
    free: [{ name: 'Orders', indicator: 'https://orders.example/' }],
  },
  'POST /resources/{id}/claims/preview': { free: [{ userId: 'none' }] },
  'PATCH /resources/{id}': {
    needs: [{ accessTokenTtl: 7200 }, { indicator: 'https://bank.example/' }, { claims: { plan: 'gold' } }],
    free: [{ name: 'Orders' }],
  },
  'DELETE /resources/{id}': { free: NO_BODY },
  'POST /resources/{id}/scopes': { free: [{ name: 'read:orders', description: 'Read' }] },
  'PATCH /resources/{id}/scopes/{scopeId}': { needs: [{ name: 'write:orders', description: 'Read' }] },
  'DELETE /resources/{id}/scopes/{scopeId}': { free: NO_BODY },

  'PATCH /sign-in-exp': {
    needs: [
      { signIn: { methods: [usernameMethod] } },
      { signUp: { identifiers: ['username'], password: true, verify: false } },
      { signInMode: 'SignInAndRegister' },
      { socialSignInConnectorTargets: [] },
      { customCss: null },
      { customContent: {} },
    ],
    free: [{ branding: {}, agreeToTermsPolicy: 'Automatic' }],
  },
  'PUT /custom-phrases/{tag}': { free: [{}] },
  'DELETE /custom-phrases/{tag}': { free: NO_BODY },
  'POST /user-assets': { free: NO_BODY },

  'POST /users': { needs: [{ username: 'newcomer_of_operator', password: PASSWORD }] },
  'PATCH /users/{id}': {
    needs: [
      { primaryEmail: 'thief@operator.example' },
      { primaryPhone: '12025550134' },
      { username: 'thief_of_operator' },
      { emailVerified: true },
    ],
    free: [{ name: 'No credential' }],
  },
  'DELETE /users/{id}': { free: NO_BODY },
  'DELETE /users/{id}/deletion': { free: NO_BODY },
  'PATCH /users/{id}/custom-data': { free: [{ customData: {} }] },
  'PATCH /users/{id}/password': { needs: [{ password: `${PASSWORD}-given` }] },
  'PATCH /users/{id}/is-suspended': { needs: [{ isSuspended: false }], free: [{ isSuspended: true }] },
  'DELETE /users/{id}/identities/{target}': { needs: NO_BODY },
  'POST /users/{id}/roles': { needs: [{ roleIds: ['none'] }] },
  'PUT /users/{id}/roles': { needs: [{ roleIds: ['none'] }] },
  'DELETE /users/{id}/roles/{roleId}': { free: NO_BODY },
  'DELETE /users/{id}/consents/{applicationId}': { free: NO_BODY },
  'DELETE /users/{id}/factors': { needs: NO_BODY },
  'DELETE /users/{id}/passkeys/{passkeyId}': { needs: NO_BODY },
  'DELETE /users/{id}/trusted-browsers/{browserId}': { free: NO_BODY },
  'DELETE /users/{id}/sessions': { free: NO_BODY },
  'DELETE /users/{id}/sessions/{sessionId}': { free: NO_BODY },
  'POST /users/bulk': {
    needs: [
      { operation: 'reinstate', userIds: ['none'] },
      { operation: 'assignRole', userIds: ['none'], roleId: 'none' },
    ],
    free: [
      { operation: 'suspend', userIds: ['none'] },
      { operation: 'delete', userIds: ['none'] },
    ],
  },
  'POST /users/import': { needs: [{ users: [{ username: 'imported_of_operator' }] }] },

  'POST /roles': { needs: [{ name: 'Role of operator', description: 'Perhaps a default role' }] },
  'PATCH /roles/{id}': {
    needs: [{ name: 'Another role of operator' }, { secondFactorPolicy: 'required' }, { rememberDays: 0 }],
    free: [{ description: 'Another' }],
  },
  'DELETE /roles/{id}': { free: NO_BODY },
  'POST /roles/{id}/users': { needs: [{ userIds: ['none'] }] },
  'DELETE /roles/{id}/users/{userId}': { free: NO_BODY },
  'POST /roles/{id}/applications': { needs: [{ applicationIds: ['none'] }] },
  'DELETE /roles/{id}/applications/{applicationId}': { free: NO_BODY },
  'POST /roles/{id}/scopes': { needs: [{ scopeIds: ['none'] }] },
  'DELETE /roles/{id}/scopes/{scopeId}': { free: NO_BODY },

  'POST /organizations': {
    needs: [
      { name: 'Acme', ownerId: 'none' },
      { name: 'Acme', policy: {} },
    ],
    free: [{ name: 'Acme' }],
  },
  'PATCH /organizations/{id}': {
    needs: [{ policy: {} }],
    free: [{ name: 'Acme', description: null, customData: {}, brand: {} }],
  },
  'DELETE /organizations/{id}': { free: NO_BODY },
  'POST /organizations/{id}/users': { needs: [{ userIds: ['none'] }] },
  'DELETE /organizations/{id}/users/{userId}': { free: NO_BODY },
  'PUT /organizations/{id}/users/{userId}/roles': { needs: [{ roleIds: ['none'] }] },
  'POST /organizations/{id}/domains': { needs: [{ domain: 'acme.com' }] },
  'PATCH /organizations/{id}/domains/{domain}': { needs: [{ join: 'off' }] },
  'POST /organizations/{id}/domains/{domain}/verification': { needs: NO_BODY },
  'DELETE /organizations/{id}/domains/{domain}': { free: NO_BODY },
  'POST /organizations/{id}/invitations': { needs: [{ email: 'ann@example.com' }] },
  'POST /organizations/{id}/invitations/{invitationId}/send': { needs: NO_BODY },
  'DELETE /organizations/{id}/invitations/{invitationId}': { free: NO_BODY },
  'POST /organizations/{id}/applications': { needs: [{ applicationIds: ['none'] }] },
  'DELETE /organizations/{id}/applications/{applicationId}': { free: NO_BODY },
  'PUT /organizations/{id}/applications/{applicationId}/roles': { needs: [{ roleIds: ['none'] }] },
  'POST /organization-roles': { needs: [{ name: 'Role of operator' }] },
  'PATCH /organization-roles/{id}': {
    needs: [{ permissions: ['members:manage'] }],
    free: [{ name: 'Another role of operator', description: 'Another' }],
  },
  'DELETE /organization-roles/{id}': { free: NO_BODY },
  'POST /organization-roles/{id}/scopes': { needs: [{ scopeIds: ['none'] }] },
  'DELETE /organization-roles/{id}/scopes/{scopeId}': { free: NO_BODY },
  'POST /organization-roles/{id}/resource-scopes': { needs: [{ scopeIds: ['none'] }] },
  'DELETE /organization-roles/{id}/resource-scopes/{scopeId}': { free: NO_BODY },
  'POST /organization-scopes': { free: [{ name: 'read:team' }] },
  'PATCH /organization-scopes/{id}': {
    needs: [{ name: 'write:team' }],
    free: [{ description: 'Another' }],
  },
  'DELETE /organization-scopes/{id}': { free: NO_BODY },

  'POST /registration-tokens': { needs: [{ name: 'Agents' }] },
  'DELETE /registration-tokens/{id}': { free: NO_BODY },

  'POST /invitations': { needs: [{ email: 'ann@example.com' }] },
  'POST /invitations/{id}/resend': { needs: NO_BODY },
  'DELETE /invitations/{id}': { free: NO_BODY },

  'POST /hooks': { free: [{ event: 'PostSignIn', config: { url: 'https://shop.example/hooks' } }] },
  'PATCH /hooks/{id}': { free: [{ event: 'PostRegister' }] },
  'DELETE /hooks/{id}': { free: NO_BODY },
  'POST /hooks/{id}/secret': { free: NO_BODY },
  'POST /hooks/{id}/test': { free: NO_BODY },
  'POST /hooks/{id}/deliveries/{deliveryId}/resend': { free: NO_BODY },

  'POST /verification-codes': { free: [{ email: 'ann@example.com' }] },
  'POST /verification-codes/verify': { free: [{ email: 'ann@example.com', verificationCode: '000000' }] },
}
