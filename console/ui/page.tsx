import { createContext, type ReactNode, use, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { ApiProblem } from '../api/problem.ts'
import { phrases, useT } from '../phrases.ts'
import { Button, ButtonLink } from './button.tsx'
import { useFocusOnNavigation } from './focus.ts'
import { useExplain } from './toast.tsx'

const texts = phrases({
  en: {
    title: 'Page not found',
    lead: 'This page doesn’t exist, or your roles don’t let you see it.',
    start: 'Go to the start page',
  },
  de: {
    title: 'Seite nicht gefunden',
    lead: 'Diese Seite gibt es nicht, oder Ihre Rollen erlauben sie nicht.',
    start: 'Zur Startseite',
  },
})

/** True if the component is rendered inside a page, which has a heading of its own. */
const IsInPageContext = createContext(false)

type PageProps = {
  title: string
  /** The content of the heading, if it isn't the title. */
  heading?: ReactNode
  lead?: ReactNode
  /** The path and name of the parent page. */
  parent?: { href: string; title: string }
  /** Buttons next to the heading. */
  actions?: ReactNode
  /** Gives the content the full width, for columns side by side. */
  isWide?: boolean
  children: ReactNode
}

/**
 * Sets the document title. When another page is shown, focuses its heading, so that screen readers announce it.
 */
export function Page({ title, heading = title, lead, parent, actions, isWide, children }: PageProps) {
  const headingElement = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} - Vestibule`
  }, [title])
  useFocusOnNavigation(headingElement)
  return (
    <article className={isWide ? 'page wide' : 'page'}>
      <header className="page-head">
        <div>
          {parent && (
            <Link className="parent" href={parent.href}>
              {parent.title}
            </Link>
          )}
          <h1 ref={headingElement} tabIndex={-1}>
            {heading}
          </h1>
          {lead && <p className="lead">{lead}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      <IsInPageContext value={true}>{children}</IsInPageContext>
    </article>
  )
}

/** A group of fields with its own heading. */
export function Card({
  id,
  title,
  lead,
  actions,
  children,
}: {
  /** The id of the element, for links within the page. */
  id?: string
  title?: string
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="card" id={id}>
      {(title || actions) && (
        <header>
          {title && <h2>{title}</h2>}
          {actions && <div className="actions">{actions}</div>}
        </header>
      )}
      {lead && <p className="lead">{lead}</p>}
      {children}
    </section>
  )
}

/** The error page for a URL with nothing to show. `children` explains the reason, if it is known. */
export function NotFound({ children }: { children?: ReactNode }) {
  const t = useT(texts)
  return (
    <Page title={t('title')} lead={children ? undefined : t('lead')}>
      {children}
      <p>
        <ButtonLink kind="primary" href="/">
          {t('start')}
        </ButtonLink>
      </p>
    </Page>
  )
}

/**
 * Shows a loading indicator or the reason why loading failed. If the page can't be shown at all, the reason is shown
 * on an error page.
 */
export function Loading({ failure, onRetry }: { failure?: Error | null; onRetry?: () => void }) {
  const t = useT()
  const explain = useExplain()
  const isInPage = use(IsInPageContext)
  if (!failure) {
    return (
      <p className="loading" role="status">
        {t('loading')}
      </p>
    )
  }
  const isPermanent = isPermanentFailure(failure)
  const alert = (
    <div className="alert" role="alert">
      <p>{explain(failure)}</p>
      {onRetry && !isPermanent && <Button onPress={onRetry}>{t('retry')}</Button>}
    </div>
  )
  return isPermanent && !isInPage ? <NotFound>{alert}</NotFound> : alert
}

/**
 * Tells whether retrying would fail in the same way, because the user's roles don't allow the call or the entity
 * doesn't exist.
 */
const isPermanentFailure = (failure: Error) =>
  failure instanceof ApiProblem && [403, 404].includes(failure.status)

export function Empty({ children }: { children?: ReactNode }) {
  const t = useT()
  return <div className="empty">{children ?? <p>{t('nothing')}</p>}</div>
}
