import { type RefObject, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'

/**
 * The tabs of an area, each a page with its own URL. On phones, the tabs scroll sideways to the current one.
 */
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

/** Scrolls a list of links that doesn't fit into its container to the link of the page at `location`. */
export function useScrollToCurrent(location: string): RefObject<HTMLElement | null> {
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    if (location) list.current?.querySelector('[aria-current]')?.scrollIntoView(NEAREST)
  }, [location])
  return list
}

const NEAREST: ScrollIntoViewOptions = { block: 'nearest', inline: 'nearest' }
