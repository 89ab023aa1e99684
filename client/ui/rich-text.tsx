import type { ReactNode } from 'react'

const MARKED = /<(?:link|span)>.*?<\/(?:link|span)>/

/** A phrase with something else in the place it marks with `<link></link>` or `<span></span>`, or at its end if it marks none. */
export function withLink(phrase: string, link: ReactNode): ReactNode {
  const [before = '', after = ''] = phrase.split(MARKED)
  return (
    <>
      {before}
      {link}
      {after}
    </>
  )
}
