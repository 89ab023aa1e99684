import type { ReactNode } from 'react'
import { AlertIcon } from './icons.tsx'

/** A warning above the button that it is about (`client/styles/consent.css`). */
export const Caution = ({ children }: { children: ReactNode }) => (
  <p className="caution">
    <AlertIcon />
    <span>{children}</span>
  </p>
)
