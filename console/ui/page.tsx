import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { ApiProblem } from '../api/problem.ts'
import { Button } from './button.tsx'
import { useArrival } from './focus.ts'
import { useExplanation } from './toast.tsx'
import { useWords } from './words.ts'

type PageProps = {
  title: string
  lead?: ReactNode
  /** Address and name of the page above it. */
  parent?: { href: string; title: string }
  /** Buttons beside the heading. */
  actions?: ReactNode
  /** For what stands side by side. */
  isWide?: boolean
  children: ReactNode
}

/** Sets the title, and moves the focus to the heading when another page is shown, so that screen readers say it. */
export function Page({ title, lead, parent, actions, isWide, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} - Vestibule`
  }, [title])
  useArrival(heading)
  return (
    <article className={isWide ? 'page wide' : 'page'}>
      <header className="page-head">
        <div>
          {parent && (
            <Link className="parent" href={parent.href}>
              {parent.title}
            </Link>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className="lead">{lead}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </article>
  )
}

/** A group of fields with a heading of its own. */
export function Card({
  title,
  lead,
  actions,
  children,
}: {
  title?: string
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="card">
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

/** While something is loaded, or what has become of it. */
export function Loading({ failure, onRetry }: { failure?: Error | null; onRetry?: () => void }) {
  const words = useWords()
  const explain = useExplanation()
  if (!failure) {
    return (
      <p className="loading" role="status">
        {words('loading')} …
      </p>
    )
  }
  return (
    <div className="alert" role="alert">
      <p>{explain(failure)}</p>
      {onRetry && !isFinal(failure) && <Button onPress={onRetry}>{words('retry')}</Button>}
    </div>
  )
}

/** What another try does not change: the roles of the user, and what is not there. */
const isFinal = (failure: Error) => failure instanceof ApiProblem && [403, 404].includes(failure.status)

export function Empty({ children }: { children?: ReactNode }) {
  const words = useWords()
  return <div className="empty">{children ?? <p>{words('nothing')}</p>}</div>
}
