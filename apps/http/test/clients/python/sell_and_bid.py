"""Creates an auction, corrects it, and bids on it: for 10 first, which is too low, and then for what the refusal asks.

Another user bids 1,100 instead of 110, which is too high, and then without the zero.

Arguments: the address of the service, a token, and the start and the end of the auction.
"""

import json
import sys
import uuid

from auction_service_client import AuthenticatedClient
from auction_service_client.api.auctions import correct_auction, create_auction, read_auction
from auction_service_client.api.bids import place_bid
from auction_service_client.models import (
    AuctionNotFoundProblem,
    BidTooHighProblem,
    BidTooLowProblem,
    CorrectAuctionRequest,
    CorrectAuctionRequestMetadataType0,
    CorrectAuctionSuccess,
    CreateAuctionRequest,
    CreateAuctionRequestIncrementStepsType0Item,
    CreateAuctionRequestMetadataType0,
    CreateAuctionSuccess,
    PlaceBidRequest,
    PlaceBidSuccess,
    ReadAuctionSuccess,
)

base_url, token, start_time, end_time = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=token)

auction = CreateAuctionRequest(
    product_id=7,
    owner_id=1,
    title="Walnut desc",
    metadata=CreateAuctionRequestMetadataType0.from_dict({"lotNumber": "17"}),
    starting_price=100,
    minimum_bid_increment=5,
    increment_steps=[CreateAuctionRequestIncrementStepsType0Item(from_price=100, increment=10)],
    maximum_bid_increment=500,
    currency="USD",
    start_time=start_time,
    end_time=end_time,
)
created = create_auction.sync(client=client, body=auction, idempotency_key=str(uuid.uuid4()))
assert isinstance(created, CreateAuctionSuccess), created
auction_id = created.data.id

etag = read_auction.sync_detailed(auction_id, client=client).headers["etag"]
correction = CorrectAuctionRequest(
    title="Walnut desk", metadata=CorrectAuctionRequestMetadataType0.from_dict({"color": "brown"})
)
corrected = correct_auction.sync(auction_id, client=client, body=correction, if_match=etag)
assert isinstance(corrected, CorrectAuctionSuccess), corrected


def bid(bidder_id: int, amount: float):
    body = PlaceBidRequest(auction_id=auction_id, bidder_id=bidder_id, amount=amount)
    return place_bid.sync(client=client, body=body, idempotency_key=str(uuid.uuid4()))


refused = bid(2, 10)
assert isinstance(refused, BidTooLowProblem), refused
placed = bid(2, refused.minimum_next_bid)
assert isinstance(placed, PlaceBidSuccess), placed

refused = bid(3, 1100)
assert isinstance(refused, BidTooHighProblem) and refused.maximum_next_bid == 600, refused
refused = bid(3, 109)
assert isinstance(refused, BidTooLowProblem) and refused.minimum_next_bid == 110, refused
placed = bid(3, 110)
assert isinstance(placed, PlaceBidSuccess), placed

read = read_auction.sync(auction_id, client=client)
assert isinstance(read, ReadAuctionSuccess), read
missing = read_auction.sync(999, client=client)
assert isinstance(missing, AuctionNotFoundProblem), missing

metadata = read.data.metadata.to_dict()
print(json.dumps({"auctionId": auction_id, "title": read.data.title, "metadata": metadata}))
print(json.dumps({"bid": placed.data.amount, "currentPrice": read.data.current_price}))
