import type { ReactNode } from 'react'
import { BackBar } from './navigation.tsx'

/** A page with a picture, a message, and at most one link. */
export function EmptyFrame({
  title,
  messages,
  detail,
  hasBackBar = false,
  children,
}: {
  title: string
  messages: readonly string[]
  /** For a report of the error. */
  detail?: string
  /** With a link to the page before, if there is one. */
  hasBackBar?: boolean
  children?: ReactNode
}) {
  return (
    <>
      {hasBackBar && <BackBar />}
      <div className="content content-empty">
        <ClosedDoor />
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

/** In the colours of the theme, so that the dark theme needs no second picture. */
function ClosedDoor() {
  return (
    <svg className="picture" viewBox="0 0 200 140" aria-hidden="true" focusable="false">
      <path className="picture-ground" d="M14 122h172" />
      <path className="picture-wall" d="M62 122V64a38 38 0 0 1 76 0v58Z" />
      <path className="picture-door" d="M76 122V64a24 24 0 0 1 48 0v58Z" />
      <circle className="picture-knob" cx="114" cy="88" r="3" />
      <path className="picture-steps" d="M52 122h96M44 130h112" />
      <path className="picture-spark" d="M34 52v10m-5-5h10M164 36v10m-5-5h10M168 84v6m-3-3h6" />
    </svg>
  )
}
