import AppAuth // package https://github.com/openid/AppAuth-iOS
import UIKit

final class SignInController: UIViewController {
    private var api: [String: String] {
        var parameters: [String: String] = [:]
        parameters["resource"] = "https://api.example.com" // only: api
        return parameters
    }
    private var session: OIDExternalUserAgentSession?
    private var state: OIDAuthState? // Keep it in the keychain.

    func signIn() {
        let issuer = URL(string: "https://id.example.com/oidc")!
        OIDAuthorizationService.discoverConfiguration(forIssuer: issuer) { configuration, error in
            guard let configuration else { return print(error as Any) }
            let request = OIDAuthorizationRequest(
                configuration: configuration,
                clientId: "my-client-id",
                scopes: "openid profile offline_access orders:read".components(separatedBy: " "),
                redirectURL: URL(string: "com.example.app:/callback")!,
                responseType: OIDResponseTypeCode,
                additionalParameters: self.api)
            self.session = OIDAuthorizationService.present(request, presenting: self) { response, error in
                guard let response else { return print(error as Any) }
                self.redeem(response)
            }
        }
    }

    private func redeem(_ response: OIDAuthorizationResponse) {
        let request = response.tokenExchangeRequest(withAdditionalParameters: api)!
        OIDAuthorizationService.perform(request, originalAuthorizationResponse: response) { tokens, error in
            guard let tokens else { return print(error as Any) }
            self.state = OIDAuthState(authorizationResponse: response, tokenResponse: tokens)
        }
    }

    /// Refreshes the access token if it has expired.
    func withAccessToken(_ callAPI: @escaping (String) -> Void) {
        state?.performAction(freshTokens: { accessToken, _, error in
            guard let accessToken else { return print(error as Any) }
            callAPI(accessToken)
        }, additionalRefreshParameters: api)
    }
}
