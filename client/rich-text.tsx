import type { ReactNode } from 'react'

const LINK = /<link>.*?<\/link>/

/** A phrase with something else in the place it marks with `<link></link>`, or at its end if it marks none. */
export function withLink(phrase: string, link: ReactNode): ReactNode {
  const [before = '', after = ''] = phrase.split(LINK)
  return (
    <>
      {before}
      {link}
      {after}
    </>
  )
}
