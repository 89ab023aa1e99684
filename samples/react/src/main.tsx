import { useState } from 'react' // only: api
import { createRoot } from 'react-dom/client'
import { AuthProvider, useAuth } from 'react-oidc-context'

const api = 'https://api.example.com' // only: api
const settings = {
  authority: 'https://id.example.com/oidc',
  client_id: 'my-client-id',
  redirect_uri: 'http://localhost:5173/',
  post_logout_redirect_uri: 'http://localhost:5173/', // only: signout
  scope: 'openid profile email offline_access orders:read',
  // Both requests name the API that the access token is for. // only: api
  resource: api, // only: api
  extraTokenParams: { resource: api }, // only: api
  onSigninCallback: () => history.replaceState(null, '', location.pathname),
}

function App() {
  const auth = useAuth()
  if (auth.isLoading) return <p>Loading…</p>
  if (!auth.isAuthenticated || !auth.user)
    return (
      <>
        {auth.error && <p role="alert">{auth.error.message}</p>}
        <button onClick={() => auth.signinRedirect()}>Sign in</button>
      </>
    )
  const { profile } = auth.user
  return (
    <>
      <p>Signed in as {profile.preferred_username ?? profile.name ?? profile.sub}</p>
      <Orders token={auth.user.access_token} /> {/* only: api */}
      <button onClick={() => auth.signoutRedirect()}>Sign out</button>
    </>
  )
}

// only: api
/** Calls the API. The library replaces the access token before it expires, with the refresh token. */
function Orders({ token }: { token: string }) {
  const [orders, setOrders] = useState('')
  const load = async () => {
    const response = await fetch(`${api}/orders`, { headers: { authorization: `Bearer ${token}` } })
    setOrders(await response.text())
  }
  return (
    <p>
      <button onClick={load}>Orders</button> {orders}
    </p>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <AuthProvider {...settings}>
    <App />
  </AuthProvider>,
)
