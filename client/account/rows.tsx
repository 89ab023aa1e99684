import type { ReactNode } from 'react'
import { NextIcon } from '../ui/icons.tsx'

/** A card of rows below an optional title (spec/account-centre#rows). */
export function Rows({ title, children }: { title?: ReactNode; children: ReactNode }) {
  return (
    <section className="account-group">
      {title && <h2>{title}</h2>}
      <ul className="account-rows">{children}</ul>
    </section>
  )
}

type RowProps = {
  icon?: ReactNode
  title: ReactNode
  /** The current value of the setting, or a sentence about it. */
  value?: ReactNode
  /** The path of the page that changes the setting. Without it, the row is not a link. */
  to?: string | undefined
  /** The content at the end of the row, such as a button. A link has a chevron there. */
  end?: ReactNode
}

/** A setting with its value. The whole row leads to the page that changes it. */
export function Row({ icon, title, value, to, end }: RowProps) {
  const content = (
    <>
      {icon && <span className="disc">{icon}</span>}
      <span className="account-row-text">
        <span className="account-row-title">{title}</span>
        {value && <span className="account-row-value">{value}</span>}
      </span>
      {to ? <NextIcon /> : end}
    </>
  )
  return (
    <li>
      {to ? (
        <a className="account-row" href={to}>
          {content}
        </a>
      ) : (
        <div className="account-row">{content}</div>
      )}
    </li>
  )
}

/** An e-mail address, which breaks before its domain if it is too long for a line. */
export function EmailText({ value }: { value: string }) {
  const at = value.lastIndexOf('@')
  return (
    <bdi dir="ltr">
      {value.slice(0, at)}
      <wbr />
      {value.slice(at)}
    </bdi>
  )
}

/** A phone number, which does not break. */
export const PhoneText = ({ value }: { value: string }) => (
  <bdi dir="ltr" className="account-phone">
    {value}
  </bdi>
)
