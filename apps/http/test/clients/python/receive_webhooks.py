import base64, hmac, json, os, sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MAX_BYTES = 64 * 1024  # No message is larger.
key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
seen = set()  # In production: a table whose key is the id.


class Receiver(BaseHTTPRequestHandler):
    timeout = 15

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not length.isdecimal() or len(length) > 9 or int(length) > MAX_BYTES:
            return self.respond(413)
        body = self.rfile.read(int(length))
        event_id, timestamp, signatures = (self.headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
        digest = hmac.digest(key, f"{event_id}.{timestamp}.".encode() + body, "sha256")
        signature = b"v1," + base64.b64encode(digest)
        is_signed = any(hmac.compare_digest(signature, each.encode()) for each in signatures.split())
        is_valid = is_signed and abs(time.time() - int(timestamp)) < 300
        if is_valid and event_id not in seen:
            print(event_id, json.loads(body)["type"], flush=True)
            seen.add(event_id)
        self.respond(204 if is_valid else 401)

    def respond(self, status):
        self.send_response(status)
        self.end_headers()


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver)
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
