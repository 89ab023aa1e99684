import type { ComponentProps } from 'react'
import { contactUrl } from '../../src/domain/experience/contact-url.ts'
import { useBoot, useT } from '../context/boot.tsx'

/**
 * Links to the tenant's support contact (spec/experience#support-contact). Renders nothing if there is none. An email
 * begins with the text `mail`.
 */
export function SupportLink({ mail, children, ...link }: ComponentProps<'a'> & { mail?: string }) {
  const { supportContact } = useBoot().experience
  const t = useT()
  if (!supportContact) return null
  const url = contactUrl(supportContact)
  const isPage = url === supportContact
  const href = isPage || !mail ? url : `${url}?body=${encodeURIComponent(mail)}`
  return (
    <a {...link} href={href} target={isPage ? '_blank' : undefined} rel="noopener">
      {children ?? t('vestibule.contact_support')}
      {isPage && <span className="visually-hidden"> {t('vestibule.opens_new_tab')}</span>}
    </a>
  )
}

/**
 * An error message with a link to the support contact: the sentence that advises users of a suspended account to
 * contact support or, in other messages, a line of its own.
 */
export function MessageWithSupport({ message }: { message: string }) {
  const { supportContact } = useBoot().experience
  const t = useT()
  if (!supportContact) return message
  const advice = t('vestibule.suspended_help')
  const [fact, rest] = message.split(advice)
  return rest === undefined ? (
    <>
      {message}
      <br />
      <SupportLink />
    </>
  ) : (
    <>
      {fact}
      <SupportLink>{advice}</SupportLink>
      {rest}
    </>
  )
}
