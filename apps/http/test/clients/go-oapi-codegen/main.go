// Creates an auction, bids 1,234,567.89 as user 5,000,000,000, which is below the reserve, and lets another user buy it. Prints a JSON
// array: the result before and the price after the bid, the leader, and the price of the purchase.
//
// Arguments: the address of the service, a token, and the start and the end of the auction.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"

	"auctions/client"
)

func main() {
	url, token, start, end := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
	service, err := client.NewClientWithResponses(url, client.WithRequestEditorFn(authorize))
	check(err)

	increment, reservePrice, buyNowPrice := 0.01, 2000000.0, 20000000.01
	auction := client.CreateAuctionRequest{
		ProductId: 7, OwnerId: 1, StartingPrice: 100, MinimumBidIncrement: &increment,
		ReservePrice: &reservePrice, BuyNowPrice: &buyNowPrice, Currency: "USD", StartTime: start, EndTime: end,
	}
	key := "auction"
	created, err := service.CreateAuctionWithResponse(ctx, &client.CreateAuctionParams{IdempotencyKey: &key}, auction)
	check(err)
	id := created.JSON201.Data.Id
	before, err := service.ReadAuctionWithResponse(ctx, id, nil)
	check(err)

	bid := client.PlaceBidRequest{AuctionId: id, BidderId: 5_000_000_000, Amount: 1234567.89}
	key = "bid"
	_, err = service.PlaceBidWithResponse(ctx, &client.PlaceBidParams{IdempotencyKey: &key}, bid)
	check(err)
	after, err := service.ReadAuctionWithResponse(ctx, id, nil)
	check(err)

	key = "purchase"
	_, err = service.BuyNowWithResponse(ctx, id, &client.BuyNowParams{IdempotencyKey: &key}, client.BuyNowRequest{BuyerId: 3})
	check(err)
	read, err := service.ReadAuctionWithResponse(ctx, id, nil)
	check(err)
	bought, err := read.JSON200.Data.Result.AsBought()
	check(err)

	view := after.JSON200.Data
	check(json.NewEncoder(os.Stdout).Encode([]any{before.JSON200.Data.Result, view.CurrentPrice, view.LeaderId, bought.Price}))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
