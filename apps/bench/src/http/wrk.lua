-- What wrk sends, and the summary that wrk.ts reads.
-- Arguments: a file with a token and an auction's id on each line, `bid` or `read`, the amount of the first bid in whole dollars,
-- and the number of connections.
local tokens, auctions, count = {}, {}, 0
local kind, dollars, firsts
local headers = {}
local sent = 0

function init(args)
  for line in io.lines(args[1]) do
    count = count + 1
    tokens[count], auctions[count] = line:match("(%S+) (%S+)")
  end
  -- wrk makes one request more before it connects.
  kind, dollars, firsts = args[2], tonumber(args[3]), tonumber(args[4]) + 1
end

-- The first request of a connection waits until the server has accepted the connection. Where there are enough auctions, no later bid
-- is on the same one, which would overtake it.
local function nextCaller()
  if sent < firsts or count <= firsts then return sent % count + 1 end
  return firsts + sent % (count - firsts) + 1
end

function request()
  local caller = nextCaller()
  local amount = dollars + sent
  sent = sent + 1
  headers["Authorization"] = "Bearer " .. tokens[caller]
  if kind == "read" then return wrk.format("GET", "/api/Auctions/" .. auctions[caller], headers) end
  headers["Content-Type"] = "application/json"
  local body = string.format('{"auctionId":%s,"bidderId":2,"amount":%d.99}', auctions[caller], amount)
  return wrk.format("POST", "/api/Bids", headers, body)
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format(
    'summary {"requests":%d,"durationMicros":%d,"p50Micros":%d,"p99Micros":%d,"refused":%d,"failed":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), errors.status, failed))
end
