import { type Guide, type GuideValues, lineIf } from './guide.ts'

/** The guides for single-page applications, which are public clients and keep their tokens in the browser. */

const library = 'https://authts.github.io/oidc-client-ts/'

const settings = (values: GuideValues): string =>
  `  authority: '${values.issuer}',
  client_id: '${values.clientId}',
  redirect_uri: '${values.redirectUri}',
${lineIf(values.afterSignOut, `  post_logout_redirect_uri: '${values.afterSignOut}',`)}  scope: 'openid profile email',
  loadUserInfo: true, // adds the claims of the scopes, such as the name`

const manager = (values: GuideValues): string => `import { UserManager } from 'oidc-client-ts'

const manager = new UserManager({
${settings(values)}
})

/** Returns the signed-in user, or null. Call it once, when the page loads. */
export async function currentUser() {
  const query = new URLSearchParams(location.search)
  if (query.has('state') && (query.has('code') || query.has('error'))) {
    const user = await manager.signinCallback()
    history.replaceState(null, '', location.pathname)
    return user
  }
  return manager.getUser()
}

export const signIn = () => manager.signinRedirect()
export const signOut = () => manager.signoutRedirect()
`

export const browserGuides: readonly Guide[] = [
  {
    id: 'react',
    name: 'React',
    kinds: ['spa'],
    install: 'npm install react-oidc-context oidc-client-ts',
    library: 'https://github.com/authts/react-oidc-context',
    files: (values) => ({
      'src/main.tsx': `import { createRoot } from 'react-dom/client'
import { AuthProvider, useAuth } from 'react-oidc-context'

const settings = {
${settings(values)}
  onSigninCallback: () => history.replaceState(null, '', location.pathname),
}

function App() {
  const auth = useAuth()
  if (auth.isLoading) return <p>Loading…</p>
  if (auth.error) return <p role="alert">{auth.error.message}</p>
  if (!auth.isAuthenticated) return <button onClick={() => auth.signinRedirect()}>Sign in</button>
  return (
    <>
      <p>Signed in as {auth.user?.profile.name ?? auth.user?.profile.sub}</p>
      <button onClick={() => auth.signoutRedirect()}>Sign out</button>
    </>
  )
}

createRoot(document.getElementById('root')!).render(
  <AuthProvider {...settings}>
    <App />
  </AuthProvider>,
)
`,
    }),
  },
  {
    id: 'vue',
    name: 'Vue',
    kinds: ['spa'],
    install: 'npm install oidc-client-ts',
    library,
    files: (values) => ({
      'src/sign-in.ts': manager(values),
      'src/App.vue': `<script setup lang="ts">
import type { User } from 'oidc-client-ts'
import { onMounted, ref } from 'vue'
import { currentUser, signIn, signOut } from './sign-in'

const user = ref<User | null | undefined>(null)
onMounted(async () => {
  user.value = await currentUser()
})
</script>

<template>
  <template v-if="user">
    <p>Signed in as {{ user.profile.name ?? user.profile.sub }}</p>
    <button @click="signOut()">Sign out</button>
  </template>
  <button v-else @click="signIn()">Sign in</button>
</template>
`,
    }),
  },
  {
    id: 'browser',
    name: 'JavaScript',
    kinds: ['spa'],
    install: 'npm install oidc-client-ts',
    library,
    files: (values) => ({
      'sign-in.js': manager(values),
      'main.js': `import { currentUser, signIn, signOut } from './sign-in.js'

const user = await currentUser()
const button = document.createElement('button')
button.textContent = user ? 'Sign out' : 'Sign in'
button.onclick = user ? signOut : signIn
document.body.append(user ? 'Signed in as ' + (user.profile.name ?? user.profile.sub) + ' ' : '', button)
`,
    }),
  },
]
