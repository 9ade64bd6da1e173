-- What wrk sends, and the summary that wrk.ts reads.
-- Arguments: a token, the number of auctions, whose ids begin with 1, the amount of the first bid in whole dollars, the number of
-- connections, whether bids may be refused, and for reads instead of bids their path. A header names the auction to balancers.
local auctions, dollars, firsts, path
local worker
local headers = { ["Content-Type"] = "application/json" }
local sent = 0
-- The responses that no rule of bidding explains. A global, because `done` asks the thread for it.
faults = 0

function setup(thread)
  worker = thread
end

function init(args)
  headers["Authorization"] = "Bearer " .. args[1]
  -- wrk makes one request more before it connects.
  auctions, dollars, firsts, path = tonumber(args[2]), tonumber(args[3]), tonumber(args[4]) + 1, args[6]
  -- wrk parses responses only if this function exists, which takes time.
  if args[5] == "true" then
    response = function(status)
      if status ~= 201 and status ~= 409 then faults = faults + 1 end
    end
  end
end

-- The first request of a connection waits until the server has accepted the connection. Where there are enough auctions, no later bid
-- is on the same one, which would overtake it.
local function nextAuction()
  -- The first auction of each round is the next one: otherwise servers that get requests in turn might get the same auctions in each.
  if sent < firsts or auctions <= firsts then return (sent + math.floor(sent / auctions)) % auctions + 1 end
  return firsts + sent % (auctions - firsts) + 1
end

-- Bids come from 100,000 bidders in an order that is not theirs, because stores keep an index of the bids of each bidder.
function request()
  if path then return wrk.format("GET", path, headers) end
  local auction = nextAuction()
  local body = string.format('{"auctionId":%d,"bidderId":%d,"amount":%d.99}', auction, 2 + sent * 7919 % 100000, dollars + sent)
  headers["X-Auction"] = auction
  sent = sent + 1
  return wrk.format("POST", "/api/Bids", headers, body)
end

function done(summary, latency)
  local errors, faults = summary.errors, worker:get("faults")
  local failed = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format(
    'summary {"requests":%d,"durationMicros":%d,"p50Micros":%d,"p99Micros":%d,"refused":%d,"faults":%d,"failed":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), errors.status - faults, faults, failed))
end
