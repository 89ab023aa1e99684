import type { Provider } from 'oidc-provider'
import type { ProviderParts } from './provider.ts'

/** What the library and Koa say when they are started in a runtime that is not Node; neither says anything about us. */
const startUpNoise = /Unsupported runtime|^KOA:APPLICATION/

/**
 * A provider, from the library loaded when the first one is needed: it is large, and who never comes here does not pay
 * for it. That it works in this runtime is what our tests are for.
 */
export async function startProvider(issuer: string, parts: ProviderParts): Promise<Provider> {
  library ??= load()
  const { createProvider, errors } = await library
  // Several may start at the same time, so nobody may wait while the console is quiet.
  const speak = hush()
  try {
    const provider = createProvider(issuer, parts)
    for (const name of models) named(provider[name], name)
    for (const [name, error] of Object.entries(errors)) named(error, name)
    return provider
  } finally {
    speak()
  }
}

let library: ReturnType<typeof load> | undefined

async function load() {
  const speak = hush()
  try {
    const [{ createProvider }, { errors }] = [await import('./provider.ts'), await import('oidc-provider')]
    return { createProvider, errors }
  } finally {
    speak()
  }
}

/**
 * What the library calls its classes is what it calls them in the database and tells their lifetimes by, and what we tell its
 * errors by. A minified Worker keeps no names (`keep_names` in wrangler.toml): that saves 35 kB of it, and a tenth of its
 * start.
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

const named = (made: object, name: string) => Object.defineProperty(made, 'name', { value: name })

/** Answers how to end it. */
function hush(): () => void {
  const { log, warn } = console
  const without =
    (say: typeof log) =>
    (...words: unknown[]) => {
      if (!startUpNoise.test(String(words[0]))) say(...words)
    }
  console.log = without(log)
  console.warn = without(warn)
  return () => {
    console.log = log
    console.warn = warn
  }
}
