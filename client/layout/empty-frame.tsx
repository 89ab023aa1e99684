import type { ReactNode } from 'react'
import { type EndingKind, EndingPicture } from './end-picture.tsx'
import { BackBar } from './navigation.tsx'

/** A page with a picture, a message, and at most one link. */
export function EmptyFrame({
  kind,
  title,
  messages,
  detail,
  hasBackBar = false,
  children,
}: {
  kind: EndingKind
  title: string
  messages: readonly string[]
  /** A detail that helps to report the error. */
  detail?: string
  /** Whether there is a link to the previous page, if one exists. */
  hasBackBar?: boolean
  children?: ReactNode
}) {
  return (
    <>
      {hasBackBar && <BackBar />}
      <div className="content content-empty">
        <EndingPicture kind={kind} />
        <h1 className="title" tabIndex={-1}>
          {title}
        </h1>
        {messages.map((message) => (
          <p className="description" key={message}>
            {message}
          </p>
        ))}
        {children}
        {detail && <p className="detail">{detail}</p>}
      </div>
    </>
  )
}
