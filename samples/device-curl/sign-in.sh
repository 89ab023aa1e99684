#!/bin/sh
# Needs curl and jq.
issuer='https://id.example.com/oidc'
client='-d client_id=my-client-id'
api=
api='--data-urlencode resource=https://api.example.com' # only: api
scope='openid profile offline_access orders:read'

# The device shows the URL and the code.
codes=$(curl -s $issuer/device/auth $client $api --data-urlencode "scope=$scope")
echo "$codes" | jq -r '"Open \(.verification_uri) and enter \(.user_code)"'
interval=$(echo "$codes" | jq .interval)

# It polls while the user signs in on another device.
error=authorization_pending
while [ "$error" = authorization_pending ] || [ "$error" = slow_down ]; do
  [ "$error" = slow_down ] && interval=$((interval + 5))
  sleep "$interval"
  tokens=$(curl -s $issuer/token $client $api \
    -d grant_type=urn:ietf:params:oauth:grant-type:device_code \
    -d "device_code=$(echo "$codes" | jq -r .device_code)")
  error=$(echo "$tokens" | jq -r .error)
done
[ "$error" = null ] || { echo "$tokens" >&2; exit 1; }
payload='.id_token | split(".")[1] | gsub("-"; "+") | gsub("_"; "/") | @base64d | fromjson'
echo "Signed in as $(echo "$tokens" | jq -r "$payload | .preferred_username // .sub")"

# Store the refresh token. Once the access token has expired, get a new one without the user.
tokens=$(curl -s $issuer/token $client $api \
  -d grant_type=refresh_token -d "refresh_token=$(echo "$tokens" | jq -r .refresh_token)")
curl -s -w '\n' 'https://api.example.com/orders' -H "Authorization: Bearer $(echo "$tokens" | jq -r .access_token)" # only: api

# To sign out, revoke the refresh token and forget all tokens.
curl -s $issuer/token/revocation $client -d "token=$(echo "$tokens" | jq -r .refresh_token)"
echo "Signed out"
