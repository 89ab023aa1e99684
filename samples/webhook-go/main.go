package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type message struct {
	Event string
	User  struct{ ID string }
}

var receivedIDs sync.Map // In production, store the ids in your database.

func main() {
	webhook, err := webhooks.NewWebhook(os.Getenv("HOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /hooks", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		// Verify checks the signature, and that it is at most five minutes old.
		if err != nil || webhook.Verify(body, r.Header) != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var received message
		if err := json.Unmarshal(body, &received); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		// A message can arrive more than once, each time with the same id.
		if _, isKnown := receivedIDs.LoadOrStore(r.Header.Get("webhook-id"), true); !isKnown {
			// Work in the background, because a response after ten seconds counts as a failure.
			go handle(received)
		}
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe(":"+cmp.Or(os.Getenv("PORT"), "4000"), nil))
}

func handle(received message) {
	fmt.Println(received.Event, received.User.ID)
}
