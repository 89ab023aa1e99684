import { z } from 'zod'
import { ConnectorFailure } from '../failure.ts'
import { emailTemplatesItem, MessageTemplates, senderFields, senderItems } from '../fields.ts'
import { isTimeout, withTimeLimit } from '../time-limit.ts'
import { getEmailParts, messageConnector } from './message.ts'

/**
 * Sends email through the Worker's `send_email` binding:
 * https://developers.cloudflare.com/email-routing/email-workers/send-email-workers/
 */
export const cloudflareEmail = messageConnector({
  factoryId: 'cloudflare-send-email',
  target: 'cloudflare-email',
  type: 'Email',
  name: { en: 'Cloudflare Email' },
  description: { en: 'Email through the send_email binding of this Worker, named SEND_EMAIL' },
  config: z.object({ ...senderFields, templates: MessageTemplates }),
  formItems: [...senderItems, emailTemplatesItem],
  async send({ fromEmail, fromName, replyTo }, message, { sendEmail, timeout }) {
    if (!sendEmail) {
      throw new ConnectorFailure('invalid_config', {
        data: { message: 'This deployment has no send_email binding named SEND_EMAIL.' },
      })
    }
    const { subject, text, html } = getEmailParts(message)
    const name = fromName ?? message.brand
    try {
      await withTimeLimit(
        timeout,
        sendEmail.send({
          from: name ? { name, email: fromEmail } : fromEmail,
          to: message.to,
          subject,
          ...(replyTo && { replyTo }),
          ...(text && { text }),
          ...(html && { html }),
        }),
      )
    } catch (error) {
      throw toSendingFailure(error)
    }
  },
})

/** The binding explains why it rejects a message, such as an address that is not verified. */
function toSendingFailure(error: unknown): ConnectorFailure {
  const detail = String(error)
  return isTimeout(error)
    ? new ConnectorFailure('general', { detail, reason: 'timeout' })
    : new ConnectorFailure('general', { detail, reason: 'message', answer: detail })
}
