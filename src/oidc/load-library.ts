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
  const { createProvider } = await library
  // Several may start at the same time, so nobody may wait while the console is quiet.
  const speak = hush()
  try {
    return createProvider(issuer, parts)
  } finally {
    speak()
  }
}

let library: ReturnType<typeof load> | undefined

async function load() {
  const speak = hush()
  try {
    return await import('./provider.ts')
  } finally {
    speak()
  }
}

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
