import type { ReactNode } from 'react'
import { PRODUCT_NAME, PRODUCT_URL } from '../../src/contract/product.ts'
import { useBrokenImage } from '../browser/broken-image.ts'
import { useBoot, useCurrentPage, useT } from '../context/boot.tsx'
import { FormProblem } from '../forms/form-problem.tsx'
import { HEADING_ID } from '../forms/journey-form.tsx'
import { withLink } from '../ui/rich-text.tsx'
import { SupportLink } from '../ui/support-link.tsx'
import { CustomContent } from './custom-content.tsx'
import { LanguagePicker } from './language-picker.tsx'
import { BackBar, CloseBar } from './navigation.tsx'
import { FlashMessage, Notification } from './notifications.tsx'

/**
 * The kinds of pages: a first page, a page with a back button, a page that asks a question and has no back
 * button, and a page that redirects automatically (spec/pages#layout).
 */
export type PageKind = 'landing' | 'step' | 'question' | 'passing'

/**
 * The frame of every page. The logo and the back button share the first row, so that the heading is in the same place
 * on all pages. Operators' CSS relies on the class names (spec/pages#css-classes).
 */
export function Shell({ kind, children }: { kind: PageKind; children: ReactNode }) {
  return (
    <div className="vestibule-page">
      {kind === 'landing' && <Notification />}
      <FlashMessage />
      <CustomContent />
      <main className="vestibule-main">
        {kind === 'step' && <CloseBar />}
        <Logo />
        {children}
      </main>
      {kind !== 'passing' && <Footer />}
    </div>
  )
}

const Footer = () => (
  <footer className="footer">
    <ProductLink />
    <SupportLink className="footer-link" />
    <LanguagePicker />
  </footer>
)

type FrameProps = {
  title: ReactNode
  /**
   * The description or message below the title. Its space is reserved even if it is empty, so that the first field is
   * always in the same place.
   */
  description?: ReactNode
  /** An icon above the title that shows what the page is about. A page that has one imports `disc.css`. */
  icon?: ReactNode
  children: ReactNode
}

/** The frame of a first page. */
export function LandingFrame({ title, description, icon, children }: FrameProps) {
  return (
    <div className="content">
      {icon && <div className="disc title-disc">{icon}</div>}
      <h1 className="title" id={HEADING_ID} tabIndex={-1}>
        {title}
      </h1>
      <div className="intro">
        <p className="description">{description}</p>
        <FormProblem />
      </div>
      {children}
    </div>
  )
}

/** The frame of a page that follows another one. */
export function StepFrame(frame: FrameProps) {
  return (
    <>
      <BackBar />
      <LandingFrame {...frame} />
    </>
  )
}

/**
 * The logo for the current theme. If there is only one logo, it is used for both themes (spec/experience#branding).
 * Without a logo, or if it cannot be loaded, its place has the brand name, or else the first letter of the domain.
 */
export function Logo() {
  const { experience, origin } = useBoot()
  const { name = '', logoUrl, darkLogoUrl } = experience.branding
  const { isDarkModeEnabled } = experience.color
  const light = isDarkModeEnabled ? (logoUrl ?? darkLogoUrl) : logoUrl
  const { isBroken, image } = useBrokenImage(light)
  if (!light || isBroken) {
    return (
      <div className="vestibule-branding">
        {name ? (
          <span className="logo" dir="auto">
            {name}
          </span>
        ) : (
          <span className="logo monogram" aria-hidden="true">
            {domainInitial(origin)}
          </span>
        )}
      </div>
    )
  }
  return (
    <picture className="vestibule-branding">
      {isDarkModeEnabled && darkLogoUrl && (
        <source media="(prefers-color-scheme: dark)" srcSet={darkLogoUrl} />
      )}
      <img className="logo" src={light} alt={name} {...image} />
    </picture>
  )
}

/** Returns the first letter of the registered domain: E for https://id.example.com. */
function domainInitial(origin: string): string {
  const labels = new URL(origin).hostname.split('.')
  return (labels.at(-2) ?? labels.join()).charAt(0).toUpperCase()
}

/**
 * Links to the product's website with the URL of this page (spec/pages#layout). The query is left out, because it
 * contains the interaction id.
 */
export function ProductLink() {
  const { origin } = useBoot()
  const t = useT()
  const { path } = useCurrentPage()
  const href = `${PRODUCT_URL}/?${new URLSearchParams({ src: origin + path })}`
  return (
    <p className="vestibule-signature">
      <a href={href} target="_blank" rel="noopener">
        {withLink(t('vestibule.powered_by'), <b>{PRODUCT_NAME}</b>)}
        <span className="visually-hidden"> {t('vestibule.opens_new_tab')}</span>
      </a>
    </p>
  )
}
