import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { pageBody } from '../browser/facts.ts'
import { useT } from '../context/boot.tsx'
import { CloseIcon } from '../ui/icons.tsx'
import '../styles/sheet.css'

export type TermsDialogProps = { href: string; name: string; onClose: () => void }

const CLOSING_MS = 300 // spec/limits#page-timings; the same as the duration in the styles of `.sheet`

/**
 * Shows one of the operator's legal documents over this page. Its frame is fully sandboxed, so it cannot affect this
 * page. Many sites do not allow framing, which a page cannot detect, so the dialog also has a link. The dialog is
 * rendered at the end of the document, because the links that open it are inside labels.
 */
export function TermsDialog({ href, name, onClose }: TermsDialogProps) {
  const t = useT()
  const dialog = useRef<HTMLDialogElement>(null)
  const [isLoading, setLoading] = useState(true)
  const [isClosing, setClosing] = useState(false)

  useEffect(() => dialog.current?.showModal(), [])

  useEffect(() => {
    if (!isClosing) return
    // The browser returns the focus to the link that opened the dialog.
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
        // React would bubble the event to the dialog that may contain the link.
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
