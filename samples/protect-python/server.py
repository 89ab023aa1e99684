import os

import jwt
from flask import Flask, abort, jsonify, make_response, request

ISSUER = "https://id.example.com/oidc"
AUDIENCE = "https://api.example.com"

app = Flask(__name__)
# Caches the keys, and fetches them again when a token names an unknown key.
keys = jwt.PyJWKClient(f"{ISSUER}/jwks", timeout=5)


def authorize(scope):
    """Returns the claims of the access token if it has the scope. Otherwise, rejects the request (RFC 6750)."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        reject(401, f'scope="{scope}"')
    try:
        claims = jwt.decode(
            token,
            keys.get_signing_key_from_jwt(token),
            algorithms=["RS256"],
            audience=AUDIENCE,
            issuer=ISSUER,
            options={"require": ["sub", "exp", "client_id"]},
        )
    except jwt.PyJWKClientConnectionError:
        # The keys could not be fetched, so a new token would not help.
        abort(make_response("", 503, {"Retry-After": "5"}))
    except jwt.PyJWTError:
        reject(401, 'error="invalid_token"')
    # ID tokens have another type. Tokens with "cnf" are bound to the key of their client (DPoP).
    if jwt.get_unverified_header(token).get("typ") != "at+jwt" or "cnf" in claims:
        reject(401, 'error="invalid_token"')
    if scope not in claims.get("scope", "").split():
        reject(403, f'error="insufficient_scope", scope="{scope}"')
    return claims


def reject(status, attributes):
    abort(make_response("", status, {"WWW-Authenticate": f"Bearer {attributes}"}))


@app.get("/orders")
def orders():
    claims = authorize("orders:read")
    return jsonify(userId=claims["sub"], orders=[])


if __name__ == "__main__":
    app.run(port=int(os.environ.get("PORT", "4000")))
