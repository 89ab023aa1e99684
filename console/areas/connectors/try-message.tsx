import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import type { MessageChoice } from '../../../src/contract/connectors/message-previews.schema.ts'
import { call } from '../../api/client.ts'
import { phrases, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import type { Factory } from './config.ts'
import { FailureText, readSendingFailure, type SendingFailure } from './failure.tsx'

const texts = phrases({
  en: {
    lead: 'Send a message with the code 000000. We use the settings on this page, even if you haven’t saved them.',
    chosenLead: 'Sends the message in the preview, even if you haven’t saved it.',
    email: 'Send to this address',
    phone: 'Send to this number',
    chosenEmail: 'Send this message to the address',
    chosenPhone: 'Send this message to the number',
    chosenSend: 'Send this message',
    phoneHint: 'With the country code, but without +, such as 4915112345678.',
    sent: 'The provider accepted the message to {to}.',
    notSent: 'The message wasn’t sent.',
  },
  de: {
    lead: 'Sendet eine Nachricht mit dem Code 000000 mit den Einstellungen auf dieser Seite, gespeichert oder nicht.',
    chosenLead: 'Sendet die Nachricht der Vorschau, gespeichert oder nicht.',
    email: 'An diese Adresse senden',
    phone: 'An diese Nummer senden',
    chosenEmail: 'Diese Nachricht an die Adresse senden',
    chosenPhone: 'Diese Nachricht an die Nummer senden',
    chosenSend: 'Diese Nachricht senden',
    phoneHint: 'Mit Ländervorwahl und ohne +, etwa 4915112345678.',
    sent: 'Der Anbieter hat die Nachricht an {to} angenommen.',
    notSent: 'Die Nachricht wurde nicht gesendet.',
  },
})

type TryMessageProps = {
  factory: Pick<Factory, 'id' | 'type'>
  /**
   * Calls the function with the configuration in the fields. Problems are shown next to the fields or in a
   * notification.
   */
  withConfig: <T>(work: (config: Record<string, unknown>) => Promise<T>) => Promise<T | null>
  /** The message to send. Without one, the connector is tested with any message. */
  choice?: z.infer<typeof MessageChoice>
}

/** Lets the administrator send a message to their own address through the provider. */
export function TryMessage({ factory, withConfig, choice }: TryMessageProps) {
  const t = useT(texts)
  const [to, setTo] = useState('')
  const [sentTo, setSentTo] = useState('')
  const [failure, setFailure] = useState<SendingFailure | null>(null)
  const client = useQueryClient()
  const isMail = factory.type === 'Email'
  const send = async () => {
    setSentTo('')
    setFailure(null)
    const sent = await withConfig(async (config) => {
      try {
        return await call(`/connectors/${factory.id}/test`, {
          method: 'POST',
          body: { config, [isMail ? 'email' : 'phone']: to.trim(), ...choice },
        })
      } catch (error) {
        const reason = readSendingFailure(error)
        if (!reason) throw error
        setFailure(reason)
        return null
      }
    })
    if (sent) setSentTo(to.trim())
    // The list of messages and the gallery show the result, too.
    void client.invalidateQueries({ queryKey: ['/messages'] })
  }
  const label = choice ? t(isMail ? 'chosenEmail' : 'chosenPhone') : t(isMail ? 'email' : 'phone')
  const content = (
    <>
      <TextField
        label={label}
        hint={isMail ? undefined : t('phoneHint')}
        type={isMail ? 'email' : 'tel'}
        value={to}
        onChange={setTo}
      />
      <div className="actions">
        <Button isDisabled={to.trim() === ''} onPress={send}>
          {t(choice ? 'chosenSend' : 'testMessage')}
        </Button>
        <span role="status">{sentTo && t('sent', { to: sentTo })}</span>
      </div>
      {failure && (
        <div className="alert" role="alert">
          <p>
            {t('notSent')} <FailureText failure={failure} />
          </p>
        </div>
      )}
    </>
  )
  if (!choice)
    return (
      <Card title={t('testIt')} lead={t('lead')}>
        {content}
      </Card>
    )
  return (
    <div className="config-fields">
      <p className="hint">{t('chosenLead')}</p>
      {content}
    </div>
  )
}
