import * as AuthSession from 'expo-auth-session'
import * as WebBrowser from 'expo-web-browser'
import { useState } from 'react'
import { Button, SafeAreaView, Text } from 'react-native'

// In app.json: "scheme": "com.example.app"
const redirectUri = 'com.example.app:/callback'
const clientId = 'my-client-id'
const api = { resource: 'https://api.example.com' } // only: api

export default function App() {
  const discovery = AuthSession.useAutoDiscovery('https://id.example.com/oidc')
  const [tokens, setTokens] = useState<AuthSession.TokenResponse>() // Keep them in expo-secure-store.
  const [orders, setOrders] = useState('') // only: api
  const scopes = 'openid profile offline_access orders:read'.split(' ')
  const options = {
    clientId,
    redirectUri,
    scopes,
    extraParams: api, // only: api
  }
  const [request, , promptAsync] = AuthSession.useAuthRequest(options, discovery)
  if (!discovery || !request) return null
  const { endSessionEndpoint, ...endpoints } = discovery

  async function signIn() {
    const result = await promptAsync()
    if (result.type !== 'success') return
    const extraParams = { ...api, code_verifier: request?.codeVerifier ?? '' }
    const grant = { clientId, redirectUri, code: result.params.code ?? '', extraParams }
    setTokens(await AuthSession.exchangeCodeAsync(grant, endpoints))
  }

  // only: api
  async function showOrders(current: AuthSession.TokenResponse) {
    // Replaces an access token that has expired, or will soon.
    if (current.shouldRefresh()) await current.refreshAsync({ clientId, extraParams: api }, endpoints)
    const headers = { authorization: `Bearer ${current.accessToken}` }
    setOrders(await (await fetch('https://api.example.com/orders', { headers })).text())
  }

  async function signOut({ idToken = '' }: AuthSession.TokenResponse) {
    const query = new URLSearchParams({ id_token_hint: idToken })
    const afterSignOut = 'com.example.app:/signed-out' // only: signout
    query.set('post_logout_redirect_uri', afterSignOut) // only: signout
    await WebBrowser.openAuthSessionAsync(`${endSessionEndpoint}?${query}`, 'com.example.app')
    setTokens(undefined)
  }

  if (!tokens) return <Button title="Sign in" onPress={signIn} />
  return (
    <SafeAreaView>
      <Text>Signed in</Text>
      <Text>{orders}</Text> {/* only: api */}
      <Button title="Orders" onPress={() => showOrders(tokens)} /> {/* only: api */}
      <Button title="Sign out" onPress={() => signOut(tokens)} />
    </SafeAreaView>
  )
}
