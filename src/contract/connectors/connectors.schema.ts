import { z } from 'zod'
import { LanguageTag } from '../experience/custom-phrases.schema.ts'
import { EmailAddress, Phone } from '../interactions/identifiers.schema.ts'
import { clearableValue, storableText, WebAddress } from '../text.schema.ts'
import { CustomData } from '../users/users.schema.ts'
import { CONNECTOR_ID_PATTERN, checkOutcomes, formItemTypes } from './connectors.ts'
import { MessageChoice } from './message-previews.schema.ts'

const Localized = z.record(z.string(), z.string())

/** A kind of connector, with the form fields for its configuration (spec/connectors#form-items). */
export const ConnectorFactorySchema = z.object({
  type: z.enum(['Email', 'Sms', 'Social']),
  id: z.string(),
  target: z.string(),
  platform: z.enum(['Web', 'Native', 'Universal']).nullable(),
  name: Localized,
  logo: z.string(),
  logoDark: z.string().nullable(),
  description: Localized,
  readme: z.string(),
  /** The callback URL of the provider on this host. For a factory, it contains `{id}` instead of a connector id. */
  callbackUrl: z.string().nullable(),
  isStandard: z.boolean().optional(),
  formItems: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      type: z.enum(formItemTypes),
      required: z.boolean().optional(),
      defaultValue: z.unknown().optional(),
      placeholder: z.string().optional(),
      description: z.string().optional(),
      tooltip: z.string().optional(),
      selectItems: z.array(z.object({ value: z.string(), title: z.string() })).optional(),
      showConditions: z.array(z.object({ targetKey: z.string(), expectValue: z.unknown() })).optional(),
      isSecret: z.boolean().optional(),
      isAdvanced: z.boolean().optional(),
      format: z.literal('messageTemplates').optional(),
    }),
  ),
  /** True if the provider can be asked whether it accepts the credentials (spec/connectors#credential-check). */
  hasCheck: z.boolean(),
  isDemo: z.boolean(),
})

const Metadata = z.object({
  target: z.string().optional(),
  name: Localized.optional(),
  logo: z.string().optional(),
  logoDark: z.string().nullable().optional(),
})

/**
 * An installed connector: its factory's fields, overridden by the operator's values. Its `id` is that of the connector,
 * not of the factory.
 */
export const ConnectorSchema = ConnectorFactorySchema.extend({
  tenantId: z.string(),
  connectorId: z.string(),
  syncProfile: z.boolean(),
  metadata: Metadata,
  config: z.record(z.string(), z.unknown()),
  createdAt: z.number(),
})

/** Accepts any storable object. The connector's factory validates the contents. */
const Config = CustomData

/** Names by language tag. English is required as the fallback for all other languages. */
const Names = z.record(LanguageTag, storableText(128)).refine((names) => names.en, 'has no entry for en')

const MetadataInput = z.strictObject({
  target: storableText(128).min(1).optional(),
  name: Names.optional(),
  logo: WebAddress.optional(),
  logoDark: clearableValue(WebAddress).optional(),
})

/** The body of POST /connectors. */
export const ConnectorCreation = z
  .strictObject({
    connectorId: storableText(128),
    id: z
      .string()
      .regex(new RegExp(`^${CONNECTOR_ID_PATTERN}$`), 'must consist of 1 to 128 letters, digits, - or _')
      .optional(),
    config: Config.optional(),
    metadata: MetadataInput.optional(),
    syncProfile: z.boolean().optional(),
  })
  .meta({ id: 'ConnectorCreation' })

/** The body of PATCH /connectors/{id}. Each field that is present replaces the stored value as a whole. */
export const ConnectorPatch = z
  .strictObject({ config: Config, metadata: MetadataInput, syncProfile: z.boolean() })
  .partial()
  .meta({ id: 'ConnectorPatch' })

/**
 * The body of POST /connectors/{factoryId}/test. At least one recipient is required. Without a type, the message is of
 * the type `Generic`, and without a language, it is in that of the request.
 */
export const ConnectorTest = z
  .strictObject({
    config: Config,
    phone: Phone.optional(),
    email: EmailAddress.optional(),
    ...MessageChoice.partial().shape,
  })
  .refine(
    ({ phone, email }) => phone !== undefined || email !== undefined,
    'names neither a phone nor an email',
  )
  .meta({ id: 'ConnectorTest' })

/** The body of POST /connectors/{id}/check. Without a configuration, the stored one is checked. */
export const ConnectorCheck = z.strictObject({ config: Config.optional() }).meta({ id: 'ConnectorCheck' })

/** The body of POST /connector-factories/{id}/check. */
export const NewConnectorCheck = z.strictObject({ config: Config }).meta({ id: 'NewConnectorCheck' })

export const ConnectorCheckResult = z
  .object({
    outcome: z.enum(checkOutcomes),
    /** The reason as the provider reports it: a keyword or a status code. */
    reason: z.string().nullable(),
  })
  .meta({ id: 'ConnectorCheckResult' })
