package com.example.demo;

import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.annotation.RegisteredOAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.endpoint.*;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserService;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.client.RestClient;
import org.springframework.web.util.HtmlUtils;

@RestController
class SignIn {
    static final Map<String, String> API = Map.of("resource", "https://api.example.com"); // only: api

    @Bean
    SecurityFilterChain security(HttpSecurity http, ClientRegistrationRepository clients) {
        var signOut = new OidcClientInitiatedLogoutSuccessHandler(clients);
        signOut.setPostLogoutRedirectUri("http://localhost:3000/"); // only: signout
        var requests = new DefaultOAuth2AuthorizationRequestResolver(clients);
        requests.setAuthorizationRequestCustomizer(it -> it.additionalParameters(more -> more.putAll(API))); // only: api
        var codes = new RestClientAuthorizationCodeTokenResponseClient();
        codes.addParametersConverter(request -> MultiValueMap.fromSingleValue(API)); // only: api
        var users = new OidcUserService();
        users.setRetrieveUserInfo(request -> false); // the ID token contains the name
        http.oauth2Login(login -> login.defaultSuccessUrl("/", true)
            .authorizationEndpoint(endpoint -> endpoint.authorizationRequestResolver(requests))
            .redirectionEndpoint(endpoint -> endpoint.baseUri("/callback"))
            .tokenEndpoint(endpoint -> endpoint.accessTokenResponseClient(codes))
            .userInfoEndpoint(endpoint -> endpoint.oidcUserService(users)));
        http.logout(logout -> logout.logoutUrl("/sign-out").logoutSuccessHandler(signOut));
        http.authorizeHttpRequests(pages -> pages.requestMatchers("/").permitAll().anyRequest().authenticated());
        return http.build();
    }

    @Bean // only: api
    RestClientRefreshTokenTokenResponseClient refreshes() { // only: api
        var client = new RestClientRefreshTokenTokenResponseClient(); // only: api
        client.addParametersConverter(request -> MultiValueMap.fromSingleValue(API)); // only: api
        return client; // only: api
    } // only: api

    @GetMapping("/")
    String home(@AuthenticationPrincipal OidcUser user, CsrfToken csrf) {
        if (user == null) return "<a href='/oauth2/authorization/vestibule'>Sign in</a>";
        var name = user.getPreferredUsername() != null ? user.getPreferredUsername() : user.getSubject();
        return "<p>Signed in as " + HtmlUtils.htmlEscape(name) + "</p>"
            + "<p><a href='/orders'>Orders</a></p>" // only: api
            + "<form method='post' action='/sign-out'><button>Sign out</button>"
            + "<input type='hidden' name='_csrf' value='" + csrf.getToken() + "'></form>";
    }

    @GetMapping("/orders") // only: api
    String orders(@RegisteredOAuth2AuthorizedClient("vestibule") OAuth2AuthorizedClient client) { // only: api
        return RestClient.create().get().uri("https://api.example.com/orders") // only: api
            .headers(headers -> headers.setBearerAuth(client.getAccessToken().getTokenValue())) // only: api
            .retrieve().body(String.class); // only: api
    } // only: api
}
