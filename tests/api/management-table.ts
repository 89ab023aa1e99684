import type { ErrorCode } from '../../src/contract/errors.ts'

/**
 * spec/management as data: every call of the management API with the refusals of its own; those of every call
 * (spec/management#conventions) are not repeated. `P` is paged, `PO` paged on request.
 */
export type Row = readonly [call: string, paging: 'P' | 'PO' | '', ...refusals: ErrorCode[]]

const withId = 'entity.not_exists_with_id'
const notFound = 'entity.not_found'

export const managementTable: readonly Row[] = [
  ['GET /applications', 'P'],
  ['POST /applications', '', 'entity.id_in_use'],
  ['GET /applications/{id}', '', withId],
  ['PATCH /applications/{id}', '', withId],
  ['DELETE /applications/{id}', '', notFound],

  ['GET /configs/admin-console', ''],
  ['PATCH /configs/admin-console', ''],
  ['GET /configs/settings', ''],
  ['PATCH /configs/settings', ''],
  ['GET /configs/signing-keys', ''],
  ['POST /configs/signing-keys/rotate', '', 'request.changed_meanwhile'],
  ['GET /configs/doctor', ''],

  ['GET /connectors', ''],
  ['GET /connectors/{id}', '', notFound],
  [
    'POST /connectors',
    '',
    'connector.not_found_with_connector_id',
    'connector.multiple_instances_not_supported',
    'connector.multiple_target_with_same_platform',
    'connector.invalid_type_for_syncing_profile',
    'connector.should_specify_target',
    'connector.cannot_overwrite_metadata_for_non_standard_connector',
    'connector.invalid_config',
  ],
  [
    'PATCH /connectors/{id}',
    '',
    notFound,
    'connector.invalid_type_for_syncing_profile',
    'connector.can_not_modify_target',
    'connector.cannot_overwrite_metadata_for_non_standard_connector',
    'connector.invalid_config',
  ],
  ['DELETE /connectors/{id}', '', notFound],
  [
    'POST /connectors/{factoryId}/test',
    '',
    'connector.not_found',
    'connector.general',
    'connector.invalid_config',
    'connector.authorization_failed',
    'connector.not_implemented',
  ],
  ['GET /connector-factories', ''],
  ['GET /connector-factories/{id}', '', 'guard.invalid_input'],

  ['GET /resources', 'PO'],
  ['POST /resources', '', 'entity.id_in_use'],
  ['GET /resources/{id}', '', withId],
  ['PATCH /resources/{id}', '', withId, 'resource.internal_resource_violation'],
  ['DELETE /resources/{id}', '', notFound, 'resource.internal_resource_violation'],
  ['GET /resources/{id}/scopes', 'P', withId, 'request.invalid_input'],
  ['POST /resources/{id}/scopes', '', withId, 'scope.name_exists', 'scope.name_with_space'],
  [
    'PATCH /resources/{id}/scopes/{scopeId}',
    '',
    withId,
    'scope.name_exists',
    'scope.name_with_space',
    'resource.internal_resource_violation',
  ],
  ['DELETE /resources/{id}/scopes/{scopeId}', '', notFound, 'resource.internal_resource_violation'],

  ['GET /sign-in-exp', '', withId],
  [
    'PATCH /sign-in-exp',
    '',
    withId,
    'sign_in_experiences.enabled_connector_not_found',
    'sign_in_experiences.username_requires_password',
    'sign_in_experiences.passwordless_requires_verify',
    'sign_in_experiences.miss_sign_up_identifier_in_sign_in',
    'sign_in_experiences.password_sign_in_must_be_enabled',
    'sign_in_experiences.code_sign_in_must_be_enabled',
    'sign_in_experiences.at_least_one_authentication_factor',
    'sign_in_experiences.unsupported_default_language',
  ],

  ['GET /users', 'P', 'request.invalid_input', 'guard.invalid_pagination'],
  [
    'POST /users',
    '',
    'user.username_already_in_use',
    'user.email_already_in_use',
    'user.phone_already_in_use',
  ],
  ['GET /users/{id}', '', notFound],
  [
    'PATCH /users/{id}',
    '',
    notFound,
    'user.username_already_in_use',
    'user.email_already_in_use',
    'user.phone_already_in_use',
  ],
  ['DELETE /users/{id}', '', notFound, 'user.cannot_delete_self'],
  ['GET /users/{id}/custom-data', '', notFound],
  ['PATCH /users/{id}/custom-data', '', notFound],
  ['PATCH /users/{id}/password', '', notFound],
  ['PATCH /users/{id}/is-suspended', '', notFound],
  ['DELETE /users/{id}/identities/{target}', '', notFound],
  ['GET /users/{id}/roles', 'P', notFound],
  ['POST /users/{id}/roles', '', notFound, 'user.role_exists'],
  ['PUT /users/{id}/roles', '', notFound],
  ['DELETE /users/{id}/roles/{roleId}', '', notFound],
  ['GET /users/{id}/sessions', '', notFound],
  ['DELETE /users/{id}/sessions', '', notFound],
  ['DELETE /users/{id}/sessions/{sessionId}', '', notFound],
  ['POST /users/import', ''],
  ['GET /users/export', ''],

  ['GET /roles', 'P', 'request.invalid_input'],
  ['POST /roles', '', 'role.name_in_use', 'role.internal_role_violation', 'entity.id_in_use'],
  ['GET /roles/{id}', '', withId],
  ['PATCH /roles/{id}', '', withId, 'role.name_in_use', 'role.internal_role_violation', 'entity.not_exists'],
  ['DELETE /roles/{id}', '', notFound],
  ['GET /roles/{id}/users', 'P', withId],
  ['POST /roles/{id}/users', '', withId, 'role.user_exists'],
  ['DELETE /roles/{id}/users/{userId}', '', notFound],
  ['GET /roles/{id}/applications', 'P', withId],
  ['POST /roles/{id}/applications', '', withId],
  ['DELETE /roles/{id}/applications/{applicationId}', '', notFound],
  ['GET /roles/{id}/scopes', 'PO', withId],
  ['POST /roles/{id}/scopes', '', withId, 'role.scope_exists', 'role.internal_role_violation'],
  ['DELETE /roles/{id}/scopes/{scopeId}', '', notFound, 'role.internal_role_violation'],

  ['GET /logs', 'P'],
  ['GET /logs/{id}', '', withId],
  ['GET /dashboard/users/total', ''],
  ['GET /dashboard/users/new', ''],
  ['GET /dashboard/users/active', ''],

  ['GET /custom-phrases', ''],
  ['GET /custom-phrases/{tag}', '', notFound],
  ['PUT /custom-phrases/{tag}', '', 'localization.invalid_translation_structure'],
  ['DELETE /custom-phrases/{tag}', '', notFound, 'localization.cannot_delete_default_language'],

  ['GET /hooks', ''],
  ['POST /hooks', '', 'entity.id_in_use'],
  ['GET /hooks/{id}', '', withId],
  ['PATCH /hooks/{id}', '', withId],
  ['DELETE /hooks/{id}', '', notFound],
  ['POST /hooks/{id}/secret', '', withId],
  ['POST /hooks/{id}/test', '', withId],
  ['GET /hooks/{id}/deliveries', 'P', withId],
  ['POST /hooks/{id}/deliveries/{deliveryId}/resend', '', notFound],

  [
    'POST /verification-codes',
    '',
    'connector.not_found',
    'connector.general',
    'connector.authorization_failed',
    'connector.not_implemented',
  ],
  [
    'POST /verification-codes/verify',
    '',
    'verification_code.not_found',
    'verification_code.code_mismatch',
    'verification_code.expired',
    'verification_code.exceed_max_try',
  ],

  ['GET /user-assets/service-status', ''],
  [
    'POST /user-assets',
    '',
    'guard.file_size_exceeded',
    'guard.mime_type_not_allowed',
    'storage.not_configured',
    'storage.upload_error',
  ],
]

/** Calls with a resource and scopes of their own (spec/management#services, #tenants-api). */
export const serviceTable: readonly Row[] = [
  ['GET /tenants', 'P'],
  ['POST /tenants', '', 'entity.id_in_use', 'tenant.limit_reached'],
  ['POST /services/send-email', '', 'connector.not_found', 'connector.not_implemented'],
  ['POST /services/send-sms', '', 'connector.not_found', 'connector.not_implemented'],
]

/** The calls of a signed-in user (spec/management#account-api). */
export const accountTable: readonly Row[] = [
  ['GET /me', ''],
  ['PATCH /me', '', 'user.username_already_in_use'],
  ['GET /me/custom-data', ''],
  ['PATCH /me/custom-data', ''],
  ['GET /me/identities', ''],
  ['DELETE /me/identities/{target}', '', 'user.identity_not_exist'],
  ['GET /me/sessions', ''],
  ['DELETE /me/sessions/{id}', '', notFound],
  ['POST /me/password/verify', '', 'session.invalid_credentials', 'request.too_many_requests'],
  ['POST /me/password', '', 'session.verification_failed', 'user.same_password'],
  ['PUT /me/password', '', 'session.verification_failed', 'user.same_password'],
  ['POST /me/verification-codes', '', 'connector.not_found', 'request.too_many_requests'],
  ['POST /me/verification-codes/verify', '', 'verification_code.code_mismatch'],
]
