'use client'
import { getSession, SessionProvider, signIn, signOut, useSession } from 'next-auth/react'

async function leave() {
  const address = await (await fetch('/sign-out')).text()
  await signOut({ redirect: false })
  location.assign(address)
}
function Home() {
  const { data, status } = useSession()
  if (status === 'loading') return null
  if (!data) return <button onClick={() => signIn('vestibule')}>Sign in</button>
  return (
    <p>
      Signed in as {data.user?.name} <button onClick={leave}>Sign out</button>
      <button onClick={() => getSession().then(() => location.assign('/orders'))}>Orders</button> {/* only: api */}
    </p>
  )
}
export default () => SessionProvider({ children: <Home /> })
