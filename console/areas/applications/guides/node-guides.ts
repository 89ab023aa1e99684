import { type Guide, getListeningPort, getRedirectPath, redirectUrlAt, webServerGuide } from './guide.ts'
import {
  authorizationRequestSnippet,
  discoverySnippet,
  openidClient,
  SECRET_EXPRESSION,
} from './node-parts.ts'

/** The guides for JavaScript servers. The browser's session keeps the values of the request that the callback needs. */
export const nodeGuides: readonly Guide[] = [
  {
    id: 'node',
    name: 'Node.js',
    opens: redirectUrlAt('/'),
    port: getListeningPort,
    kinds: ['web'],
    ...openidClient,
    run: () => 'CLIENT_SECRET=… node server.mjs',
    files: (values) => ({
      'server.mjs': `import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import * as client from 'openid-client'

const redirectUri = '${values.redirectUri}'
const config = await ${discoverySnippet(values, SECRET_EXPRESSION)}

/** Secure if the browser uses https, even if only a proxy speaks it. */
const attributes = '; Path=/; HttpOnly; SameSite=Lax' + (redirectUri.startsWith('https:') ? '; Secure' : '')

/** Sessions by cookie. Keep them in a store of your own: these end with the process. */
const sessions = new Map()

function open(response, session) {
  const id = randomUUID()
  sessions.set(id, session)
  response.setHeader('set-cookie', 'session=' + id + attributes)
}

async function answer(request, response) {
  const url = new URL(request.url, redirectUri)
  const id = /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1]
  const session = sessions.get(id)

  if (url.pathname === '/sign-in') {
${authorizationRequestSnippet('    ')}
    open(response, { verifier, state })
    return response.writeHead(302, { location: address.href }).end()
  }
  if (url.searchParams.has('state')) {
    const tokens = await client.authorizationCodeGrant(config, url, {
      pkceCodeVerifier: session?.verifier,
      expectedState: session?.state ?? '',
    })
    // Start a new session after the sign-in, so that the old cookie opens nothing.
    sessions.delete(id)
    open(response, { user: tokens.claims() })
    return response.writeHead(302, { location: '/' }).end()
  }
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(session?.user ? 'Signed in as ' + session.user.sub : '<a href="/sign-in">Sign in</a>')
}

createServer((request, response) => {
  answer(request, response).catch((error) => response.writeHead(400).end(error.message))
}).listen(${getListeningPort(values)})
`,
    }),
  },
  {
    id: 'nextjs',
    name: 'Next.js',
    ...webServerGuide,
    ...openidClient,
    run: (values) => `CLIENT_SECRET=… npx next dev --port ${getListeningPort(values)}`,
    files: (values) => ({
      'lib/provider.ts': `import * as client from 'openid-client'

export const redirectUri = '${values.redirectUri}'

let config: Promise<client.Configuration> | undefined
export const provider = () => (config ??= ${discoverySnippet(values, SECRET_EXPRESSION)})
`,
      'app/sign-in/route.ts': `import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import * as client from 'openid-client'
import { provider, redirectUri } from '@/lib/provider'

export async function GET() {
  const config = await provider()
${authorizationRequestSnippet('  ')}
  const jar = await cookies()
  jar.set('sign-in', JSON.stringify({ verifier, state }), {
    httpOnly: true,
    sameSite: 'lax',
    secure: redirectUri.startsWith('https:'),
    maxAge: 600,
  })
  redirect(address.href)
}
`,
      [`app${getRedirectPath(values).replace(/\/$/, '')}/route.ts`]: `import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import type { NextRequest } from 'next/server'
import * as client from 'openid-client'
import { provider, redirectUri } from '@/lib/provider'

export async function GET(request: NextRequest) {
  const jar = await cookies()
  const { verifier, state } = JSON.parse(jar.get('sign-in')?.value ?? '{}')
  jar.delete('sign-in')
  const tokens = await client.authorizationCodeGrant(
    await provider(),
    new URL(request.nextUrl.search, redirectUri),
    { pkceCodeVerifier: verifier, expectedState: state ?? '' },
  )
  const user = tokens.claims() // start your application's session with user.sub
  redirect('/')
}
`,
    }),
  },
  {
    id: 'express',
    name: 'Express',
    ...webServerGuide,
    install: 'npm install express express-session openid-client',
    library: openidClient.library,
    run: () => 'CLIENT_SECRET=… SESSION_SECRET=… node server.mjs',
    files: (values) => ({
      'server.mjs': `import express from 'express'
import session from 'express-session'
import * as client from 'openid-client'

const redirectUri = '${values.redirectUri}'
const config = await ${discoverySnippet(values, SECRET_EXPRESSION)}

const app = express()
app.use(
  session({
    secret: process.env.SESSION_SECRET,
    resave: false,
    saveUninitialized: false,
    cookie: { sameSite: 'lax', httpOnly: true, secure: redirectUri.startsWith('https:') },
    proxy: true, // the proxy speaks https and sends X-Forwarded-Proto
  }),
)

app.get('/sign-in', async (request, response) => {
${authorizationRequestSnippet('  ')}
  request.session.signIn = { pkceCodeVerifier: verifier, expectedState: state }
  response.redirect(address.href)
})

app.get('${getRedirectPath(values)}', async (request, response) => {
  const { signIn } = request.session
  if (!signIn) return response.redirect('/sign-in')
  const tokens = await client.authorizationCodeGrant(config, new URL(request.originalUrl, redirectUri), signIn)
  request.session.regenerate(() => {
    request.session.user = tokens.claims()
    response.redirect('/welcome')
  })
})

app.get('/welcome', ({ session: { user } }, response) =>
  user ? response.send('Signed in as ' + user.sub) : response.redirect('/sign-in'),
)

app.listen(${getListeningPort(values)})
`,
    }),
  },
  {
    id: 'hono',
    name: 'Hono',
    ...webServerGuide,
    install: 'npm install hono @hono/node-server openid-client',
    library: openidClient.library,
    run: () => 'CLIENT_SECRET=… COOKIE_SECRET=… node server.mjs',
    files: (values) => ({
      'server.mjs': `import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie'
import * as client from 'openid-client'

const redirectUri = '${values.redirectUri}'
const key = process.env.COOKIE_SECRET
const options = { httpOnly: true, sameSite: 'Lax', secure: redirectUri.startsWith('https:'), path: '/' }
const config = await ${discoverySnippet(values, SECRET_EXPRESSION)}

const app = new Hono()

app.get('/sign-in', async (c) => {
${authorizationRequestSnippet('  ')}
  await setSignedCookie(c, 'sign-in', JSON.stringify({ verifier, state }), key, { ...options, maxAge: 600 })
  return c.redirect(address.href)
})

app.get('${getRedirectPath(values)}', async (c) => {
  const { verifier, state } = JSON.parse((await getSignedCookie(c, key, 'sign-in')) || '{}')
  if (!state) return c.redirect('/sign-in')
  const answer = new URL(new URL(c.req.url).search, redirectUri)
  const checks = { pkceCodeVerifier: verifier, expectedState: state }
  const tokens = await client.authorizationCodeGrant(config, answer, checks)
  deleteCookie(c, 'sign-in', options)
  await setSignedCookie(c, 'user', tokens.claims().sub, key, options)
  return c.redirect('/welcome')
})

app.get('/welcome', async (c) => {
  const user = await getSignedCookie(c, key, 'user')
  return user ? c.text('Signed in as ' + user) : c.redirect('/sign-in')
})

serve({ fetch: app.fetch, port: ${getListeningPort(values)} })
`,
    }),
  },
]
