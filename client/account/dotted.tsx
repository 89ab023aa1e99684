import { Children, type ReactNode } from 'react'
import { withLink } from '../ui/rich-text.tsx'
import { RelativeTime } from './relative-time.tsx'

/** Facts on one line, which the style sheet separates by dots. Empty ones are left out. */
export const Dotted = ({ children }: { children: ReactNode }) => (
  <span className="account-dotted">
    {Children.map(
      children,
      (fact) =>
        fact && (
          <span className="account-fact">
            <bdi>{fact}</bdi>{' '}
          </span>
        ),
    )}
  </span>
)

/** Renders an event and its age, such as “Added 2 days ago”. The phrase contains or precedes the time. */
export const Since = ({ phrase, at }: { phrase: string; at: number }) =>
  withLink(`${phrase} `, <RelativeTime at={at} />)
