import type { ReactNode } from 'react'

/** A collapsible card for settings that few applications need. */
export function CollapsibleCard({
  title,
  lead,
  children,
}: {
  title: string
  lead: string
  children: ReactNode
}) {
  return (
    <details className="card folded">
      <summary>
        <h2>{title}</h2>
        <span className="hint">{lead}</span>
      </summary>
      <div className="folded-fields">{children}</div>
    </details>
  )
}
