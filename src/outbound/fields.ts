import { z } from 'zod'
import { type FormItem, messageTypes, noticeTypes } from '../contract/connectors/connectors.ts'
import { parseEmailAddress } from '../contract/interactions/email-address.ts'
import { EmailAddress } from '../contract/interactions/identifiers.schema.ts'

/** Fields that several connectors have, each with how a console draws it. */

export const RequiredText = z.string().min(1)
/** A form sends an empty field as an empty text. */
export const OptionalText = z
  .string()
  .optional()
  .transform((value) => value || undefined)

/** The same for an address of the operator. */
export const OptionalAddress = OptionalText.pipe(EmailAddress.optional())

/** `Example <no-reply@example.com>`, or the address alone: for providers without a field for the name. */
export const SenderAddress = z.string().transform((text, context) => {
  const [, name, address = text] = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(text) ?? []
  const email = parseEmailAddress(address)
  if (email !== null) return { email, name }
  context.addIssue({ code: 'custom', message: 'must be an address' })
  return z.NEVER
})

/** A browser or this server goes there: never `javascript:`. */
export const WebEndpoint = z.url({ protocol: /^https?$/, error: 'must be a URL of http or https' })

/** In place of the provider's own address. Refused when it is stored, not when a user waits for a code. */
export const OptionalEndpoint = OptionalText.pipe(WebEndpoint.optional())

/** In place of the built-in texts (spec/connectors#message-templates). */
export const MessageTemplate = z.object({
  usageType: z.enum([...messageTypes, ...noticeTypes]),
  /** Without it, for every language. */
  language: z.string().optional(),
  subject: z.string().optional(),
  content: z.string().min(1),
  contentType: z.enum(['text/plain', 'text/html']).optional(),
  /** SendGrid's name of the same. */
  type: z.enum(['text/plain', 'text/html']).optional(),
})
export type MessageTemplate = z.infer<typeof MessageTemplate>

export const MessageTemplates = z.array(MessageTemplate).default([])

/** The templates of a provider's own catalogue, by type of message. */
export const providerTemplates = <T extends z.ZodRawShape>(fields: T) =>
  z.array(z.object({ usageType: z.enum([...messageTypes, ...noticeTypes]), ...fields }))

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

/** A choice among values; the first is the usual one. */
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

/** From whom an e-mail comes, for providers that take an address and a name. */
export const senderFields = { fromEmail: EmailAddress, fromName: OptionalText, replyTo: OptionalAddress }
export const senderItems = [fromEmailItem, fromNameItem, replyToItem]

export const endpointItem: FormItem = {
  key: 'endpoint',
  label: 'Endpoint',
  type: 'Text',
  description: 'Only to reach the provider by another address',
}

const example = { usageType: 'SignIn', language: 'en', content: 'Your code is {{code}}' }

export const emailTemplatesItem: FormItem = {
  key: 'templates',
  label: 'Templates',
  type: 'Json',
  defaultValue: [],
  placeholder: JSON.stringify([{ ...example, subject: 'Your code', contentType: 'text/plain' }]),
  description:
    'Instead of the built-in texts: usageType is SignIn, Register, ForgotPassword or Generic; {{code}} stands for the code, {{brand}} for the name of the brand; language is optional',
}
export const smsTemplatesItem: FormItem = {
  ...emailTemplatesItem,
  placeholder: JSON.stringify([example]),
}

/** What every e-mail connector has that sends through the API of a provider. */
export const mailFields = { ...senderFields, templates: MessageTemplates, endpoint: OptionalEndpoint }
export const mailItems = [...senderItems, emailTemplatesItem, endpointItem]

export const providerTemplatesItem: FormItem = {
  key: 'templates',
  label: 'Templates',
  type: 'Json',
  required: true,
  placeholder: JSON.stringify([{ usageType: 'SignIn', templateCode: '1234' }]),
  description:
    'The templates approved by the provider, one each for SignIn, Register, ForgotPassword and Generic, and PasswordReset for notices',
}

/** `Name <address>` as JSON providers take it. The name is quoted: it may hold a comma. */
export const senderAddress = ({ email, name }: { email: string; name?: string | undefined }) =>
  name ? `"${name.replaceAll(/["\\\r\n]/g, ' ')}" <${email}>` : email
