import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { pageBody } from '../browser/facts.ts'
import { useT } from '../context/boot.tsx'
import { CloseIcon } from '../ui/icons.tsx'
import '../styles/sheet.css'

export type TermsDialogProps = { href: string; name: string; onClose: () => void }

const CLOSING_MS = 300 // spec/limits#page-timings; `.sheet` in the styles moves as long

/**
 * A page of the operator over this one. Its sandbox has no exceptions, so it cannot affect this page. Many sites refuse to be framed,
 * and a page cannot detect that: hence the link. At the end of the document, because links to it are inside labels.
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
        // React passes the event on to the dialog from which this one may have been opened.
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
