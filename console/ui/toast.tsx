import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { PressEvent } from 'react-aria-components'
import { useLocation } from 'wouter'
import { explainFailure } from '../api/explanation.ts'
import { useT } from '../phrases.ts'
import { Button } from './button.tsx'
import { useFocusReturn } from './focus.ts'
import { type Notify, NotifyContext } from './notify.ts'

export { useNotify } from './notify.ts'

type Toast = { kind: 'success' | 'failure'; text: string; undo?: (() => Promise<void>) | undefined }

export function Notifications({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast | null>(null)
  const t = useT()
  const explain = useExplain()
  useAutoDismiss(toast, setToast)
  const notify = useMemo<Notify>(
    () => ({
      success: (text, undo) => setToast({ kind: 'success', text, undo }),
      failure: (error) => setToast({ kind: 'failure', text: explain(error) }),
    }),
    [explain],
  )
  const place = useRef<HTMLDivElement>(null)
  const returnFocus = useFocusReturn(place)
  useFocusShortcut(place)
  const undo = async (event: PressEvent) => {
    await toast?.undo?.()
    notify.success(t('undone'))
    returnFocus(event)
  }
  const close = (event: PressEvent) => {
    setToast(null)
    returnFocus(event)
  }
  return (
    <NotifyContext value={notify}>
      {children}
      {/* An open dialog hides everything else from screen readers, except for elements with this attribute. */}
      <div ref={place} className="toasts" role="status" data-react-aria-top-layer="true">
        {toast && (
          <div className={`toast ${toast.kind}`}>
            <span>{toast.text}</span>
            {toast.undo && (
              <Button aria-keyshortcuts={KEY} onPress={undo}>
                {t('undo')}
              </Button>
            )}
            <Button kind="quiet" aria-label={t('close')} aria-keyshortcuts={KEY} onPress={close}>
              ×
            </Button>
          </div>
        )}
      </div>
    </NotifyContext>
  )
}

/** The key that moves between the panes of a window on most systems. */
const KEY = 'F6'

/**
 * When the key is pressed, focuses the first button of the notification. If there is no notification, the browser
 * handles the key.
 */
function useFocusShortcut(place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const button = event.key === KEY && place.current?.querySelector('button')
      if (!button || button === document.activeElement) return
      event.preventDefault()
      button.focus()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [place])
}

/** The time for which a confirmation is shown, in milliseconds: long enough to read a short sentence. */
const CONFIRMATION_MS = 6_000
/**
 * If a page opens within this many milliseconds after a notification has appeared, the notification belongs to that
 * page and is kept.
 */
const NAVIGATION_MS = 1_000

/**
 * Dismisses a confirmation after a while. A notification with a button remains until another page is opened.
 */
function useAutoDismiss(toast: Toast | null, setToast: (toast: null) => void): void {
  const [location] = useLocation()
  const since = useRef(0)
  useEffect(() => {
    since.current = Date.now()
    if (toast?.kind !== 'success' || toast.undo) return
    const timer = setTimeout(() => setToast(null), CONFIRMATION_MS)
    return () => clearTimeout(timer)
  }, [toast, setToast])
  useEffect(() => {
    if (location && Date.now() - since.current > NAVIGATION_MS) setToast(null)
  }, [location, setToast])
}

/** Returns a function that explains a failure in one sentence, in the language of the console. */
export function useExplain(): (error: unknown, options?: { areFieldsShown: boolean }) => string {
  const t = useT()
  return (error, { areFieldsShown } = { areFieldsShown: false }) => {
    const { requestId, ...explanation } = explainFailure(error)
    const id = requestId ? ` (${t('requestId', { id: requestId })})` : ''
    switch (explanation.kind) {
      case 'sentence':
        return [explanation.text, !areFieldsShown && explanation.issues].filter(Boolean).join(' ') + id
      case 'offline':
      case 'nowhere':
      case 'signInRefused':
        return t(explanation.kind) + id
      case 'notAllowed':
        return explanation.missingScopes.length > 0
          ? t('notAllowedLacking', { scopes: explanation.missingScopes.join(', ') })
          : t('notAllowed')
      case 'unexplained':
        return t('unexplained', { status: explanation.status }) + id
      case 'unexpected':
        return t('unexpected', { detail: explanation.detail })
    }
  }
}
