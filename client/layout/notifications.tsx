import { useState } from 'react'
import { findPhrase } from '../../src/domain/messages.ts'
import { useNotification } from '../browser/notification.ts'
import { useBoot, useCurrentPage, useInteractionPath, useT } from '../context/boot.tsx'

/**
 * Shows the previous page's flash message if JavaScript is off. Otherwise, the message has already been shown as a
 * toast.
 */
export function FlashMessage() {
  const { navigation } = useBoot()
  const t = useT()
  if (!navigation?.flash) return null
  return (
    <p className="notification" role="status">
      {t(`description.${navigation.flash}`)}
    </p>
  )
}

/**
 * Shows the phrase whose key is in the query (spec/pages#notification). Once closed, it stays hidden until the
 * next page load.
 */
export function Notification() {
  const { search, phrases } = useBoot()
  const t = useT()
  const { path } = useCurrentPage()
  const address = useInteractionPath()
  const key = useNotification(search)
  const [isClosed, setClosed] = useState(false)
  const text = key && findPhrase(phrases, key)
  if (!text || hasPlaceholders(text) || isClosed) return null
  return (
    <div className="notification" role="status">
      <p>{text}</p>
      <a
        className="link"
        href={address(path)}
        onClick={(event) => {
          event.preventDefault()
          setClosed(true)
        }}
      >
        {t('action.got_it')}
      </a>
    </div>
  )
}

/** A phrase with placeholders for values or links cannot be a notification. */
const hasPlaceholders = (text: string) => /\{\{|</.test(text)
