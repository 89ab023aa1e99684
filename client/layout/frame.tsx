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

/** A first page, a step after it, or a page that only passes by, without notification or signature (spec/pages#layout). */
export type PageKind = 'landing' | 'step' | 'passing'

/** The frame of every page. Operators' CSS relies on the class names (spec/pages#css-classes). */
export function Shell({ kind, children }: { kind: PageKind; children: ReactNode }) {
  return (
    <div className="vestibule-page">
      {kind === 'landing' && <Notification />}
      <FlashMessage />
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

/** The flash message of the page before, for a browser without script; with script it was a toast. */
function FlashMessage() {
  const { navigation } = useBoot()
  const t = useT()
  if (!navigation?.flash) return null
  return (
    <p className="notification" role="status">
      {t(`description.${navigation.flash}`)}
    </p>
  )
}

/** A first page: the operator's logo above the title. */
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

/** A page that follows another. */
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

/** One page back: through the history, or by the page table where the history does not have it. */
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

/** Where no page is before this one, but an application or an app has opened it in a window of its own. */
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

/** To a page beside this one, which it replaces in the history (spec/pages#history). */
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

/** The logo of the theme; one logo alone serves both (spec/experience#branding). */
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

/** The phrase whose key is in the query (spec/pages#notification). Once closed, it is hidden until the next load. */
function Notification() {
  const { search, phrases } = useBoot()
  const t = useT()
  const { path } = useHere()
  const address = useAddress()
  const key = useNotification(search)
  const [isClosed, setClosed] = useState(false)
  const text = key && phraseAt(phrases, key)
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

/** A phrase with places for values or links is no notification. */
const hasPlaceholders = (text: string) => /\{\{|</.test(text)

/** Names the page it was followed from (spec/pages#layout), but not its query, which names the interaction. */
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
