import type { ReactNode } from 'react'

/** A card in place of a list without entries: an icon, a sentence and, if there is something to do, a button. */
export function EmptyList({
  icon,
  title,
  text,
  children,
}: {
  icon: ReactNode
  title?: string
  text: string
  children?: ReactNode
}) {
  return (
    <section className="account-card account-empty">
      <span className="disc">{icon}</span>
      {title && <h2>{title}</h2>}
      <p>{text}</p>
      {children}
    </section>
  )
}
