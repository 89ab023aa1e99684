import { z } from 'zod'
import { ConnectorFailure } from './failure.ts'
import {
  emailTemplatesItem,
  fromEmailItem,
  fromNameItem,
  Optional,
  Required,
  replyToItem,
  Templates,
} from './fields.ts'
import { messageConnector, rendered } from './message.ts'

/** The Worker's own `send_email` binding: https://developers.cloudflare.com/email-routing/email-workers/send-email-workers/ */
export const cloudflareEmail = messageConnector({
  factoryId: 'cloudflare-send-email',
  target: 'cloudflare-email',
  type: 'Email',
  name: { en: 'Cloudflare Email' },
  description: { en: 'E-mail through the send_email binding of this Worker, named SEND_EMAIL' },
  config: z.object({ fromEmail: Required, fromName: Optional, replyTo: Optional, templates: Templates }),
  formItems: [fromEmailItem, fromNameItem, replyToItem, emailTemplatesItem],
  async send({ fromEmail, fromName, replyTo }, message, { sendEmail, timeout }) {
    if (!sendEmail) {
      throw new ConnectorFailure('invalid_config', {
        data: { message: 'This deployment has no send_email binding named SEND_EMAIL.' },
      })
    }
    const { subject, text, html } = rendered(message)
    try {
      await inTime(
        timeout,
        sendEmail.send({
          from: fromName ? { name: fromName, email: fromEmail } : fromEmail,
          to: message.to,
          subject,
          ...(replyTo && { replyTo }),
          ...(text && { text }),
          ...(html && { html }),
        }),
      )
    } catch (error) {
      throw new ConnectorFailure('general', { detail: String(error) })
    }
  },
})

/** A binding takes no signal: it is left alone when it takes too long. */
async function inTime(timeout: number, sending: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), timeout)
  })
  try {
    await Promise.race([sending, late])
  } finally {
    clearTimeout(timer)
  }
}
