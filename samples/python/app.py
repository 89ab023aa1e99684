import os
import time  # only: api
from authlib.integrations.flask_client import OAuth, OAuthError
from cachelib import FileSystemCache
from flask import request  # only: signout
from flask import Flask, redirect, render_template_string, session
from flask_session import Session

REDIRECT_URI = "http://localhost:3000/callback"
SCOPE = "openid profile"
SCOPE += " offline_access orders:read"  # only: api
API = {"resource": "https://api.example.com"}  # only: api

app = Flask(__name__)
app.config.update(SESSION_TYPE="cachelib", SESSION_CACHELIB=FileSystemCache("sessions"))
app.config.update(SESSION_COOKIE_SECURE=REDIRECT_URI.startswith("https:"), SESSION_COOKIE_SAMESITE="Lax")
Session(app)
vestibule = OAuth(app).register(
    "vestibule", client_id="my-client-id", client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url="https://id.example.com/oidc/.well-known/openid-configuration",
    client_kwargs={"scope": SCOPE, "code_challenge_method": "S256", "leeway": 0},
    authorize_params=API, access_token_params=API,  # only: api
)

@app.get("/")
def home():
    if "state" in request.args:  # only: signout
        vestibule.validate_logout_response()  # only: signout
        return redirect("/")  # without the state in the address # only: signout
    return render_template_string("""{% if user %}
        <p>Signed in as {{ user.preferred_username or user.name or user.sub }}</p>
        <a href="/orders">Orders</a> <!-- only: api -->
        <a href="/sign-out">Sign out</a>
        {% else %}<a href="/sign-in">Sign in</a>{% endif %}""", user=session.get("token", {}).get("userinfo"))

@app.get("/sign-in")
def sign_in():
    return vestibule.authorize_redirect(REDIRECT_URI)

@app.get("/callback")
def callback():
    session["token"] = vestibule.authorize_access_token()
    app.session_interface.regenerate(session)  # a new session id, so that nobody can choose it for users
    return redirect("/")

@app.get("/orders")  # only: api
def orders():  # only: api
    if "token" not in session:  # only: api
        return redirect("/")  # only: api
    token = session["token"]  # only: api
    if token["expires_at"] < time.time() + 30:  # only: api
        refresh = {"grant_type": "refresh_token", "refresh_token": token.get("refresh_token")}  # only: api
        session["token"] = token = {**token, **vestibule.fetch_access_token(**refresh)}  # only: api
    return vestibule.get("https://api.example.com/orders", token=token).json()  # only: api

@app.get("/sign-out")
def sign_out():
    return vestibule.logout_redirect(
        "http://localhost:3000/",  # only: signout
        id_token_hint=session.pop("token", {}).get("id_token"))

@app.errorhandler(OAuthError)
def refused(error):
    return render_template_string('{{ error }} <a href="/sign-in">Sign in again</a>', error=error), 400
