import type { ReactNode } from 'react'
import { Link } from 'wouter'

/** The name alone where the user has no page to go to: its area needs another scope. */
export const MaybeLink = ({ href, children }: { href: string | false; children: ReactNode }) =>
  href ? <Link href={href}>{children}</Link> : children
