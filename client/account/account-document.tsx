import type { ReactNode } from 'react'
import { Router } from 'wouter'
import type { AccountPhrases } from '../../src/contract/account/account-catalogue.ts'
import type { BootData, Phrases } from '../../src/contract/interactions/boot.ts'
import { BootProvider } from '../context/boot.tsx'
import { Shell } from '../layout/frame.tsx'
import { AccountFrame } from './account-frame.tsx'
import { type AccountView, ViewProvider } from './account-view.tsx'

/** A page of the account centre. Only the server renders these pages. */
export function AccountDocument({
  boot,
  view,
  isCard = false,
  children,
}: {
  boot: BootData
  view: AccountView
  /** True if the page is in the card of the sign-in pages, outside the navigation. */
  isCard?: boolean
  children: ReactNode
}) {
  const phrases = mergeTexts(boot.phrases, view.texts)
  return (
    <Router ssrPath={boot.path} ssrSearch={boot.search}>
      <BootProvider value={{ ...boot, phrases }}>
        <ViewProvider value={view}>
          {isCard ? <Shell kind="question">{children}</Shell> : <AccountFrame>{children}</AccountFrame>}
        </ViewProvider>
      </BootProvider>
    </Router>
  )
}

/**
 * Returns the phrases of the pages together with the texts of the account centre. All pages with the same phrases get
 * the same object, so they also share a translator. No text has the same key as a group of phrases.
 */
function mergeTexts(phrases: Phrases, texts: AccountPhrases): Phrases {
  const known = merged.get(phrases)
  if (known?.texts === texts) return known.all
  const all = { ...phrases, ...texts }
  merged.set(phrases, { texts, all })
  return all
}

const merged = new WeakMap<Phrases, { texts: AccountPhrases; all: Phrases }>()
