import { z } from 'zod'
import { credentialsAccepted, credentialsRejected } from '../credential-check.ts'
import {
  emailTemplatesItem,
  fromEmailItem,
  MessageTemplates,
  OptionalAddress,
  OptionalText,
  replyToItem,
  requiredItem,
  SenderAddress,
} from '../fields.ts'
import { getEmailParts, type MessageContext, messageConnector, rejectPrivateTargets } from './message.ts'
import { checkLogin, LoginRejected, type SmtpServer, sendMail } from './smtp/conversation.ts'
import { composeMail } from './smtp/mime.ts'

const TIMEOUT_MAX = 25_000 // ms: work in `waitUntil` ends after 30 seconds (spec/connectors#smtp)

const requiredText = (message: string) => z.string(message).min(1, message)

const Config = z.object({
  host: z.string().regex(/^[\w.:-]+$/),
  port: z.coerce.number().int().min(1).max(65_535),
  secure: z.boolean().default(false),
  auth: z
    .object({
      type: z.literal('login').default('login'),
      user: requiredText('is required with a password'),
      pass: requiredText('is required with a user name'),
    })
    .optional(),
  fromEmail: SenderAddress,
  replyTo: OptionalAddress,
  templates: MessageTemplates,
  ignoreTLS: z.boolean().default(false),
  requireTLS: z.boolean().default(false),
  tls: z.object({ servername: OptionalText }).optional(),
  servername: OptionalText,
  name: z
    .string()
    .regex(/^[\w.:[\]-]+$/)
    .optional(),
  /** The time limit for the whole SMTP conversation, in milliseconds. */
  socketTimeout: z.number().int().positive().max(TIMEOUT_MAX).optional(),
})

/**
 * Sends email through any SMTP server, on any port except 25, which Workers cannot use. Port 465 uses TLS from the
 * start (`secure`); port 587 starts TLS with STARTTLS.
 */
export const smtp = messageConnector({
  factoryId: 'simple-mail-transfer-protocol',
  target: 'smtp',
  type: 'Email',
  name: { en: 'SMTP' },
  description: { en: 'Email through any SMTP server, with STARTTLS or implicit TLS' },
  config: Config,
  formItems: [
    requiredItem('host', 'Host', 'smtp.example.com'),
    { key: 'port', label: 'Port', type: 'Number', required: true, defaultValue: 587 },
    {
      key: 'secure',
      label: 'TLS from the start',
      type: 'Switch',
      defaultValue: false,
      description: 'As on port 465. Otherwise TLS begins with STARTTLS',
    },
    { key: 'auth.user', label: 'User name', type: 'Text', description: 'Empty if the server needs no login' },
    { key: 'auth.pass', label: 'Password', type: 'Text', isSecret: true },
    fromEmailItem,
    replyToItem,
    emailTemplatesItem,
    {
      key: 'requireTLS',
      label: 'Require TLS',
      type: 'Switch',
      defaultValue: false,
      description: 'Always required outside development',
      showConditions: [{ targetKey: 'secure', expectValue: false }],
      isAdvanced: true,
    },
    {
      key: 'ignoreTLS',
      label: 'Never use TLS',
      type: 'Switch',
      defaultValue: false,
      description: 'Only in development',
      showConditions: [{ targetKey: 'secure', expectValue: false }],
      isAdvanced: true,
    },
    {
      key: 'servername',
      label: 'Name on the certificate',
      type: 'Text',
      description: 'If it differs from the host',
      isAdvanced: true,
    },
    {
      key: 'name',
      label: 'Host name sent in EHLO',
      type: 'Text',
      description: 'The domain of the sender, if empty',
      isAdvanced: true,
    },
    {
      key: 'socketTimeout',
      label: 'Timeout in milliseconds',
      type: 'Number',
      defaultValue: 5_000,
      isAdvanced: true,
    },
  ],
  async send(config, message, context) {
    const { email, name } = config.fromEmail
    const data = composeMail({
      ...getEmailParts(message),
      from: { email, name: name || message.brand },
      to: message.to,
      replyTo: config.replyTo,
      date: new Date(context.now()),
      messageId: `${crypto.randomUUID()}@${domainOf(email)}`,
    })
    await sendMail(
      serverOf(config, context),
      { from: email, to: message.to, data },
      withTimeout(config, context),
    )
  },
  async check(config, context) {
    try {
      await checkLogin(serverOf(config, context), withTimeout(config, context))
      return credentialsAccepted
    } catch (error) {
      if (error instanceof LoginRejected) return credentialsRejected('the server refused the login')
      throw error
    }
  },
})

type Config = z.infer<typeof Config>

function serverOf(config: Config, context: MessageContext): SmtpServer {
  rejectPrivateTargets(config, context)
  return {
    host: config.host,
    port: config.port,
    secure: config.secure,
    servername: config.servername ?? config.tls?.servername,
    ignoreTls: config.ignoreTLS,
    requireTls: config.requireTLS,
    name: config.name ?? domainOf(config.fromEmail.email),
    auth: config.auth,
  }
}

const withTimeout = ({ socketTimeout }: Config, context: MessageContext): MessageContext => ({
  ...context,
  timeout: socketTimeout ?? context.timeout,
})

const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1)
