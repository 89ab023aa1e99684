package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/gob" // only: api
	"errors"
	"html/template"
	"io" // only: api
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/alexedwards/scs/v2"
	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

const redirectURL = "http://localhost:3000/callback"

var api = oauth2.SetAuthURLParam("resource", "https://api.example.com") // only: api
var sessions = scs.New()
var page = template.Must(template.New("").Parse(`{{if .}}<p>Signed in as {{.}}</p>
<p><a href="/orders">Orders</a></p> <!-- only: api -->
<p><a href="/sign-out">Sign out</a></p>{{else}}<a href="/sign-in">Sign in</a>{{end}}`))

func main() {
	provider, err := oidc.NewProvider(context.Background(), "https://id.example.com/oidc")
	if err != nil {
		log.Fatal(err)
	}
	config := &oauth2.Config{ClientID: "my-client-id", ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint: provider.Endpoint(), RedirectURL: redirectURL, Scopes: []string{"openid", "profile"}}
	config.Scopes = append(config.Scopes, "offline_access", "orders:read") // only: api
	gob.Register(oauth2.Token{})                                           // only: api
	sessions.Cookie.Secure = strings.HasPrefix(redirectURL, "https:")
	log.Fatal(http.ListenAndServe(":3000", sessions.LoadAndSave(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			if err := serve(w, r, provider, config); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
			}
		}))))
}

func serve(w http.ResponseWriter, r *http.Request, provider *oidc.Provider, config *oauth2.Config) error {
	ctx, state, target := r.Context(), r.FormValue("state"), "/"
	options := []oauth2.AuthCodeOption{}
	options = append(options, api) // only: api
	switch r.URL.Path {
	case "/sign-in":
		state, nonce, pkce := rand.Text(), rand.Text(), oauth2.GenerateVerifier()
		sessions.Put(ctx, "started", []string{state, nonce, pkce})
		options = append(options, oidc.Nonce(nonce), oauth2.S256ChallengeOption(pkce))
		target = config.AuthCodeURL(state, options...)
	case "/callback":
		started, _ := sessions.Pop(ctx, "started").([]string)
		if started == nil || started[0] != state || r.FormValue("code") == "" {
			return errors.New("this browser has not completed a sign-in: " + r.FormValue("error"))
		}
		options = append(options, oauth2.VerifierOption(started[2]))
		token, err := config.Exchange(ctx, r.FormValue("code"), options...)
		if err != nil {
			return err
		}
		rawIDToken, _ := token.Extra("id_token").(string)
		user, err := provider.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(ctx, rawIDToken)
		if err != nil || user.Nonce != started[1] {
			return errors.New("the ID token is not valid")
		}
		var claims struct{ Preferred_username, Name string }
		user.Claims(&claims)
		sessions.RenewToken(ctx)
		sessions.Put(ctx, "name", cmp.Or(claims.Preferred_username, claims.Name, user.Subject))
		sessions.Put(ctx, "idToken", rawIDToken)
		sessions.Put(ctx, "token", *token) // only: api
	case "/orders": // only: api
		token, _ := sessions.Get(ctx, "token").(oauth2.Token) // only: api
		if !token.Valid() {                                   // only: api
			refresh := []oauth2.AuthCodeOption{api, oauth2.SetAuthURLParam("grant_type", "refresh_token")} // only: api
			refresh = append(refresh, oauth2.SetAuthURLParam("refresh_token", token.RefreshToken))         // only: api
			renewed, err := config.Exchange(ctx, "", refresh...)                                           // only: api
			if err != nil {                                                                                // only: api
				return err // only: api
			} // only: api
			sessions.Put(ctx, "token", *renewed) // only: api
			token = *renewed                     // only: api
		} // only: api
		response, err := oauth2.NewClient(ctx, oauth2.StaticTokenSource(&token)).Get("https://api.example.com/orders") // only: api
		if err != nil {                                                                                                // only: api
			return err // only: api
		} // only: api
		defer response.Body.Close()        // only: api
		_, err = io.Copy(w, response.Body) // only: api
		return err                         // only: api
	case "/sign-out":
		var metadata struct{ End_session_endpoint string }
		provider.Claims(&metadata)
		query := url.Values{"id_token_hint": {sessions.PopString(ctx, "idToken")}}
		query.Set("post_logout_redirect_uri", "http://localhost:3000/") // only: signout
		target = metadata.End_session_endpoint + "?" + query.Encode()
		sessions.Destroy(ctx)
	default:
		return page.Execute(w, sessions.GetString(ctx, "name"))
	}
	http.Redirect(w, r, target, http.StatusFound)
	return nil
}
