import { type RefObject, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'

/** The pages of one area, of which each has an address. On a phone they scroll sideways, to the one that is shown. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly { href: string; title: string }[] }) {
  const [location] = useLocation()
  return (
    <nav ref={useScrollToCurrent(location)} className="tabs" aria-label={label}>
      {tabs.map(({ href, title }) => (
        <Link key={href} href={href} aria-current={location === href ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  )
}

/** For a list of links that may be longer than its place: the one of the page at `location` is scrolled into it. */
export function useScrollToCurrent(location: string): RefObject<HTMLElement | null> {
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    if (location) list.current?.querySelector('[aria-current]')?.scrollIntoView(NEAREST)
  }, [location])
  return list
}

const NEAREST: ScrollIntoViewOptions = { block: 'nearest', inline: 'nearest' }
