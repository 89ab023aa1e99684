import type { ReactNode } from 'react'
import { Router } from 'wouter'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { BootProvider } from '../context/boot.tsx'
import { AccountFrame } from './account-frame.tsx'
import { type AccountView, ViewProvider } from './account-view.tsx'

/** A page of the account centre. Only the server renders these pages. */
export function AccountDocument({
  boot,
  view,
  children,
}: {
  boot: BootData
  view: AccountView
  children: ReactNode
}) {
  // The two objects can be merged safely, because no account-centre text has the same key as a phrase group.
  const phrases = { ...boot.phrases, ...view.texts }
  return (
    <Router ssrPath={boot.path} ssrSearch={boot.search}>
      <BootProvider value={{ ...boot, phrases }}>
        <ViewProvider value={view}>
          <AccountFrame>{children}</AccountFrame>
        </ViewProvider>
      </BootProvider>
    </Router>
  )
}
