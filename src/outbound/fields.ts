import { z } from 'zod'
import type { FormItem } from '../contract/connectors/connectors.ts'
import { usageTypes } from '../contract/connectors/message-types.ts'
import { parseEmailAddress } from '../contract/interactions/email-address.ts'
import { EmailAddress } from '../contract/interactions/identifiers.schema.ts'

/** The configuration fields that several connectors share, and how the console displays them. */

export const RequiredText = z.string().min(1)
/** Forms submit empty fields as empty strings. */
export const OptionalText = z
  .string()
  .optional()
  .transform((value) => value || undefined)

/** An optional email address, such as the operator's reply-to address. */
export const OptionalAddress = OptionalText.pipe(EmailAddress.optional())

/**
 * A sender with or without a name: `Example <no-reply@example.com>`. Used by providers without a separate name field.
 */
export const SenderAddress = z.string().transform((text, context) => {
  const [, name, address = text] = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(text) ?? []
  const email = parseEmailAddress(address)
  if (email !== null) return { email, name }
  context.addIssue({ code: 'custom', message: 'must be an address' })
  return z.NEVER
})

/** A web URL. Browsers or this server will open it, so `javascript:` URLs must be rejected. */
export const WebEndpoint = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })

/**
 * A URL that replaces the provider's own endpoint. It is validated when it is saved, before any user waits for a code.
 */
export const OptionalEndpoint = OptionalText.pipe(WebEndpoint.optional())

/** A template that replaces the built-in message text (spec/connectors#message-templates). */
export const MessageTemplate = z.object({
  usageType: z.enum(usageTypes),
  /** The language of the template. If absent, the template applies to all languages. */
  language: z.string().optional(),
  subject: z.string().optional(),
  content: z.string().min(1),
  contentType: z.enum(['text/plain', 'text/html']).optional(),
  /** SendGrid's name for `contentType`. */
  type: z.enum(['text/plain', 'text/html']).optional(),
})
export type MessageTemplate = z.infer<typeof MessageTemplate>

export const MessageTemplates = z.array(MessageTemplate).default([])

/**
 * Returns the schema for a list of templates that are stored with the provider. There is one template for each message
 * type.
 */
export const providerTemplatesSchema = <T extends z.ZodRawShape>(fields: T) =>
  z.array(z.object({ usageType: z.enum(usageTypes), ...fields }))

export const secretItem = (key: string, label: string, placeholder?: string): FormItem => ({
  ...requiredItem(key, label, placeholder),
  isSecret: true,
})
export const requiredItem = (key: string, label: string, placeholder?: string): FormItem => ({
  key,
  label,
  type: 'Text',
  required: true,
  ...(placeholder && { placeholder }),
})
export const optionalItem = (key: string, label: string, placeholder?: string): FormItem => ({
  key,
  label,
  type: 'Text',
  ...(placeholder && { placeholder }),
})

/** Returns a form item for choosing one of several values. The first one is preselected. */
export const selectItem = (key: string, label: string, values: readonly [string, ...string[]]): FormItem => ({
  key,
  label,
  type: 'Select',
  defaultValue: values[0],
  selectItems: values.map((value) => ({ value, title: value })),
})

export const fromEmailItem = requiredItem('fromEmail', 'From address', 'no-reply@example.com')
const fromNameItem = optionalItem('fromName', 'From name', 'Example')
export const replyToItem = optionalItem('replyTo', 'Reply-To address', 'support@example.com')

/** The sender fields for email providers that accept the address and the name separately. */
export const senderFields = { fromEmail: EmailAddress, fromName: OptionalText, replyTo: OptionalAddress }
export const senderItems = [fromEmailItem, fromNameItem, replyToItem]

export const endpointItem: FormItem = {
  key: 'endpoint',
  label: 'Endpoint',
  type: 'Text',
  description: 'Only to reach the provider at another address',
  isAdvanced: true,
}

const example = { usageType: 'SignIn', language: 'en', content: 'Your code is {{code}}' }

export const emailTemplatesItem: FormItem = {
  key: 'templates',
  label: 'Templates',
  type: 'Json',
  defaultValue: [],
  placeholder: JSON.stringify([{ ...example, subject: 'Your code', contentType: 'text/plain' }]),
  description: 'Templates that replace the built-in texts: one for each type of message and language',
  format: 'messageTemplates',
}
export const smsTemplatesItem: FormItem = {
  ...emailTemplatesItem,
  placeholder: JSON.stringify([example]),
}

/** The fields that all email connectors with an HTTP API share. */
export const mailFields = { ...senderFields, templates: MessageTemplates, endpoint: OptionalEndpoint }
export const mailItems = [...senderItems, emailTemplatesItem, endpointItem]

export const providerTemplatesItem: FormItem = {
  key: 'templates',
  label: 'Templates',
  type: 'Json',
  required: true,
  placeholder: JSON.stringify([{ usageType: 'SignIn', templateCode: '1234' }]),
  description:
    'The templates approved by the provider: one each for SignIn, Register, ForgotPassword and Generic, ' +
    'and PasswordReset for notices',
}

/**
 * Formats a sender as `Name <address>` for providers with a JSON API. The name is quoted, because it may contain
 * commas.
 */
export const formatSender = ({ email, name }: { email: string; name?: string | undefined }) =>
  name ? `"${name.replaceAll(/["\\\r\n]/g, ' ')}" <${email}>` : email
