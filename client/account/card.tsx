import type { ReactNode } from 'react'
import { type EndingKind, EndingPicture } from '../layout/end-picture.tsx'
import { StatusMessage } from './parts.tsx'

/**
 * The content of a page in the card of the sign-in pages. Such a page asks one question or shows a result, and is not
 * part of the navigation (spec/account-centre#card).
 */
export function Card({
  icon,
  title,
  lead,
  children,
}: {
  /** An icon above the title that shows what the page is about. Screen readers ignore it. */
  icon: ReactNode
  title: ReactNode
  lead?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="content account-question">
      <div className="disc title-disc">{icon}</div>
      <h1 className="title">{title}</h1>
      {lead && <p className="description">{lead}</p>}
      <StatusMessage />
      {children}
    </div>
  )
}

/** The result of what the user has done, with at most one link. */
export function ResultCard({
  kind,
  title,
  lead,
  children,
}: {
  kind: EndingKind
  title: string
  lead: string
  children?: ReactNode
}) {
  return (
    <div className="content content-empty">
      <EndingPicture kind={kind} />
      <h1 className="title">{title}</h1>
      <p className="description">{lead}</p>
      {children}
    </div>
  )
}
