import type { ReactNode } from 'react'
import { ChevronIcon } from '../ui/icons.tsx'

/** A row that opens to show details below it, without JavaScript. */
export function DisclosureRow({
  icon,
  title,
  value,
  end,
  isOpen,
  isAlert = false,
  children,
}: {
  icon: ReactNode
  title: ReactNode
  value?: ReactNode
  /** The content before the chevron, such as a time. */
  end?: ReactNode
  isOpen?: boolean
  /** Highlights the row, as for a failed sign-in. */
  isAlert?: boolean
  children: ReactNode
}) {
  return (
    <li>
      <details className="account-disclosure" open={isOpen}>
        <summary className="account-row">
          <span className={isAlert ? 'disc account-alert' : 'disc'}>{icon}</span>
          <span className="account-row-text">
            <span className="account-row-title">{title}</span>
            {value && <span className="account-row-value">{value}</span>}
          </span>
          {end}
          <ChevronIcon />
        </summary>
        <div className="account-disclosed">{children}</div>
      </details>
    </li>
  )
}
