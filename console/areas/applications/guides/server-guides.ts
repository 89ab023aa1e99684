import {
  type Guide,
  type GuideValues,
  getListeningPort,
  getRedirectPath,
  getRedirectScheme,
  lineIf,
  redirectUrlAt,
  usesPlainHttp,
  webServerGuide,
} from './guide.ts'

/** .NET derives the redirect URI, and by default the scheme of its cookies, from the request. */
const isBehindProxy = (values: GuideValues) => getRedirectScheme(values) === 'https'
const cookiePolicy = (values: GuideValues) => (isBehindProxy(values) ? 'Always' : 'None')

/** The guides for servers in other languages. */
export const serverGuides: readonly Guide[] = [
  {
    id: 'python',
    name: 'Python',
    ...webServerGuide,
    install: 'pip install Flask Authlib requests',
    run: () => 'CLIENT_SECRET=… SESSION_KEY=… python app.py',
    library: 'https://docs.authlib.org/',
    files: (values) => ({
      'app.py': `import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session

REDIRECT_URI = "${values.redirectUri}"

app = Flask(__name__)
app.secret_key = os.environ["SESSION_KEY"]
app.config["SESSION_COOKIE_SECURE"] = REDIRECT_URI.startswith("https:")
app.config["SESSION_COOKIE_SAMESITE"] = "Lax"
vestibule = OAuth(app).register(
    "vestibule",
    client_id="${values.clientId}",
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url="${values.issuer}/.well-known/openid-configuration",
    client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
)


@app.get("/sign-in")
def sign_in():
    return vestibule.authorize_redirect(REDIRECT_URI)


@app.get("${getRedirectPath(values)}")
def callback():
    token = vestibule.authorize_access_token()
    session.clear()
    session["user"] = token["userinfo"]["sub"]
    return redirect("/welcome")


@app.get("/welcome")
def welcome():
    return f"Signed in as {session['user']}" if "user" in session else redirect("/sign-in")


app.run(port=${getListeningPort(values)})
`,
    }),
  },
  {
    id: 'go',
    name: 'Go',
    ...webServerGuide,
    install: 'go get github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2',
    run: () => 'CLIENT_SECRET=… go run .',
    library: 'https://pkg.go.dev/github.com/coreos/go-oidc/v3/oidc',
    files: (values) => ({
      'main.go': `package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

const redirectURL = "${values.redirectUri}"

func setCookie(w http.ResponseWriter, name, value string) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: 600, HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: strings.HasPrefix(redirectURL, "https:"),
	})
}

func cookie(r *http.Request, name string) string {
	if c, err := r.Cookie(name); err == nil {
		return c.Value
	}
	return ""
}

func main() {
	provider, err := oidc.NewProvider(context.Background(), "${values.issuer}")
	if err != nil {
		log.Fatal(err)
	}
	config := oauth2.Config{
		ClientID:     "${values.clientId}",
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  redirectURL,
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})

	http.HandleFunc("/sign-in", func(w http.ResponseWriter, r *http.Request) {
		state, pkce := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
		setCookie(w, "state", state)
		setCookie(w, "pkce", pkce)
		http.Redirect(w, r, config.AuthCodeURL(state, oauth2.S256ChallengeOption(pkce)), http.StatusFound)
	})

	http.HandleFunc("${getRedirectPath(values)}", func(w http.ResponseWriter, r *http.Request) {
		state := cookie(r, "state")
		if state == "" || state != r.URL.Query().Get("state") {
			http.Error(w, "this sign-in was not started here", http.StatusBadRequest)
			return
		}
		token, err := config.Exchange(r.Context(), r.URL.Query().Get("code"), oauth2.VerifierOption(cookie(r, "pkce")))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		raw, _ := token.Extra("id_token").(string)
		user, err := verifier.Verify(r.Context(), raw)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		fmt.Fprintln(w, "Signed in as", user.Subject) // start your application's session here
	})

	log.Fatal(http.ListenAndServe(":${getListeningPort(values)}", nil))
}
`,
    }),
  },
  {
    id: 'php',
    name: 'PHP',
    opens: (values) => values.redirectUri,
    kinds: ['web'],
    install: 'composer require jumbojett/openid-connect-php',
    library: 'https://github.com/jumbojett/OpenID-Connect-PHP',
    files: (values) => ({
      [`public${getRedirectPath(values).replace(/\/$/, '/index')}.php`]: `<?php
// Handles ${values.redirectUri}
require __DIR__ . '/../vendor/autoload.php';

use Jumbojett\\OpenIDConnectClient;

$redirectUri = '${values.redirectUri}';
session_set_cookie_params([
    'secure' => str_starts_with($redirectUri, 'https:'),
    'httponly' => true,
    'samesite' => 'Lax',
]);

$oidc = new OpenIDConnectClient('${values.issuer}', '${values.clientId}', getenv('CLIENT_SECRET'));
$oidc->setRedirectURL($redirectUri);
${lineIf(usesPlainHttp(values), '$oidc->setHttpUpgradeInsecureRequests(false); // plain http, only on your own machine')}$oidc->setCodeChallengeMethod('S256');
$oidc->addScope(['profile', 'email']);
$oidc->authenticate(); // redirects first, then returns here

$_SESSION['user'] = $oidc->getVerifiedClaims('sub');
echo 'Signed in as ', htmlspecialchars($_SESSION['user']);
`,
    }),
  },
  {
    id: 'dotnet',
    name: '.NET',
    opens: redirectUrlAt('/'),
    kinds: ['web'],
    install: 'dotnet add package Microsoft.AspNetCore.Authentication.OpenIdConnect',
    port: getListeningPort,
    run: () => 'CLIENT_SECRET=… dotnet run',
    library:
      'https://learn.microsoft.com/aspnet/core/security/authentication/configure-oidc-web-authentication',
    files: (values) => ({
      'Program.cs': `using Microsoft.AspNetCore.Authentication.Cookies;
using Microsoft.AspNetCore.Authentication.OpenIdConnect;
${lineIf(isBehindProxy(values), 'using Microsoft.AspNetCore.HttpOverrides;')}using System.Security.Claims;

var builder = WebApplication.CreateBuilder(args);
builder.Services
    .AddAuthentication(options =>
    {
        options.DefaultScheme = CookieAuthenticationDefaults.AuthenticationScheme;
        options.DefaultChallengeScheme = OpenIdConnectDefaults.AuthenticationScheme;
    })
    .AddCookie(options => options.Cookie.SecurePolicy = CookieSecurePolicy.${cookiePolicy(values)})
    .AddOpenIdConnect(options =>
    {
        options.Authority = "${values.issuer}";
        options.ClientId = "${values.clientId}";
        options.ClientSecret = builder.Configuration["CLIENT_SECRET"];
        options.CallbackPath = "${getRedirectPath(values)}";
        options.ResponseType = "code";
        options.ResponseMode = "query";
        options.Scope.Add("email");
        options.MapInboundClaims = false;
        foreach (var cookie in new[] { options.CorrelationCookie, options.NonceCookie })
        {
            cookie.SameSite = SameSiteMode.Lax; // the response arrives by GET
            cookie.SecurePolicy = CookieSecurePolicy.${cookiePolicy(values)};
        }
${lineIf(usesPlainHttp(values), '        options.RequireHttpsMetadata = false; // plain http, only on your own machine')}    });
builder.Services.AddAuthorization();

var app = builder.Build();
${lineIf(
  isBehindProxy(values),
  `// The proxy on this machine speaks https. The redirect URI is derived from its headers.
app.UseForwardedHeaders(new ForwardedHeadersOptions
{
    ForwardedHeaders = ForwardedHeaders.XForwardedProto | ForwardedHeaders.XForwardedHost,
});`,
)}app.UseAuthentication();
app.UseAuthorization();
app.MapGet("/", (ClaimsPrincipal user) => $"Signed in as {user.FindFirstValue("sub")}").RequireAuthorization();
app.Run("${isBehindProxy(values) ? `http://localhost:${getListeningPort(values)}` : new URL(values.redirectUri).origin}");
`,
    }),
  },
]
