import type { Provider } from 'oidc-provider'
import { lazy } from '../contract/lazy.ts'
import type { ProviderOptions } from './provider.ts'

/**
 * Matches the messages that oidc-provider and Koa log while they load. The provider warns about every runtime other
 * than Node, and `util.debuglog` is always on in Workers. Each new isolate would log these messages, which are useless
 * to operators.
 */
const startUpNoise = /Unsupported runtime|^KOA:APPLICATION/

/** Creates a provider. The library is large, so it is loaded only with the first provider (ADR-0059). */
export async function startProvider(issuer: string, parts: ProviderOptions): Promise<Provider> {
  const { createProvider, errors } = await loadLibrary()
  // Nothing may be awaited while the console is filtered, because other providers may start at the same time.
  const restore = silenceStartUp()
  try {
    const provider = createProvider(issuer, parts)
    for (const name of models) setClassName(provider[name], name)
    for (const [name, error] of Object.entries(errors)) setClassName(error, name)
    return provider
  } finally {
    restore()
  }
}

const loadLibrary = lazy(async () => {
  const restore = silenceStartUp()
  try {
    const [{ createProvider }, { errors }] = [await import('./provider.ts'), await import('oidc-provider')]
    return { createProvider, errors }
  } finally {
    restore()
  }
})

/**
 * Sets class names, which the minified Worker does not keep (scripts/worker-bundle.mjs). Minifying them saves 35 kB and
 * a tenth of the start time (ADR-0059). The library uses the names of its models in the database and to look up
 * lifetimes; our code uses the names of its errors.
 */
const models = [
  'AccessToken',
  'AuthorizationCode',
  'BaseToken',
  'Client',
  'ClientCredentials',
  'DeviceCode',
  'BackchannelAuthenticationRequest',
  'Grant',
  'IdToken',
  'InitialAccessToken',
  'Interaction',
  'PushedAuthorizationRequest',
  'RefreshToken',
  'RegistrationAccessToken',
  'ReplayDetection',
  'Session',
] as const satisfies (keyof Provider)[]

const setClassName = (target: object, name: string) => Object.defineProperty(target, 'name', { value: name })

/** Filters start-up messages. Returns a function that restores the console. */
function silenceStartUp(): () => void {
  const { log, warn } = console
  const filtered =
    (write: typeof log) =>
    (...args: unknown[]) => {
      if (!startUpNoise.test(String(args[0]))) write(...args)
    }
  console.log = filtered(log)
  console.warn = filtered(warn)
  return () => {
    console.log = log
    console.warn = warn
  }
}
