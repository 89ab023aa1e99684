#!/bin/sh
# Needs curl and jq. The token omits scopes that the service lacks: give it a role that contains them.
token=$(curl -s 'https://id.example.com/oidc/token' \
  -u "my-client-id:$CLIENT_SECRET" \
  -d grant_type=client_credentials \
  --data-urlencode 'resource=https://api.example.com' \
  --data-urlencode 'scope=orders:read' | jq -r .access_token)

curl -s -w '\n' 'https://api.example.com/orders' -H "Authorization: Bearer $token"
