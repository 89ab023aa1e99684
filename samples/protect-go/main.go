package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
)

const issuer = "https://id.example.com/oidc"
const audience = "https://api.example.com"

var parser = jwt.NewParser(jwt.WithIssuer(issuer), jwt.WithAudience(audience),
	jwt.WithExpirationRequired(), jwt.WithValidMethods([]string{"RS256"}))

func main() {
	// Fetches the keys now, every hour, and when a token names an unknown key.
	keys, err := keyfunc.NewDefault([]string{issuer + "/jwks"})
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /orders", func(w http.ResponseWriter, r *http.Request) {
		if claims := authorize(w, r, keys, "orders:read"); claims != nil {
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(map[string]any{"userId": claims["sub"], "orders": []string{}})
		}
	})
	log.Fatal(http.ListenAndServe(":"+cmp.Or(os.Getenv("PORT"), "4000"), nil))
}

// Returns the claims of the access token if it has the scope. Otherwise, rejects the request (RFC 6750).
func authorize(w http.ResponseWriter, r *http.Request, keys keyfunc.Keyfunc, scope string) jwt.MapClaims {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return reject(w, http.StatusUnauthorized, fmt.Sprintf("scope=%q", scope))
	}
	claims := jwt.MapClaims{}
	parsed, err := parser.ParseWithClaims(token, claims, keys.Keyfunc)
	// Tokens with "cnf" are bound to the key of their client (DPoP), so they are no bearer tokens.
	if err != nil || parsed.Header["typ"] != "at+jwt" || claims["cnf"] != nil || claims["client_id"] == nil {
		return reject(w, http.StatusUnauthorized, `error="invalid_token"`)
	}
	if scopes, _ := claims["scope"].(string); !slices.Contains(strings.Fields(scopes), scope) {
		return reject(w, http.StatusForbidden, fmt.Sprintf(`error="insufficient_scope", scope=%q`, scope))
	}
	return claims
}

func reject(w http.ResponseWriter, status int, attributes string) jwt.MapClaims {
	w.Header().Set("WWW-Authenticate", "Bearer "+attributes)
	w.WriteHeader(status)
	return nil
}
