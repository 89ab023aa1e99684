import type { ReactNode } from 'react'

const MARKED = /<(?:link|span)>.*?<\/(?:link|span)>/

/** A phrase with an element in the place that it marks with `<link></link>` or `<span></span>`, or at its end without a mark. */
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
