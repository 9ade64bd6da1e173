import base64, hmac, json, os, sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
seen = set()  # In production: a table whose key is the id.


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        event_id, timestamp = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        digest = hmac.digest(key, f"{event_id}.{timestamp}.".encode() + body, "sha256")
        signature = "v1," + base64.b64encode(digest).decode()
        signatures = self.headers["webhook-signature"].split()
        is_signed = any(hmac.compare_digest(signature, each) for each in signatures)
        is_valid = is_signed and abs(time.time() - int(timestamp)) < 300
        if is_valid and event_id not in seen:
            print(event_id, json.loads(body)["type"], flush=True)
            seen.add(event_id)
        self.send_response(204 if is_valid else 401)
        self.end_headers()


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver)
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
