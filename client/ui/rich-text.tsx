import type { ReactNode } from 'react'

const MARKED = /<(?:link|span)>.*?<\/(?:link|span)>/

/**
 * Inserts an element into a phrase in place of `<link></link>` or `<span></span>`, or appends it if the phrase
 * contains neither.
 */
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
