import android.net.Uri
import androidx.activity.result.contract.ActivityResultContracts.StartActivityForResult
import androidx.appcompat.app.AppCompatActivity
import net.openid.appauth.*

class SignInActivity : AppCompatActivity() {
    private val api = mapOf<String, String>(
        "resource" to "https://api.example.com", // only: api
    )
    private val service by lazy { AuthorizationService(this) }
    private var state = AuthState() // Keep it in encrypted storage.

    private val answer = registerForActivityResult(StartActivityForResult()) { result ->
        val data = result.data ?: return@registerForActivityResult
        val response = AuthorizationResponse.fromIntent(data)
        state.update(response, AuthorizationException.fromIntent(data))
        if (response == null) return@registerForActivityResult
        service.performTokenRequest(response.createTokenExchangeRequest(api)) { tokens, failure ->
            state.update(tokens, failure)
        }
    }

    fun signIn() {
        // AppAuth only accepts https. For a server on your machine, use a tunnel with a certificate.
        val issuer = Uri.parse("https://id.example.com/oidc")
        AuthorizationServiceConfiguration.fetchFromIssuer(issuer) { configuration, failure ->
            if (configuration == null) throw failure!!
            val redirectUri = Uri.parse("com.example.app:/callback")
            val request = AuthorizationRequest
                .Builder(configuration, "my-client-id", ResponseTypeValues.CODE, redirectUri)
                .setScope("openid profile offline_access orders:read")
                .setAdditionalParameters(api)
                .build()
            answer.launch(service.getAuthorizationRequestIntent(request))
        }
    }

    /** Refreshes the access token if it has expired. */
    fun withAccessToken(callApi: (String) -> Unit) =
        state.performActionWithFreshTokens(service, api) { accessToken, _, failure ->
            if (accessToken == null) throw failure!!
            callApi(accessToken)
        }
}
