import type { ReactNode } from 'react'
import { type EndingKind, EndingPicture } from './end-picture.tsx'
import { BackBar } from './navigation.tsx'

/** The frame of a page that shows only a picture, a message, and at most one link. */
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
  /** Details for the user to include in an error report. */
  detail?: string
  /** Links to the previous page, if there is one. */
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
