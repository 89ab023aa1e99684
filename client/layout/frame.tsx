import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { NavigationState } from '../../src/contract/interaction.ts'
import { PRODUCT_ADDRESS, PRODUCT_NAME } from '../../src/contract/product.ts'
import { phraseAt } from '../../src/domain/messages.ts'
import { useAddress, useBoot, useHere, useT } from '../app/boot.tsx'
import { useReactions } from '../app/reaction-dispatcher.tsx'
import { closeWindow, useCanClose } from '../browser/facts.ts'
import { useNotification } from '../browser/notification.ts'
import { BackIcon, CloseIcon } from '../ui/icons.tsx'
import { withLink } from '../ui/rich-text.tsx'
import { CustomContent } from './custom-content.tsx'
import { LanguagePicker } from './language-picker.tsx'

/** A page one begins with, a step of it, or one that only passes by, without notification or signature (contract 10.2, 10.6). */
export type PageKind = 'landing' | 'step' | 'passing'

/** What every page stands in. The class names are a promise to operators' CSS (contract 10.2). */
export function Shell({ kind, children }: { kind: PageKind; children: ReactNode }) {
  return (
    <div className="vestibule-page">
      {kind === 'landing' && <Notification />}
      <ToldByServer />
      <CustomContent />
      <main className="vestibule-main">
        {kind === 'step' && <CloseBar />}
        {children}
      </main>
      {kind !== 'passing' && (
        <footer className="footer">
          <Signature />
          <LanguagePicker />
        </footer>
      )}
    </div>
  )
}

/** What the page before had to say, for a visitor without script; with script it was a toast. */
function ToldByServer() {
  const { navigation } = useBoot()
  const t = useT()
  if (!navigation?.flash) return null
  return (
    <p className="notification" role="status">
      {t(`description.${navigation.flash}`)}
    </p>
  )
}

/** A page one begins with: the operator's logo above what it is about. */
export function LandingFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="content content-landing">
      <Logo />
      <h1 className="title" tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  )
}

/** A page one comes to from another. */
export function StepFrame({
  title,
  description,
  children,
}: {
  title: string
  description?: ReactNode
  children: ReactNode
}) {
  return (
    <>
      <BackBar />
      <div className="content content-step">
        <h1 className="title" tabIndex={-1}>
          {title}
        </h1>
        {description && <p className="description">{description}</p>}
        {children}
      </div>
    </>
  )
}

/** One step back: through the history, or by the page table for whoever has none. */
export function BackBar() {
  const t = useT()
  const back = useReactions().back(1)
  if (!back) return null
  return (
    <nav className="back-bar">
      <Link
        className="back-link"
        href={back.href}
        replace
        onClick={(event) => {
          if (back.go()) event.preventDefault()
        }}
      >
        <BackIcon />
        {t('action.nav_back')}
      </Link>
    </nav>
  )
}

/** Where there is no page before this one, but an application or an app that opened it in a window of its own. */
function CloseBar() {
  const t = useT()
  const canClose = useCanClose()
  const before = useReactions().back(1)
  if (before) return null
  return (
    <nav className="back-bar" inert={!canClose}>
      <button type="button" className="back-link" onClick={closeWindow}>
        <CloseIcon />
        {t('vestibule.close')}
      </button>
    </nav>
  )
}

/** To a page beside this one, which it replaces in the history (contract 10.4). `step` is what that page needs to know. */
export function SideLink({
  to,
  navigation,
  children,
}: {
  to: string
  navigation?: NavigationState | null
  children: ReactNode
}) {
  const address = useAddress()
  const { entry } = useHere()
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

/** The logo of the theme that is shown; one logo alone serves both (contract 10.2). */
export function Logo() {
  const { experience } = useBoot()
  const { logoUrl, darkLogoUrl } = experience.branding
  const { isDarkModeEnabled } = experience.color
  const light = isDarkModeEnabled ? (logoUrl ?? darkLogoUrl) : logoUrl
  if (!light) return null
  return (
    <picture className="vestibule-branding">
      {isDarkModeEnabled && darkLogoUrl && (
        <source media="(prefers-color-scheme: dark)" srcSet={darkLogoUrl} />
      )}
      <img className="logo" src={light} alt="" />
    </picture>
  )
}

/** What the visitor was sent here with, a phrase of ours by its key (contract 10.6). Closing it lasts until the next load. */
function Notification() {
  const { search, phrases } = useBoot()
  const t = useT()
  const { path } = useHere()
  const address = useAddress()
  const key = useNotification(search)
  const [isClosed, setClosed] = useState(false)
  const text = key && phraseAt(phrases, key)
  if (!text || needsMore(text) || isClosed) return null
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

/** A phrase with places for values or links says nothing by itself. */
const needsMore = (text: string) => /\{\{|</.test(text)

/** Carries the page it was followed from (product 1), but not its query, which names the visitor's interaction. */
function Signature() {
  const { origin } = useBoot()
  const t = useT()
  const { path } = useHere()
  const href = `${PRODUCT_ADDRESS}/?${new URLSearchParams({ src: origin + path })}`
  return (
    <p className="vestibule-signature">
      <a href={href} target="_blank" rel="noopener">
        {withLink(t('vestibule.powered_by'), <b>{PRODUCT_NAME}</b>)}
        <span className="visually-hidden"> {t('vestibule.opens_new_tab')}</span>
      </a>
    </p>
  )
}
