import { useT } from '../context/boot.tsx'
import { identifierNames } from '../journeys/identifier-names.ts'
import { EnvelopeIcon, PhoneIcon } from '../ui/icons.tsx'
import { withLink } from '../ui/rich-text.tsx'
import { findMailbox } from './mailboxes.ts'

/** The parts of a page that asks for a code that was sent to an address (spec/pages#verification-code). */

type AddressType = 'email' | 'phone'

/** The title and the icon of the page, by the type of the address. */
export const sentCodePages = {
  email: { title: 'vestibule.check_email', icon: <EnvelopeIcon /> },
  phone: { title: 'vestibule.check_phone', icon: <PhoneIcon /> },
} as const

/** Says where the code was sent. The address has its own text direction. */
export function SentTo({ type, target }: { type: AddressType; target: string }) {
  const t = useT()
  const sentence = t('description.enter_passcode', {
    address: t(identifierNames[type]),
    target: '<link></link>',
  })
  return withLink(sentence, <bdi className="code-address">{target}</bdi>)
}

/**
 * Helps users find the message: names the spam folder, and links to the website of a well-known provider. `address` is
 * the user's full email address.
 */
export function MailboxHelp({ address }: { address: string }) {
  const t = useT()
  const mailbox = findMailbox(address)
  return (
    <p className="aside">
      {t('vestibule.check_spam')}{' '}
      {mailbox && (
        <a className="link" href={mailbox.url} target="_blank" rel="noopener">
          {t('vestibule.open_mailbox', { provider: mailbox.name })}
          <span className="visually-hidden"> {t('vestibule.opens_new_tab')}</span>
        </a>
      )}
    </p>
  )
}
