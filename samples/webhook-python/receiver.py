import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["HOOK_SECRET"])
received_ids = set()  # In production, store the ids in your database.


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        if self.path != "/hooks":
            return self.respond(404)
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        try:
            message = webhook.verify(body, dict(self.headers))
        except (WebhookVerificationError, ValueError):
            # The signature is wrong or more than five minutes old.
            return self.respond(401)
        # Respond first, because a response after ten seconds counts as a failure.
        self.respond(204)
        # A message can arrive more than once, each time with the same id.
        message_id = self.headers["webhook-id"]
        if message_id not in received_ids:
            received_ids.add(message_id)
            handle(message)

    def respond(self, status):
        self.send_response(status)
        self.end_headers()


def handle(message):
    print(message["event"], message["user"]["id"], flush=True)


ThreadingHTTPServer(("", int(os.environ.get("PORT", 4000))), Receiver).serve_forever()
