import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'
import { closeWindow, useCanCloseWindow } from '../browser/facts.ts'
import { nextEntry } from '../browser/history-entry.ts'
import { useCurrentPage, useInteractionPath, useT } from '../context/boot.tsx'
import { useReactionDispatcher } from '../reactions/reaction-dispatcher.tsx'
import { BackIcon, CloseIcon } from '../ui/icons.tsx'

/** Links to the previous page: through the history if it contains that page, or else as listed in the page table. */
export function BackBar() {
  const t = useT()
  const back = useReactionDispatcher().back(1)
  if (!back) return null
  return (
    <nav className="back-bar">
      <Link
        className="icon-button"
        aria-label={t('action.nav_back')}
        href={back.href}
        replace
        onClick={(event) => {
          if (back.go()) event.preventDefault()
        }}
      >
        <BackIcon />
      </Link>
    </nav>
  )
}

/**
 * A button that closes the window. It is shown if there is no previous page and a website or an app opened this page in
 * its own window.
 */
export function CloseBar() {
  const t = useT()
  const canClose = useCanCloseWindow()
  const before = useReactionDispatcher().back(1)
  if (before) return null
  return (
    <nav className="back-bar" inert={!canClose}>
      <button type="button" className="icon-button" aria-label={t('vestibule.close')} onClick={closeWindow}>
        <CloseIcon />
      </button>
    </nav>
  )
}

/** Links to a page at the same level and replaces this page in the history (spec/pages#history). */
export function SiblingLink({
  to,
  navigation,
  children,
}: {
  to: string
  navigation?: NavigationState | null
  children: ReactNode
}) {
  const address = useInteractionPath()
  const { entry } = useCurrentPage()
  return (
    <Link
      className="link"
      href={address(to)}
      replace
      state={{ depth: entry?.depth ?? 0, navigation: navigation ?? undefined }}
    >
      {children}
    </Link>
  )
}

/**
 * Links to another way to sign in with the same identifier. It is a new entry in the history, but at the same level as
 * this page (spec/pages#history).
 */
export function MethodLink({ to, children }: { to: string; children: ReactNode }) {
  const address = useInteractionPath()
  const { entry, navigation } = useCurrentPage()
  return (
    <Link
      className="button button-quiet"
      href={address(to)}
      state={{ ...nextEntry(entry, { isSibling: true }), navigation: navigation ?? undefined }}
    >
      <span className="button-label">{children}</span>
    </Link>
  )
}
