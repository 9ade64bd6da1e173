"""Creates two auctions with a buy-now price: one is bought after a bid, the other is cancelled.

Arguments: the address of the service, a token, and the start, the end and the latest end of the auctions.
"""

import json
import sys

from auction_service_client import AuthenticatedClient
from auction_service_client.api.auctions import buy_now, cancel_auction, create_auction
from auction_service_client.api.bids import place_bid
from auction_service_client.models import (
    AuctionEndedProblem,
    Bought,
    BuyNowRequest,
    BuyNowSuccess,
    CancelAuctionSuccess,
    Cancelled,
    CreateAuctionRequest,
    CreateAuctionRequestSoftCloseType0,
    CreateAuctionSuccess,
    PlaceBidRequest,
    PlaceBidSuccess,
)

base_url, token, start_time, end_time, latest_end_time = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=token)


def create() -> int:
    soft_close = CreateAuctionRequestSoftCloseType0(
        window_seconds=300, extension_seconds=300, latest_end_time=latest_end_time
    )
    auction = CreateAuctionRequest(
        product_id=8,
        owner_id=1,
        starting_price=50,
        minimum_bid_increment=5,
        currency="USD",
        start_time=start_time,
        end_time=end_time,
        soft_close=soft_close,
        reserve_price=150,
        buy_now_price=200,
    )
    created = create_auction.sync(client=client, body=auction)
    assert isinstance(created, CreateAuctionSuccess), created
    return created.data.id


first = create()
bid = place_bid.sync(client=client, body=PlaceBidRequest(auction_id=first, bidder_id=2, amount=50, maximum_amount=90))
assert isinstance(bid, PlaceBidSuccess), bid
bought = buy_now.sync(first, client=client, body=BuyNowRequest(buyer_id=3))
assert isinstance(bought, BuyNowSuccess) and isinstance(bought.data.result, Bought), bought
late = buy_now.sync(first, client=client, body=BuyNowRequest(buyer_id=2))
assert isinstance(late, AuctionEndedProblem), late

cancelled = cancel_auction.sync(create(), client=client)
assert isinstance(cancelled, CancelAuctionSuccess) and isinstance(cancelled.data.result, Cancelled), cancelled

print(json.dumps({"price": bought.data.result.price, "status": cancelled.data.status}))
