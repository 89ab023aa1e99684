/** The types and constants of connectors that the database, the management API and the console's forms share. */

export type MessageConnectorType = 'Email' | 'Sms'
export type ConnectorType = MessageConnectorType | 'Social'

/** The message connectors that can be installed, by factory id (spec/connectors#message-connectors). */
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

/** Returns the ids of all factories of one type. */
export const messageFactoryIds = (type: MessageConnectorType): MessageFactoryId[] =>
  Object.entries(messageConnectorTypes).flatMap(([id, factoryType]) =>
    factoryType === type ? [id as MessageFactoryId] : [],
  )

/** A pattern for the id of an installed connector. The id becomes part of URLs and cookie names. */
export const CONNECTOR_ID_PATTERN = '[\\w-]{1,128}'

/**
 * The connector that collects messages in development if no message connector is installed
 * (spec/management#development-inbox). Operators cannot install it.
 */
export const DEV_INBOX = 'dev-inbox'

/** The ways in which a connector can fail, reported as `connector.{code}` (spec/connectors#connector-errors). */
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

/**
 * Why a provider did not accept a message, as far as the connector can tell (spec/connectors#failure-reasons). Only
 * operators learn the reason.
 */
export const failureReasons = [
  'unreachable',
  'timeout',
  'certificate',
  'encryption',
  'login',
  'credentials',
  'sender',
  'recipient',
  'message',
  'busy',
  'unreadable',
] as const
export type FailureReason = (typeof failureReasons)[number]

/** The possible results of checking credentials with a provider (spec/connectors#credential-check). */
export const checkOutcomes = ['accepted', 'refused', 'unclear', 'unreachable', 'unsupported'] as const
export type CredentialCheck = { outcome: (typeof checkOutcomes)[number]; reason: string | null }

/**
 * The facts that a notice states about the request that caused it and about the change. The user agent, city, country
 * and time zone are absent if unknown, or if an operator made the change.
 */
export type NoticeFacts = {
  userAgent?: string | undefined
  city?: string | undefined
  /** The upper-case ISO 3166-1 code. */
  country?: string | undefined
  /** The name of the time zone of the IP address (IANA). */
  timeZone?: string | undefined
  /** The masked address that was replaced or removed, and the one that replaced it. */
  previous?: string | undefined
  current?: string | undefined
}

export const formItemTypes = ['Text', 'Number', 'MultilineText', 'Switch', 'Select', 'Json'] as const

/** One field of a connector's configuration, as a console renders it (spec/connectors#form-items). */
export type FormItem = {
  /** The path of the value in the configuration: `auth.user` is the property `user` of the object `auth`. */
  key: string
  label: string
  type: (typeof formItemTypes)[number]
  required?: boolean
  defaultValue?: unknown
  /**
   * An example value. A single `…` stands for the variable part; every value has the same text before and after it
   * (spec/connectors#form-items).
   */
  placeholder?: string
  description?: string
  tooltip?: string
  /** Set only for the type `Select`. */
  selectItems?: { value: string; title: string }[]
  /** Shows the field only if each of these other fields has its expected value. */
  showConditions?: { targetKey: string; expectValue: unknown }[]
  /**
   * True if the value is a secret. Secrets are never returned once they are stored (spec/connectors#connector-secrets).
   */
  isSecret?: boolean
  /** True if most operators never change the field, so that a console may fold it away. */
  isAdvanced?: boolean
  /** The format of an item's JSON, if a console may offer an editor for it (spec/connectors#message-templates). */
  format?: 'messageTemplates'
}

/**
 * The API returns this placeholder instead of a stored secret. If a client sends it back, the stored secret is kept
 * (spec/connectors#connector-secrets).
 */
export const SECRET_PLACEHOLDER = '********'
