import { useLanguage } from '../../phrases.ts'
import type { Factory } from './config.ts'

/** The logo of a provider. The dark theme uses the dark logo if the provider has one. */
export function ProviderLogo({ logo, logoDark }: Pick<Factory, 'logo' | 'logoDark'>) {
  return (
    <span className="mark" aria-hidden="true">
      <img className={logoDark ? 'light-only' : ''} src={logo} alt="" />
      {logoDark && <img className="dark-only" src={logoDark} alt="" />}
    </span>
  )
}

/** Returns a function that returns the name of a connector in the language of the console. */
export function useConnectorName(): (named: Pick<Factory, 'name' | 'id'>) => string {
  const language = useLanguage()
  return ({ name, id }) => name[language] ?? name.en ?? id
}
