import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useT } from '../app/boot.tsx'
import { pageBody } from '../browser/facts.ts'
import { CloseIcon } from '../ui/icons.tsx'

export type TermsDialogProps = { href: string; name: string; onClose: () => void }

const CLOSING_MS = 300 // contract 10.6; `.sheet` in the styles leaves as long

/**
 * Somebody else's page over this one, which it can do nothing to: its sandbox has no exceptions. Many sites forbid being shown
 * like this, and no page can find out: hence the link. Outside of the page's own elements, for links stand in labels.
 */
export function TermsDialog({ href, name, onClose }: TermsDialogProps) {
  const t = useT()
  const dialog = useRef<HTMLDialogElement>(null)
  const [isLoading, setLoading] = useState(true)
  const [isClosing, setClosing] = useState(false)

  useEffect(() => dialog.current?.showModal(), [])

  useEffect(() => {
    if (!isClosing) return
    // The browser gives the focus back to the link.
    const timer = setTimeout(() => dialog.current?.close(), CLOSING_MS)
    return () => clearTimeout(timer)
  }, [isClosing])

  return createPortal(
    <dialog
      ref={dialog}
      className="sheet"
      aria-label={name}
      data-closing={isClosing || undefined}
      onCancel={(event) => {
        event.preventDefault()
        setClosing(true)
      }}
      onClose={(event) => {
        // React lets it rise to the question this may have been opened from.
        event.stopPropagation()
        onClose()
      }}
    >
      <header className="sheet-header">
        <h2>{name}</h2>
        <button
          type="button"
          className="icon-button"
          aria-label={t('vestibule.close')}
          onClick={() => setClosing(true)}
        >
          <CloseIcon />
        </button>
      </header>
      <div
        className="sheet-bar"
        role="progressbar"
        aria-label={t('vestibule.loading')}
        data-done={!isLoading || undefined}
      />
      <iframe
        className="sheet-page"
        src={href}
        title={name}
        sandbox=""
        onLoad={() => setLoading(false)}
        onError={() => setLoading(false)}
      />
      <a className="sheet-link link" href={href} target="_blank" rel="noopener">
        {t('vestibule.open_new_tab')}
      </a>
    </dialog>,
    pageBody(),
  )
}
