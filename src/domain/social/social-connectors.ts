import type { SocialConnector } from '../../contract/experience/experience.ts'

/**
 * The environment in which pages are shown: a browser, or an app that has declared its capabilities
 * (spec/pages#native-bridge).
 */
export type PageEnvironment =
  | { kind: 'web' }
  | {
      kind: 'native'
      supported: { universal: boolean; nativeTargets: readonly string[] }
      /**
       * True if the app has a link through which the browser can reopen it. Universal connectors need such a link,
       * because they work in the browser.
       */
      hasCallbackLink: boolean
    }

/**
 * Returns the connectors that work in an environment, one per target, in the operator's order of targets. Web and
 * Native connectors take precedence over Universal ones (spec/pages#social-buttons).
 */
export function selectAvailableConnectors(
  connectors: readonly SocialConnector[],
  environment: PageEnvironment,
): SocialConnector[] {
  const byTarget = new Map<string, SocialConnector>()
  for (const connector of connectors) {
    if (!isUsable(connector, environment)) continue
    const current = byTarget.get(connector.target)
    // When a value in a Map is replaced, its key keeps its position.
    if (!current || (current.platform === 'Universal' && connector.platform !== 'Universal')) {
      byTarget.set(connector.target, connector)
    }
  }
  return [...byTarget.values()]
}

function isUsable({ platform, target }: SocialConnector, environment: PageEnvironment): boolean {
  switch (platform) {
    case 'Web':
      return environment.kind === 'web'
    case 'Native':
      return environment.kind === 'native' && environment.supported.nativeTargets.includes(target)
    case 'Universal':
      return environment.kind === 'web' || (environment.supported.universal && environment.hasCallbackLink)
  }
}
