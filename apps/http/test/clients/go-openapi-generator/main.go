// Creates an auction, bids 1,234,567.89 as user 5,000,000,000, which is below the reserve, and lets another user buy it. Prints a JSON
// array: the result before and the price after the bid, the leader, and the price of the purchase.
//
// Arguments: the address of the service, a token, and the start and the end of the auction.
package main

import (
	"context"
	"encoding/json"
	"os"

	"auctions/client"
)

func main() {
	url, token, start, end := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: url}}
	service := client.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), client.ContextAccessToken, token)

	auction := client.NewCreateAuctionRequest(7, 1, 100, 0.01, "USD", start, end)
	auction.SetReservePrice(2000000)
	auction.SetBuyNowPrice(20000000.01)
	created, _, err := service.AuctionsAPI.CreateAuction(ctx).CreateAuctionRequest(*auction).IdempotencyKey("auction").Execute()
	check(err)
	id := created.Data.Id
	before, _, err := service.AuctionsAPI.ReadAuction(ctx, id).Execute()
	check(err)

	bid := client.NewPlaceBidRequest(id, 5_000_000_000, 1234567.89)
	_, _, err = service.BidsAPI.PlaceBid(ctx).PlaceBidRequest(*bid).IdempotencyKey("bid").Execute()
	check(err)
	after, _, err := service.AuctionsAPI.ReadAuction(ctx, id).Execute()
	check(err)

	purchase := client.NewBuyNowRequest(3)
	_, _, err = service.AuctionsAPI.BuyNow(ctx, id).BuyNowRequest(*purchase).IdempotencyKey("purchase").Execute()
	check(err)
	bought, _, err := service.AuctionsAPI.ReadAuction(ctx, id).Execute()
	check(err)

	price := bought.Data.Result.Get().Bought.Price
	printed := []any{before.Data.Result.Get(), after.Data.CurrentPrice, after.Data.LeaderId.Get(), price}
	check(json.NewEncoder(os.Stdout).Encode(printed))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
