import type { ReactNode } from 'react'

const MARKED = /<(?:link|span)>.*?<\/(?:link|span)>/

/**
 * Puts an element into a phrase where `<link></link>` or `<span></span>` marks its place, or at the end if nothing
 * does.
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
