import { getNativeBridge } from './native-bridge.ts'

/**
 * The keys under which a tab remembers, in its session storage, the authorization that it started at a provider
 * (spec/pages#social-state). The server compares the response with the interaction record, and only its decision counts
 * (ADR-0042).
 */
const stateKey = (connectorId: string) => `social_auth_state:${connectorId}`
const callbackKey = (connectorId: string) => `social_callback_data:${connectorId}`

/** Stores the state and, in an app, the link that leads back into it. */
export function storeSocialState(connectorId: string, state: string): void {
  const callbackLink = getNativeBridge()?.callbackLink
  try {
    sessionStorage.setItem(stateKey(connectorId), state)
    if (callbackLink) sessionStorage.setItem(callbackKey(connectorId), callbackLink)
  } catch {
    // If storage is blocked, only the server compares the state.
  }
}

/**
 * Compares a provider's response with the stored values, once, and removes them. Returns false if the authorization of
 * this tab belongs to another app. A tab without the state of the response leaves the decision to the server: an app
 * opened the tab, or the user started again before the page's script ran, with a state that the tab does not know.
 */
export function belongsToThisApp(connectorId: string, search: string): boolean {
  const state = take(stateKey(connectorId))
  const callbackLink = take(callbackKey(connectorId))
  const isOwnState = state === new URLSearchParams(search).getAll('state').at(-1)
  return !isOwnState || callbackLink === null || callbackLink === getNativeBridge()?.callbackLink
}

function take(key: string): string | null {
  try {
    const value = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return value
  } catch {
    return null
  }
}
