/**
 * The fields that the audit log shows (spec/management#audit-fields). All other fields are masked entirely, so that a
 * secret in an unexpected field never reaches the log.
 */

import { isRecord } from '../contract/is-record.ts'
import type { UserField } from '../contract/users/user-fields.ts'

/**
 * With `true`, the field's strings, numbers and booleans are shown. A nested object also shows its named fields. The
 * same rules apply to every item of a list.
 */
type Fields = { readonly [name: string]: true | Fields }

const fieldsNamed = (...names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, true]))

const identifier = fieldsNamed('type', 'value', 'username', 'email', 'phone', 'connectorId')

const socialProfile = fieldsNamed('id', 'email', 'phone', 'name', 'avatar')

/** The fields that identify what an operator has changed (src/api/management). */
const subjects = fieldsNamed(
  ...[
    'applicationId',
    'applicationIds',
    'removedApplicationId',
    'asset',
    'changed',
    'configKey',
    'connectorId',
    'deliveryId',
    'domain',
  ],
  ...[
    'factoryId',
    'hookId',
    'immediately',
    'invitationId',
    'languageTag',
    'organizationId',
    'passkeyId',
    'removedRoleId',
    'removedScopeId',
    'registrationTokenId',
    'removedUserId',
  ],
  ...['organizationId', 'organizationRoleId', 'organizationScopeId', 'ownerId', 'memberId'],
  ...['resent', 'resourceId', 'roleId', 'roleIds', 'scopeId', 'scopeIds', 'sessionId', 'target', 'tenantId'],
  ...['trustedBrowserId', 'unregisteredClient', 'userId', 'userIds', 'withdraw', 'withdrawnApplicationId'],
)

/**
 * The parameters of RFC 6749, RFC 7636, RFC 8707, RFC 9449 and OpenID Connect Core that are neither credentials nor
 * values that protect a request.
 */
const parameters = fieldsNamed(
  ...[
    'acr_values',
    'client_id',
    'code_challenge_method',
    'display',
    'dpop_jkt',
    'grant_type',
    'interaction_mode',
    'login_hint',
  ],
  ...['max_age', 'post_logout_redirect_uri', 'prompt', 'redirect_uri', 'resource', 'response_mode'],
  ...['response_type', 'scope', 'ui_locales', 'audience', 'subject_token_type', 'requested_token_type'],
)

/** The fields of error data (src/contract/errors.ts). */
const errorData: Fields = {
  ...fieldsNamed(
    ...[
      'acrValues',
      'allow',
      'connectorId',
      'error_description',
      'factoryId',
      'id',
      'identifier',
      'key',
      'language',
    ],
    ...[
      'languageTag',
      'max',
      'maxAge',
      'missingProfile',
      'name',
      'names',
      'problem',
      'reason',
      'retryAfter',
      'roleId',
    ],
    ...[
      'backupCodesLeft',
      'factors',
      'mayRemember',
      'unusual',
      'field',
      'putOffsLeft',
      'supportedTypes',
      'type',
      'termsOfUseUrl',
      'privacyPolicyUrl',
    ],
  ),
  issues: fieldsNamed('code', 'message', 'path'),
}

/** The fields of a hook message (src/storage/hooks). */
const hookMessage: Fields = {
  ...fieldsNamed('createdAt', 'event', 'hookId', 'interactionEvent', 'sessionId', 'userAgent', 'userId'),
  ...fieldsNamed('sessionIds', 'trustedBrowserIds', 'withdrawnApplicationId'),
  organizationId: true,
  organization: fieldsNamed('createdAt', 'description', 'id', 'name'),
  added: fieldsNamed('roleIds', 'userId'),
  updated: fieldsNamed('roleIds', 'userId'),
  removed: fieldsNamed('userId'),
  application: fieldsNamed('description', 'id', 'isDynamicallyRegistered', 'name', 'type'),
  actor: fieldsNamed('id', 'type'),
  factor: fieldsNamed('kind'),
  roles: fieldsNamed('id', 'name'),
  unregisteredClient: fieldsNamed('id'),
  passkey: fieldsNamed(
    'aaguid',
    'createdAt',
    'id',
    'isBackedUp',
    'isBackupEligible',
    'lastUsedAt',
    'name',
    'rpId',
  ),
  user: fieldsNamed(
    ...([
      'applicationId',
      'avatar',
      'createdAt',
      'id',
      'isSuspended',
      'lastSignInAt',
      'name',
      'primaryEmail',
      'primaryPhone',
      'username',
    ] satisfies UserField[]),
  ),
}

const agreement = fieldsNamed('agreedAt', 'policy', 'termsOfUseUrl', 'privacyPolicyUrl')

const fields: Fields = {
  ...subjects,
  ...fieldsNamed(
    'city',
    'claims',
    'count',
    'country',
    'actors',
    'grantId',
    'interactionId',
    'subjectApplicationId',
    'ip',
    'key',
    'requestId',
    'result',
    'scope',
    'tokenTypes',
    'userAgent',
  ),
  ...fieldsNamed(
    'accountId',
    'addressChallenge',
    'afterReset',
    'breachCheck',
    'email',
    'event',
    'phone',
    'isTruncated',
  ),
  ...fieldsNamed(
    'isBrowserRemembered',
    'putsOffSecondFactor',
    'rememberedUntil',
    'remembersBrowser',
    'risks',
  ),
  ...fieldsNamed('removedAddress', 'removedFactors', 'removedPasskeys', 'unlinkedIdentities'),
  actor: fieldsNamed('clientId', 'id', 'level', 'signedInAt', 'type'),
  error: { ...fieldsNamed('code', 'message'), data: errorData },
  identifier,
  json: hookMessage,
  params: parameters,
  profile: fieldsNamed('username', 'email', 'phone', 'connectorId'),
  /** The claims of templates that were too large for the tokens of a request. */
  omittedClaims: fieldsNamed('names', 'size'),
  /** The resources that a consent covers. */
  resources: fieldsNamed('indicator', 'scope'),
  prompt: {
    ...fieldsNamed('name', 'reasons'),
    details: fieldsNamed('missingOIDCScope', 'missingOIDCClaims'),
  },
  termsAgreement: agreement,
  proofs: {
    ...fieldsNamed(
      'kind',
      'value',
      'userId',
      'provenAt',
      'connectorId',
      'credentialId',
      'isUserVerified',
      'isBackedUp',
    ),
    profile: socialProfile,
  },
  // A hook receiver can respond with anything, so only the fields that describe an error are shown (RFC 9457, RFC 6749
  // §5.2).
  response: {
    statusCode: true,
    body: fieldsNamed('detail', 'error', 'error_description', 'message', 'status', 'title', 'type'),
  },
}

/** The fields of a row, and those of its steps (spec/storage#log-steps). */
const rowFields: Fields = { ...fields, keys: true, steps: { ...fields, createdAt: true } }

const MASK = '******'

/** Masks a payload. The values of changed fields stay, because `describeChanges` has left out the secret ones. */
export function maskAuditPayload(payload: object): object {
  const { changes, ...others }: { changes?: unknown } = payload
  const masked = maskFields(others, rowFields) as object
  return changes === undefined ? masked : { ...masked, changes: isChanges(changes) ? changes : MASK }
}

const isChanges = (value: unknown): boolean =>
  isRecord(value) &&
  Object.values(value).every((change) => isRecord(change) && Object.keys(change).join() === 'before,after')

function maskFields(value: unknown, allowed: true | Fields): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => maskFields(item, allowed))
  if (allowed === true) return MASK
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const inside = Object.hasOwn(allowed, name) ? allowed[name] : undefined
      return [name, inside === undefined ? mask(item) : maskFields(item, inside)]
    }),
  )
}

/** Masks a value, but keeps undefined and null. */
const mask = (value: unknown) => (value === undefined || value === null ? value : MASK)
