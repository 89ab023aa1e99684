import { z } from 'zod'
import { formItemTypes } from './connectors.ts'
import { LanguageTag } from './custom-phrases.schema.ts'
import { Email, Phone } from './identifiers.schema.ts'
import { clearable, text, WebAddress } from './text.schema.ts'
import { CustomData } from './users.schema.ts'

const Localized = z.record(z.string(), z.string())

/** What a console needs to draw a connector before it is installed (contract 8.2). */
export const ConnectorFactory = z.object({
  type: z.enum(['Email', 'Sms', 'Social']),
  id: z.string(),
  target: z.string(),
  platform: z.enum(['Web', 'Native', 'Universal']).nullable(),
  name: Localized,
  logo: z.string(),
  logoDark: z.string().nullable(),
  description: Localized,
  readme: z.string(),
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
    }),
  ),
  isDemo: z.boolean(),
})

const Metadata = z.object({
  target: z.string().optional(),
  name: Localized.optional(),
  logo: z.string().optional(),
  logoDark: z.string().nullable().optional(),
})

/** An installed connector: what its factory says, with what the operator has set. `id` is its own. */
export const Connector = ConnectorFactory.extend({
  tenantId: z.string(),
  connectorId: z.string(),
  syncProfile: z.boolean(),
  metadata: Metadata,
  config: z.record(z.string(), z.unknown()),
  createdAt: z.number(),
})

/** What the factory makes of it is the factory's to say: here it is an object that can be stored. */
const Config = CustomData

/** Product 5: tags are known codes, and English is always there to fall back to. */
const Names = z.record(LanguageTag, text(128)).refine((names) => names.en, 'has no en')

const GivenMetadata = z.object({
  target: text(128).min(1).optional(),
  name: Names.optional(),
  logo: WebAddress.optional(),
  logoDark: clearable(WebAddress).optional(),
})

/** POST /connectors. */
export const ConnectorCreation = z.object({
  connectorId: text(128),
  id: z
    .string()
    .regex(/^[\w-]{1,128}$/)
    .optional(),
  config: Config.optional(),
  metadata: GivenMetadata.optional(),
  syncProfile: z.boolean().optional(),
})

/** PATCH /connectors/{id}: what is given replaces what was there (contract 8.1). */
export const ConnectorPatch = z
  .object({ config: Config, metadata: GivenMetadata, syncProfile: z.boolean() })
  .partial()

/** POST /connectors/{factoryId}/test: at least one of the two addresses. */
export const ConnectorTest = z
  .object({ config: Config, phone: Phone.optional(), email: Email.optional() })
  .refine(
    ({ phone, email }) => phone !== undefined || email !== undefined,
    'names neither a phone nor an email',
  )
