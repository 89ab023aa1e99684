package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/gob" // only: api
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

var sessions = scs.New()
var provider = must(oidc.NewProvider(context.Background(), "https://id.example.com/oidc"))
var config = oauth2.Config{ClientID: "my-client-id", ClientSecret: os.Getenv("CLIENT_SECRET"),
	Endpoint: provider.Endpoint(), RedirectURL: "http://localhost:3000/callback",
	Scopes: strings.Fields("openid profile offline_access orders:read")}
var page = template.Must(template.New("").Parse(`{{if .}}<p>Signed in as {{.}}</p>
<p><a href="/orders">Orders</a></p> <!-- only: api -->
<p><a href="/sign-out">Sign out</a></p>{{else}}<a href="/sign-in">Sign in</a>{{end}}`))

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	gob.Register(oauth2.Token{}) // only: api
	sessions.Cookie.Secure = strings.HasPrefix(config.RedirectURL, "https:")
	log.Fatal(http.ListenAndServe(":3000", sessions.LoadAndSave(http.HandlerFunc(serve))))
}

func serve(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if problem := recover(); problem != nil {
			log.Print(problem)
			http.Error(w, "That did not work. Sign in again.", http.StatusBadRequest)
		}
	}()
	ctx, options := r.Context(), []oauth2.AuthCodeOption{}
	options = append(options, oauth2.SetAuthURLParam("resource", "https://api.example.com")) // only: api
	switch r.URL.Path {
	case "/sign-in":
		state, nonce, verifier := rand.Text(), rand.Text(), oauth2.GenerateVerifier()
		sessions.Put(ctx, "sign-in "+state, []string{nonce, verifier})
		options = append(options, oidc.Nonce(nonce), oauth2.S256ChallengeOption(verifier))
		http.Redirect(w, r, config.AuthCodeURL(state, options...), http.StatusFound)
	case "/callback":
		checks := sessions.Pop(ctx, "sign-in "+r.FormValue("state")).([]string) // panics if the state is unknown
		token := must(config.Exchange(ctx, r.FormValue("code"), append(options, oauth2.VerifierOption(checks[1]))...))
		idToken := token.Extra("id_token").(string)
		user := must(provider.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(ctx, idToken))
		if user.Nonce != checks[0] {
			panic("the ID token has another nonce")
		}
		var claims struct{ Preferred_username, Name string }
		user.Claims(&claims)
		sessions.RenewToken(ctx)
		sessions.Put(ctx, "name", cmp.Or(claims.Preferred_username, claims.Name, user.Subject))
		sessions.Put(ctx, "idToken", idToken)
		sessions.Put(ctx, "token", *token) // only: api
		http.Redirect(w, r, "/", http.StatusFound)
	// only: api
	case "/orders":
		token := sessions.Get(ctx, "token").(oauth2.Token)
		if !token.Valid() {
			token = *must(config.Exchange(ctx, "", append(options, oauth2.SetAuthURLParam("grant_type", "refresh_token"),
				oauth2.SetAuthURLParam("refresh_token", token.RefreshToken))...))
			sessions.Put(ctx, "token", token)
		}
		client := oauth2.NewClient(ctx, oauth2.StaticTokenSource(&token))
		response := must(client.Get("https://api.example.com/orders"))
		defer response.Body.Close()
		io.Copy(w, response.Body)

	case "/sign-out":
		query := url.Values{"id_token_hint": {sessions.GetString(ctx, "idToken")}}
		query.Set("post_logout_redirect_uri", "http://localhost:3000/") // only: signout
		sessions.Destroy(ctx)
		http.Redirect(w, r, "https://id.example.com/oidc/session/end?"+query.Encode(), http.StatusFound)
	default:
		page.Execute(w, sessions.GetString(ctx, "name"))
	}
}
