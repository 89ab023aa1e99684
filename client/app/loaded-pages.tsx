import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { reloadPage } from '../browser/leaving.ts'
import type { PageFields, PageJourneys } from '../reactions/reactions.ts'

/** The module of a page. Its default export is the component, and every page has its own chunk. */
type PageModule = { default: ComponentType; fields?: PageFields; journeys?: PageJourneys }
export type LoadPage = () => Promise<PageModule>

const loaded = new Map<LoadPage, PageModule>()

/** Registers a page whose module has already been loaded, so that it need not be imported. */
export function registerPage(load: LoadPage, page: PageModule): void {
  loaded.set(load, page)
}

/** Loads a page. Rejects if its file no longer exists, for example after a deployment. */
export async function loadPage(load: LoadPage): Promise<PageModule> {
  const page = loaded.get(load) ?? (await load())
  loaded.set(load, page)
  return page
}

/** A page, or `waiting` while it is loading. The server and `client/entry.tsx` load the first page before rendering. */
export function LoadedPage({
  load,
  waiting,
  onLate,
}: {
  load: LoadPage
  waiting: ReactNode
  /** Called when the page replaces `waiting`. */
  onLate: () => void
}) {
  const [late, setLate] = useState<LoadPage | null>(null)
  const Page = loaded.get(load)?.default
  const showLate = useEffectEvent(onLate)

  useEffect(() => {
    if (late) return showLate()
    if (loaded.has(load)) return
    // If loading fails, a newer deployment has probably replaced the files. Reload the document to load the new ones.
    loadPage(load).then(() => setLate(() => load), reloadPage)
  }, [load, late])

  return Page ? <Page /> : waiting
}
