/** The parts of connectors that the database, the management API and a console's forms know. */

export type MessageConnectorType = 'Email' | 'Sms'
export type ConnectorType = MessageConnectorType | 'Social'

/** What can be installed to send messages, by factory id (spec/connectors#message-connectors). */
export const messageConnectorTypes = {
  'simple-mail-transfer-protocol': 'Email',
  'sendgrid-email-service': 'Email',
  'mailgun-email': 'Email',
  'postmark-email': 'Email',
  'resend-email': 'Email',
  'aws-ses-mail': 'Email',
  'aliyun-direct-mail': 'Email',
  'cloudflare-send-email': 'Email',
  'http-email': 'Email',
  'twilio-short-message-service': 'Sms',
  'aliyun-short-message-service': 'Sms',
  'tencent-short-message-service': 'Sms',
  'http-sms': 'Sms',
} as const satisfies Record<string, MessageConnectorType>

export type MessageFactoryId = keyof typeof messageConnectorTypes

/** The factories of one type. */
export const messageFactoryIds = (type: MessageConnectorType): MessageFactoryId[] =>
  Object.entries(messageConnectorTypes).flatMap(([id, of]) => (of === type ? [id as MessageFactoryId] : []))

/** The id of an installed connector, as a pattern for a whole text. It is part of addresses and of the names of cookies. */
export const CONNECTOR_ID = '[\\w-]{1,128}'

/** Takes the messages in development where no connector is installed (spec/management#development-inbox). It cannot be installed. */
export const DEV_INBOX = 'dev-inbox'

/** What a connector can fail with; answered as `connector.{code}` (spec/connectors#connector-errors). */
const connectorFailureCodes = [
  'general',
  'invalid_metadata',
  'unexpected_type',
  'invalid_config_guard',
  'invalid_request_parameters',
  'insufficient_request_parameters',
  'invalid_config',
  'invalid_response',
  'template_not_found',
  'not_implemented',
  'social_auth_code_invalid',
  'social_invalid_access_token',
  'social_invalid_id_token',
  'authorization_failed',
] as const
export type ConnectorFailureCode = (typeof connectorFailureCodes)[number]

/** What a provider says of credentials (spec/connectors#credential-check). */
export const checkOutcomes = ['accepted', 'refused', 'unclear', 'unreachable', 'unsupported'] as const
export type CredentialCheck = { outcome: (typeof checkOutcomes)[number]; reason: string | null }

/** Why a message is sent: the event of an interaction, or a call of an operator (spec/connectors#message-templates). */
export const messageTypes = ['SignIn', 'Register', 'ForgotPassword', 'Generic', 'Test'] as const
export type MessageType = (typeof messageTypes)[number]

/** Messages without a code, which tell the user what happened to the account (spec/accounts#notices). */
export const noticeTypes = [
  'PasswordReset',
  'PasswordChanged',
  'PasskeyAdded',
  'PasskeyRemoved',
  'FactorsChanged',
  'IdentitiesChanged',
  'EmailChanged',
  'PhoneChanged',
  'ProfileChanged',
  'SessionsEnded',
  'ConsentWithdrawn',
  'BrowsersForgotten',
  'PasskeyRenamed',
  'DeletionRequested',
  'DeletionCanceled',
] as const
export type NoticeType = (typeof noticeTypes)[number]

export const formItemTypes = ['Text', 'Number', 'MultilineText', 'Switch', 'Select', 'Json'] as const

/** One field of a connector's configuration, as a console draws it (spec/connectors#form-items). */
export type FormItem = {
  key: string
  label: string
  type: (typeof formItemTypes)[number]
  required?: boolean
  defaultValue?: unknown
  /** With one `…`, which stands for what differs, it is how every value begins or ends (spec/connectors#form-items). */
  placeholder?: string
  description?: string
  tooltip?: string
  /** Only Select has them. */
  selectItems?: { value: string; title: string }[]
  /** Shown when each of these fields has the value. */
  showConditions?: { targetKey: string; expectValue: unknown }[]
  /** Never answered once it is stored (spec/connectors#connector-secrets). */
  isSecret?: boolean
}

/** Answered in place of a stored secret; sent back, it means the stored one (spec/connectors#connector-secrets). */
export const SECRET_PLACEHOLDER = '********'
