import { type Guide, type GuideValues, getRedirectPath, getRedirectScheme, lineIf } from './guide.ts'
import {
  authorizationRequestSnippet,
  discoverySnippet,
  openidClient,
  SECRET_EXPRESSION,
} from './node-parts.ts'

/** Whether the redirect URI is a loopback address. If so, the program in the terminal guide listens on any port. */
const isLoopback = ({ redirectUri }: GuideValues) => {
  const { protocol, hostname } = new URL(redirectUri)
  return protocol === 'http:' && hostname === '127.0.0.1'
}

/**
 * Whether the redirect URI is a web link that the app handles. Its scheme must not be registered for the app, or the
 * app would handle every link.
 */
const usesWebLink = (values: GuideValues) => /^https?$/.test(getRedirectScheme(values))
const linkManifest = (values: GuideValues) => {
  const { hostname, pathname, protocol } = new URL(values.redirectUri)
  return {
    'app/src/main/AndroidManifest.xml': `<manifest xmlns:android="http://schemas.android.com/apk/res/android" xmlns:tools="http://schemas.android.com/tools">
    <application>
        <activity
            android:name="net.openid.appauth.RedirectUriReceiverActivity"
            android:exported="true"
            tools:node="replace">
            <!-- The host serves /.well-known/assetlinks.json with the app's certificate. -->
            <intent-filter android:autoVerify="true">
                <action android:name="android.intent.action.VIEW" />
                <category android:name="android.intent.category.DEFAULT" />
                <category android:name="android.intent.category.BROWSABLE" />
                <data android:scheme="${protocol.slice(0, -1)}" android:host="${hostname}" android:path="${pathname.replaceAll('&', '&amp;')}" />
            </intent-filter>
        </activity>
    </application>
</manifest>
`,
  }
}

/** The guides for apps, machines, devices and agents. */
export const otherGuides: readonly Guide[] = [
  {
    id: 'swift',
    name: 'Swift',
    kinds: ['native'],
    library: 'https://github.com/openid/AppAuth-iOS',
    files: (values) => ({
      'SignInController.swift': `import AppAuth // package https://github.com/openid/AppAuth-iOS
import UIKit

final class SignInController: UIViewController {
    private var session: OIDExternalUserAgentSession?
    private var state: OIDAuthState?

    func signIn() {
        let issuer = URL(string: "${values.issuer}")!
        OIDAuthorizationService.discoverConfiguration(forIssuer: issuer) { configuration, error in
            guard let configuration else { return print(error as Any) }
            let request = OIDAuthorizationRequest(
                configuration: configuration,
                clientId: "${values.clientId}",
                scopes: [OIDScopeOpenID, OIDScopeProfile, OIDScopeEmail],
                redirectURL: URL(string: "${values.redirectUri}")!,
                responseType: OIDResponseTypeCode,
                additionalParameters: nil)
            self.session = OIDAuthState.authState(byPresenting: request, presenting: self) { state, error in
                guard let state else { return print(error as Any) }
                self.state = state // keep it in the keychain; it refreshes its tokens
            }
        }
    }
}
`,
    }),
  },
  {
    id: 'kotlin',
    name: 'Kotlin',
    kinds: ['native'],
    library: 'https://github.com/openid/AppAuth-Android',
    files: (values) => ({
      'app/build.gradle.kts': `android {
    defaultConfig {
        manifestPlaceholders["appAuthRedirectScheme"] = "${usesWebLink(values) ? 'unused.scheme' : getRedirectScheme(values)}"
    }
}
dependencies {
    implementation("net.openid:appauth:0.11.1")
}
`,
      ...(usesWebLink(values) && linkManifest(values)),
      'SignInActivity.kt': `import android.net.Uri
import androidx.activity.result.contract.ActivityResultContracts.StartActivityForResult
import androidx.appcompat.app.AppCompatActivity
import net.openid.appauth.*

class SignInActivity : AppCompatActivity() {
    private val service by lazy { AuthorizationService(this) }

    private val answer = registerForActivityResult(StartActivityForResult()) { result ->
        val response = result.data?.let(AuthorizationResponse::fromIntent) ?: return@registerForActivityResult
        service.performTokenRequest(response.createTokenExchangeRequest()) { tokens, failure ->
            // keep tokens?.accessToken, or show failure
        }
    }

    fun signIn() {
        // AppAuth only accepts https. For a server on your machine, use a tunnel with a certificate.
        val issuer = Uri.parse("${values.issuer}")
        AuthorizationServiceConfiguration.fetchFromIssuer(issuer) { configuration, failure ->
            if (configuration == null) throw failure!!
            val request = AuthorizationRequest.Builder(
                configuration, "${values.clientId}", ResponseTypeValues.CODE, Uri.parse("${values.redirectUri}")
            ).setScopes("openid", "profile", "email").build()
            answer.launch(service.getAuthorizationRequestIntent(request))
        }
    }
}
`,
    }),
  },
  {
    id: 'terminal',
    name: 'Node.js',
    kinds: ['native', 'agent'],
    ...openidClient,
    run: () => 'node sign-in.mjs',
    files: (values) => ({
      'sign-in.mjs': `// For a program on the user's machine. The response arrives at a local port (RFC 8252).
${lineIf(!isLoopback(values), '// Register http://127.0.0.1/callback as a redirect URI, too. Any port is allowed.')}import { once } from 'node:events'
import { createServer } from 'node:http'
import * as client from 'openid-client'

const config = await ${discoverySnippet(values, null)}
const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const redirectUri = 'http://127.0.0.1:' + server.address().port + '${isLoopback(values) ? getRedirectPath(values) : '/callback'}'
${authorizationRequestSnippet('', `  // resource: '${values.resource}', // the API that the tokens are for\n`)}
console.log('Open', address.href)

const [request, response] = await once(server, 'request')
response.end('Signed in. You can close this window.')
const tokens = await client.authorizationCodeGrant(config, new URL(request.url, redirectUri), {
  pkceCodeVerifier: verifier,
  expectedState: state,
})
console.log('Signed in as', tokens.claims().sub)
server.close()
`,
    }),
  },
  {
    id: 'agent-settings',
    name: 'MCP',
    kinds: ['agent'],
    library: 'https://modelcontextprotocol.io/specification/draft/basic/authorization',
    files: (values) => ({
      'OAuth settings for the MCP client': `Client ID            ${values.clientId}
Client secret        none: a public client, with PKCE (S256)
Redirect URI         ${values.redirectUri}
Authorization server ${values.issuer}
Metadata             ${values.issuer}/.well-known/openid-configuration
Resource             ${values.resource}

An MCP server names this authorization server in its metadata (RFC 9728), and agents find it there:
{ "resource": "${values.resource}", "authorization_servers": ["${values.issuer}"] }
`,
    }),
  },
  {
    id: 'curl-machine',
    name: 'curl',
    kinds: ['machine'],
    library: 'https://curl.se/docs/manpage.html',
    files: (values) => ({
      'Get a token and call the API': `TOKEN=$(curl -s ${values.issuer}/token \\
  -u "${values.clientId}:$CLIENT_SECRET" \\
  -d grant_type=client_credentials \\
  --data-urlencode 'resource=${values.resource}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

curl '${/^https?:/.test(values.resource) ? values.resource : 'https://api.example.com'}' -H "Authorization: Bearer $TOKEN"
`,
    }),
  },
  {
    id: 'node-machine',
    name: 'Node.js',
    kinds: ['machine'],
    ...openidClient,
    run: () => 'CLIENT_SECRET=… node call.mjs',
    files: (values) => ({
      'call.mjs': `import * as client from 'openid-client'

const config = await ${discoverySnippet(values, SECRET_EXPRESSION)}
const tokens = await client.clientCredentialsGrant(config, { resource: '${values.resource}' })
console.log(tokens.access_token, 'for', tokens.expires_in, 'seconds')
`,
    }),
  },
  {
    id: 'curl-device',
    name: 'curl',
    kinds: ['device'],
    library: 'https://www.rfc-editor.org/rfc/rfc8628',
    files: (values) => ({
      'Get codes for the device': `curl ${values.issuer}/device/auth -d client_id=${values.clientId} -d scope='openid profile'
`,
      'Poll every five seconds while the user enters user_code': `curl ${values.issuer}/token -d client_id=${values.clientId} \\
  -d grant_type=urn:ietf:params:oauth:grant-type:device_code \\
  -d device_code="$DEVICE_CODE"
`,
    }),
  },
  {
    id: 'node-device',
    name: 'Node.js',
    kinds: ['device'],
    ...openidClient,
    run: () => 'node device.mjs',
    files: (values) => ({
      'device.mjs': `import * as client from 'openid-client'

const config = await ${discoverySnippet(values, null)}
const codes = await client.initiateDeviceAuthorization(config, { scope: 'openid profile' })
console.log('Open', codes.verification_uri, 'and enter', codes.user_code)
const tokens = await client.pollDeviceAuthorizationGrant(config, codes)
console.log('Signed in as', tokens.claims().sub)
`,
    }),
  },
]
