import type { SocialConnector } from '../../contract/experience/experience.ts'

/** Where the pages are shown: in a browser, or inside an app that named its abilities (spec/pages#native-bridge). */
export type PageEnvironment =
  | { kind: 'web' }
  | {
      kind: 'native'
      supported: { universal: boolean; nativeTargets: readonly string[] }
      /** Whether the browser that Universal connectors need can return to the app. */
      hasCallbackLink: boolean
    }

/**
 * The connectors that work there, one for each target, in the operator's order of targets. A Web or Native connector
 * replaces a Universal one (spec/pages#social-buttons).
 */
export function connectorsFor(
  connectors: readonly SocialConnector[],
  where: PageEnvironment,
): SocialConnector[] {
  const chosen = new Map<string, SocialConnector>()
  for (const connector of connectors) {
    if (!works(connector, where)) continue
    const before = chosen.get(connector.target)
    // A Map keeps the place of a key whose value is replaced.
    if (!before || (before.platform === 'Universal' && connector.platform !== 'Universal')) {
      chosen.set(connector.target, connector)
    }
  }
  return [...chosen.values()]
}

function works({ platform, target }: SocialConnector, where: PageEnvironment): boolean {
  switch (platform) {
    case 'Web':
      return where.kind === 'web'
    case 'Native':
      return where.kind === 'native' && where.supported.nativeTargets.includes(target)
    case 'Universal':
      return where.kind === 'web' || (where.supported.universal && where.hasCallbackLink)
  }
}
