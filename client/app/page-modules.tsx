import { type ComponentType, createContext, type ReactNode, useContext, useEffect, useState } from 'react'

/** Every screen by the name of its file in `pages/`. A screen is a chunk of its own: nobody loads what they do not see. */
export type PageName =
  | 'consent'
  | 'continue-address'
  | 'continue-password'
  | 'continue-username'
  | 'forgot-password'
  | 'forgot-password-reset'
  | 'logout-declined'
  | 'register'
  | 'register-password'
  | 'sign-in'
  | 'sign-in-password'
  | 'social-link'
  | 'social-return'
  | 'unknown-session'
  | 'verification-code'

/** The screens at hand: all of them on the server, in the browser those that were loaded. */
export type PageModules = {
  get(name: PageName): ComponentType | undefined
  /** Resolves once `get` finds it. Rejects when its file cannot be had any more, as after a deployment. */
  load(name: PageName): Promise<void>
}

const Modules = createContext<PageModules | null>(null)
export const PageModulesProvider = Modules.Provider

export function usePageModules(): PageModules {
  const modules = useContext(Modules)
  if (!modules) throw new Error('drawn outside of <App>')
  return modules
}

/** A screen, or what stands in its place for as long as it is on its way. */
export function Screen({ name, waiting }: { name: PageName; waiting: ReactNode }) {
  const modules = usePageModules()
  const [, setLoaded] = useState<PageName | null>(null)
  const Page = modules.get(name)

  useEffect(() => {
    if (modules.get(name)) return
    modules.load(name).then(
      () => setLoaded(name),
      // The server draws it and knows where its files are now.
      () => location.reload(),
    )
  }, [modules, name])

  return Page ? <Page /> : waiting
}
